#!/usr/bin/env python3
"""emulate.py NAME: boots Debian's kernel on an emulated processor, runs tasks.sh there with the program built for it,
and compares the pictures with those that the program makes here. The NAME is old-cpu, or a system of Packaging/deb.sh,
such as trixie-arm64: then the programs are those of the packages for arm64 and amd64, and both run with the libraries
of their distribution.

Everything in the machine is emulated, so no worker can run on this machine's processor by mistake.
"""

import base64
import dataclasses
import gzip
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from PIL import Image, ImageChops

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / ".build"
MODEL = HERE.parent / "Unit/SubjectModelTests/Fixtures/converted.safetensors"
LOGS = ("make-log", "make-webp-log", "mask-log", "run-log")
PHOTOS = ("baseline.jpg", "progressive.jpg", "inks.jpg", "RGB.png", "lossy.webp", "60.heic", "60.avif")


@dataclasses.dataclass(frozen=True)
class Machine:
    emulator: tuple
    console: str
    triplet: str
    #: The programs, the root of the system whose libraries they use, and one with a kernel and busybox.
    programs: tuple
    libraries: pathlib.Path
    kernel: pathlib.Path
    #: The program for this machine's processor, and its root: other versions of libraries write other bytes.
    reference: pathlib.Path
    reference_root: pathlib.Path
    #: What /proc/cpuinfo says of the oldest processors that stickerd supports, and what it does not say.
    has: str
    lacks: str


def machine_for(name):
    if name == "old-cpu":
        return Machine(
            ("qemu-system-x86_64", "-cpu", "core2duo"), "ttyS0", "x86_64-linux-gnu",
            (BUILD / "release/stickerd", BUILD / "release/Confined"), pathlib.Path("/"), BUILD / "platforms/amd64",
            BUILD / "release/stickerd", pathlib.Path("/"), r"\bssse3\b", r"\b(sse4_1|avx)\b")
    distribution, work, packaged = name.removesuffix("-arm64"), BUILD / "deb", "sources/debian/stickerd/usr/bin/stickerd"
    return Machine(
        ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"), "ttyAMA0", "aarch64-linux-gnu",
        (work / name / packaged, work / name / "build/release/Confined"), BUILD / "platforms" / name, BUILD / "platforms/arm64",
        work / distribution / packaged, BUILD / "platforms" / distribution, r"CPU part\s*: 0xd08", r"\basimddp\b")


#: SIGSYS, as a shell reports it.
FORBIDDEN = 128 + 31
#: Seconds for a boot and all tasks. Two minutes are usual on an idle machine.
PATIENCE = 3600


def needs(program):
    """The file names of the libraries that it is linked with."""
    listing = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing)


