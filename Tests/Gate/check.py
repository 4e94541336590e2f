#!/usr/bin/env python3
"""check.py: what changed since the last run that passed: format and texts, and the debug tests of the modules that changed and
of those above them. No browser, no torture, no release build. Without a change it does nothing. `make check` runs it.
"""

import hashlib
import json
import os
import subprocess
import sys

import gate
import parts
from parts import ROOT, SWIFT

STATE = ROOT / ".build/check.json"
#: A change of these concerns all modules.
FOR_ALL = ("Package.swift",)
#: Tests of modules below it start its workers: a change of the command line is not theirs.
USED = {"stickerd"}
#: These run the release program, as `make test` does.
NOT_HERE = {"DaemonTests"}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files():
    """The digests of all files that git tracks or would track, by path."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True)
    names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return {name: digest(ROOT / name) for name in names if (ROOT / name).is_file()}


def targets(package):
    """{name: (folder, names of the targets it depends on)}. `package` is the digest of Package.swift."""
    known = ROOT / f".build/package-{package[:16]}.json"
    if not known.exists():
        known.parent.mkdir(exist_ok=True)
        dump = subprocess.run([SWIFT, "package", "dump-package"], cwd=ROOT, check=True, capture_output=True)
        known.write_bytes(dump.stdout)
    listed = json.loads(known.read_text())["targets"]
    names = {target["name"] for target in listed}
    return {
        target["name"]: (
            target.get("path") or f"Sources/{target['name']}",
            ({next(iter(d.values()))[0] for d in target["dependencies"]} & names) - USED)
        for target in listed}


def affected(targets, changed):
    """The targets that have a changed file, and those above them."""
    found = {name for name, (folder, _) in targets.items() if any(file.startswith(f"{folder}/") for file in changed)}
    while more := {name for name, (_, below) in targets.items() if below & found} - found:
        found |= more
    return found


def main():
    now = files()
    before = json.loads(STATE.read_text()) if STATE.exists() else {}
    changed = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
    if not changed:
        return print("No change since the last check that passed.")
    graph = targets(now["Package.swift"])
    modules = set(graph) if changed & set(FOR_ALL) else affected(graph, changed)
    tests = sorted(name for name in modules if name.endswith("Tests") and name not in NOT_HERE)
    swift = sorted(name for name in changed if name.endswith(".swift") and name in now)
    chosen = [part for part in parts.BUILDS if part.name == "texts" or part.name == "debug build" and modules]
    if swift:
        chosen.append(parts.Part("format", "checks", (SWIFT, "format", "lint", "--strict", *swift)))
    # In parts of about the same length, which run beside each other.
    large = {"StickerPipelineTests": parts.PIPELINE, "PhotoLibraryTests": [parts.LIBRARY]}
    chosen += [parts.unit(f"{name} {number + 1}", filter) for name, filters in large.items() if name in tests
               for number, filter in enumerate(filters)]
    if small := [name for name in tests if name not in large]:
        chosen.append(parts.unit(", ".join(small), rf"^({'|'.join(small)})\."))
    print("Changed: " + ", ".join(sorted(changed)[:6]) + (f" and {len(changed) - 6} more" if len(changed) > 6 else ""))
    if not gate.Run(chosen).all():
        sys.exit(1)
    # Files that changed meanwhile are still unchecked.
    STATE.write_text(json.dumps(now))


if __name__ == "__main__":
    main()
