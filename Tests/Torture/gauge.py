"""Memory and descriptors of a daemon and its workers, sampled while photos arrive."""
import collections
import os
import threading
import time

Sample = collections.namedtuple("Sample", "time pid photos memory peak descriptors workers worker_memory worker_peak")


def fields(pid):
    """The values in kB of /proc/PID/status, and the parent."""
    found = {}
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in ("VmRSS", "VmHWM", "PPid"):
                found[name] = int(value.split()[0])
    return found


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if fields(entry)["PPid"] == pid:
                    found.append(int(entry))
            except (OSError, KeyError):
                pass
    return found


def slope(points):
    """The slope of y over x, by least squares."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


class Gauge:
    """Samples from its own thread; `look` returns the daemon's process and how many photos it has handled."""

    def __init__(self, look, interval):
        self.look, self.interval = look, interval
        self.samples = []
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self):
        self.ending.set()
        self.thread.join()

    def _run(self):
        while not self.ending.wait(self.interval):
            try:
                pid, photos = self.look()
                own = fields(pid)
                workers = [fields(child) for child in children(pid)]
                self.samples.append(
                    Sample(
                        time.monotonic(), pid, photos, own["VmRSS"], own["VmHWM"], len(os.listdir(f"/proc/{pid}/fd")),
                        len(workers), max((worker["VmRSS"] for worker in workers), default=0),
                        max((worker["VmHWM"] for worker in workers), default=0)))
            except (OSError, KeyError, TypeError):
                pass  # between two processes

    def settled(self):
        """The samples of the process that handled most photos, without its first fifth."""
        spans = collections.defaultdict(list)
        for sample in self.samples:
            spans[sample.pid].append(sample)
        longest = max(spans.values(), key=lambda samples: samples[-1].photos - samples[0].photos)
        first, last = longest[0].photos, longest[-1].photos
        return [sample for sample in longest if sample.photos >= first + (last - first) / 5]

    def peak(self, field):
        return max(getattr(sample, field) for sample in self.samples)
