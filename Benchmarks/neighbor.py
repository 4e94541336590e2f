#!/usr/bin/env python3
"""neighbor.py PHOTOS: how a backlog slows other work of the machine: reading a small file from the disk, and a static page from
a web server. Run as root, under the systemd whose unit it measures, with nginx (`make bench-neighbor`).

Prints the 99th percentile in milliseconds on the idle machine, beside a backlog with the unit as installed, and beside one with
the weights of an ordinary service.
"""

import pathlib
import os
import random
import socket
import subprocess
import sys
import time

BASE = pathlib.Path("/var/lib/stickerd")
DROP_IN = pathlib.Path("/etc/systemd/system/stickerd.service.d/neighbor.conf")
ORDINARY = "[Service]\nNice=0\nCPUSchedulingPolicy=other\nCPUWeight=100\nIOWeight=100\n"
#: With cgroup v2, systemd sets this itself.
IDLE = pathlib.Path("/sys/fs/cgroup/cpu/system.slice/stickerd.service/cpu.idle")
FILES = pathlib.Path("/var/lib/neighbor")
PAGE = b"GET /page.html HTTP/1.0\r\n\r\n"
SECONDS, PAUSE = 20, 0.005
#: More photos than two cores process while it is measured.
BACKLOG = 1500


def prepare():
    FILES.mkdir(exist_ok=True)
    for number in range(2000):
        (FILES / str(number)).write_bytes(os.urandom(4096))
    os.sync()
    pathlib.Path("/var/www/html/page.html").write_bytes(os.urandom(5000).hex().encode())
    subprocess.run(["systemctl", "start", "nginx"], check=True)


def read_file():
    descriptor = os.open(FILES / str(random.randrange(2000)), os.O_RDONLY)
    # From the disk, not from memory.
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    start = time.perf_counter()
    os.read(descriptor, 4096)
    spent = time.perf_counter() - start
    os.close(descriptor)
    return spent


def get_page():
    start = time.perf_counter()
    with socket.create_connection(("127.0.0.1", 80)) as connection:
        connection.sendall(PAGE)
        while connection.recv(65536):
            pass
    return time.perf_counter() - start


def measure(name):
    reads, pages, end = [], [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        reads.append(read_file())
        pages.append(get_page())
        time.sleep(PAUSE)
    part = lambda times, share: 1000 * sorted(times)[int(len(times) * share)]
    print(f"{name:28}  file {part(reads, .5):6.2f} {part(reads, .99):6.2f}   page {part(pages, .5):6.2f} {part(pages, .99):6.2f}", flush=True)


def beside_backlog(name, photos):
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    inbox = BASE / "inbox"
    for number in range(BACKLOG):
        (inbox / f"{number}.jpg").write_bytes(photos[number % len(photos)] + str(number).encode())
    subprocess.run(["systemctl", "start", "stickerd"], check=True)
    if IDLE.exists() and not DROP_IN.exists():
        IDLE.write_text("1")
    time.sleep(3)
    measure(name)
    left = len(list(inbox.iterdir())) - len(list((BASE / "outbox").glob("*.png")))
    print(f"    {BACKLOG - left} stickers were made", flush=True)
    assert left > 0, "The backlog ended too early."
    subprocess.run(["systemctl", "stop", "stickerd"], check=True)
    subprocess.run("find /var/lib/stickerd/inbox /var/lib/stickerd/outbox -mindepth 1 -delete; rm -rf /var/lib/stickerd/library", shell=True, check=True)


def main(folder):
    photos = [photo.read_bytes() for photo in sorted(pathlib.Path(folder).glob("*.jpg"))]
    prepare()
    print("in milliseconds                      median    99%          median    99%")
    for round in range(2):
        measure("idle")
        beside_backlog("backlog, the unit", photos)
        DROP_IN.parent.mkdir(parents=True, exist_ok=True)
        DROP_IN.write_text(ORDINARY)
        beside_backlog("backlog, ordinary weights", photos)
        DROP_IN.unlink()
        subprocess.run(["systemctl", "daemon-reload"], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