class Guest:
    """The files of an emulated machine, in a folder that becomes its first and only file system."""

    def __init__(self, folder, root, triplet):
        self.folder, self.places = folder, [root / "usr/lib" / triplet, root / "usr/lib"]
        for name in ("bin", "dev", "proc", "sys", "tmp", "usr/lib", "photos"):
            (folder / name).mkdir(parents=True)
        for name in ("lib", "lib64"):
            (folder / name).symlink_to("usr/lib")
        for plugin in self.places[0].glob("libheif/plugins/*.so"):
            self.add(plugin, plugin.relative_to(root))

    def add(self, source, name):
        """Copies a program or library, and the libraries that it needs."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, self.folder / name)
        for library in needs(source):
            if not (self.folder / "usr/lib" / library).exists():
                self.add(next(place / library for place in self.places if (place / library).exists()), f"usr/lib/{library}")

    def packed(self):
        names = subprocess.run(["find", "."], cwd=self.folder, stdout=subprocess.PIPE, check=True).stdout
        archive = subprocess.run(
            ["cpio", "--create", "--format=newc", "--quiet"], cwd=self.folder, input=names, stdout=subprocess.PIPE, check=True)
        return gzip.compress(archive.stdout, 1)


def emulated(machine, folder):
    """The results of the tasks in the emulated machine, in a folder."""
    guest = Guest(folder / "guest", machine.libraries, machine.triplet)
    for program in machine.programs:
        guest.add(program, f"bin/{program.name}")
    # pthread_exit(3) loads it.
    guest.add(guest.places[0] / "libgcc_s.so.1", "usr/lib/libgcc_s.so.1")
    guest.add(machine.kernel / "usr/bin/busybox", "bin/busybox")
    for source, name in (HERE / "guest.sh", "init"), (HERE / "tasks.sh", "tasks"), (MODEL, "model.safetensors"):
        shutil.copy(source, guest.folder / name)
    for name in PHOTOS:
        shutil.copy(folder / "here/photos" / name, guest.folder / "photos")
    (folder / "initrd").write_bytes(guest.packed())
    kernel, = (machine.kernel / "usr/lib/modules").glob("*/vmlinuz")
    # The emulator may be too slow for the kernel's check of its timer.
    with open(folder / "console", "wb") as log:
        subprocess.run(
            [*machine.emulator, "-smp", "2", "-m", "2048", "-nographic", "-no-reboot", "-nic", "none", "-kernel", kernel, "-initrd",
             folder / "initrd", "-append", f"console={machine.console} quiet panic=-1 no_timer_check"],
            stdin=subprocess.DEVNULL, stdout=log, timeout=PATIENCE, check=True)
    said = (folder / "console").read_text(errors="replace")
    try:
        content = base64.b64decode(said.split("RESULTS BEGIN")[1].split("RESULTS END")[0])
    except IndexError:
        raise SystemExit(f"the emulated machine stopped early:\n{said[-3000:]}") from None
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "results"


def run_here(machine, folder):
    """The results of the same tasks on this machine, in a folder."""
    for name in ("bin", "photos", "results", "unused"):
        (folder / name).mkdir(parents=True)
    shutil.copy(machine.reference, folder / "bin/stickerd")
    shutil.copy(MODEL, folder / "model.safetensors")
    shutil.copy(HERE / "tasks.sh", folder)
    everything = folder / "everything"
    subprocess.run([sys.executable, HERE / "pictures.py", everything], check=True)
    for name in PHOTOS:
        shutil.copy(everything / name, folder / "photos")
    # Settings of the user who runs it have no effect.
    command = ["env", "-i", f"HOME={folder}", f"PATH={folder}/bin:/usr/bin:/bin", "sh", "tasks.sh"]
    if machine.reference_root != pathlib.Path("/"):
        command = [HERE / "inside.sh", machine.reference_root, folder, folder / "unused", *command]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "results"


def text(results, name):
    return (results / name).read_text(errors="replace")


def check_machine(machine, results):
    """What proves that the results come from the processor and kernel meant, and that the filter was on."""
    processor = text(results, "processor")
    assert re.search(machine.has, processor) and not re.search(machine.lacks, processor), f"another processor:\n{processor}"
    status, record = text(results, "forbidden-status"), text(results, "forbidden-log")
    assert int(status) == FORBIDDEN, f"a forbidden call ends with {status}"
    assert "type=1326" in record, f"no record of a forbidden call:\n{record}"
    filters = text(results, "filters").split("\n")[:-1]
    assert filters and all(line.split() == ["Seccomp:", "2"] for line in filters), f"workers without a filter: {filters}"
    records = [line for line in text(results, "kernel-log").splitlines() if "type=1326" in line]
    assert not records, "forbidden calls:\n" + "\n".join(records)
    for log in LOGS:
        assert "not fully confined" not in text(results, log), text(results, log)
    assert int(text(results, "run-status")) == 0, text(results, "run-log")


def difference(one, other):
    """The greatest difference of two pictures' channels; 256 if their sizes differ."""
    one, other = (Image.open(file).convert("RGBA") for file in (one, other))
    return max(high for _, high in ImageChops.difference(one, other).getextrema()) if one.size == other.size else 256


def pictures(results):
    return {file.relative_to(results) for folder in ("png", "webp", "mask", "outbox") for file in (results / folder).rglob("*")
            if file.suffix in (".png", ".webp")}


def main(name):
    machine = machine_for(name)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        expected = run_here(machine, folder / "here")
        actual = emulated(machine, folder)
        check_machine(machine, actual)
        names = pictures(expected)
        # Two formats of each photo, a mask, and the daemon's sticker with its small picture.
        assert len(names) == 2 * len(PHOTOS) + 3, f"made here: {sorted(map(str, names))}\n{text(expected, 'make-log')}"
        missing = sorted(map(str, pictures(actual) ^ names))
        assert not missing, f"not made in both: {missing}\n" + "".join(text(actual, log) for log in LOGS)
        other = [file for file in sorted(names) if (expected / file).read_bytes() != (actual / file).read_bytes()]
        for file in other:
            print(f"{file}: differs by {difference(expected / file, actual / file)} of 255")
        print(f"{name}: {len(names) - len(other)} of {len(names)} pictures are identical; no forbidden system call")
        return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
