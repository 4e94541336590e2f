"""Waits until a daemon under stress has nothing left to do, and compares what it made with a fresh run."""

import os
import shutil
import tarfile
import tempfile
import time
import zipfile

import canonical
import daemon
from daemon import Broken
from fresh import Fresh
from in_inbox import open_all
from levels import leftovers
from with_daemon import reload, start

#: Seconds for everything that follows an operation: a rescan, an index, an export after its rest.
PATIENCE = daemon.PATIENCE
#: Seconds for photos in a folder that was closed: the longest pause between two attempts, and a rescan.
LONG_PATIENCE = PATIENCE + 75
#: The reason of a photo that was in progress, alone, at three kills.
COUNTED = "stopped unexpectedly"


def settle(world, ledger):
    """Raises Broken, with a line for each difference."""
    patience = LONG_PATIENCE if world.closed else PATIENCE
    open_all(world)
    start(world)
    if world.needs_reload or world.chosen["limits.minFreeBytes"]:
        reload(world, "limits.minFreeBytes", 0)
    world.wait(world.is_idle)
    if any(COUNTED in failure["reason"] for failure in world.status()["failures"]):
        world.run("retry", *world.folders, "--failed")
    compare(world, ledger, patience)
    if complaint := eventually(world.verify, PATIENCE):
        raise Broken(complaint)
    ledger.settle()


def compare(world, ledger, patience):
    end = time.monotonic() + patience
    # The last operation may not have been noticed yet.
    time.sleep(0.3)
    while True:
        if problems := eventually(lambda: problems_of(world, ledger), max(end - time.monotonic(), 1)):
            raise Broken("\n".join(problems))
        folder = tempfile.mkdtemp(prefix="fresh-", dir=world.root)
        os.chmod(folder, 0o755)
        fresh = Fresh(ledger, f"{folder}/run")
        try:
            fresh.make()
            state = ledger.state()
            differences = eventually(lambda: list(canonical.differences(
                canonical.outbox(world), canonical.outbox(fresh))), PATIENCE)
            if not differences:
                return
            if not eventually(lambda: problems_of(world, ledger), 1) and ledger.state() == state:
                raise Broken("\n".join(differences))
            # It went on meanwhile.
        finally:
            fresh.kill()
            shutil.rmtree(folder, ignore_errors=True)


def problems_of(world, ledger):
    if not world.is_running():
        raise Broken(f"the daemon ended by itself: {world.process.returncode}\n{world.last_words()}")
    if not world.is_idle():
        return [f"not idle: {world.photos()}, {(world.status() or {}).get('daemon')}"]
    return [*ledger.look(), *leftovers(world.inbox, world.outbox, world.archive, world.failed)]


def eventually(problems, seconds):
    """The problems that are left when this time is over, or none."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = problems()
        except (OSError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
            # A file that was removed between two looks, or is being replaced.
            found = [f"unreadable: {error}"]
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.2)
