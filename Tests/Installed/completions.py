#!/usr/bin/env python3
"""completions.py SHARE: types commands with Tab into bash, zsh and fish, which load the completions installed in SHARE as they
do on a user's machine, and compares what `stickerd`, here a script, is then started with. File names try to run commands.
"""

import os
import pathlib
import pty
import select
import shutil
import sys
import tempfile
import time

#: Seconds after which a shell is taken to hang.
LIMIT = 60
FILES = ("cat.jpg", "IMG_1.JPG", "notes.txt", "my photo.png", "$(touch pwned).png", "it's.webp", "`touch pwned`.jpeg", "a;b.avif",
         "quo\"te.heic", "back\\slash.heif", "bad\udcff.jpg", "colon:b.jpg", "deep/er/in.png", "conf.json", "Holiday trip/pack.json",
         "two\nlines.jpg", "new\nfolder/in.png")
#: What is typed after `stickerd`, `^` for Tab, and the arguments that it is then started with.
CASES = (
    ("mak^", ["make"]),
    ("wor^", ["wor"]),
    ("help pal^", ["help", "palette"]),
    ("make ca^", ["make", "cat.jpg"]),
    ("make IM^", ["make", "IMG_1.JPG"]),
    ("make my^", ["make", "my photo.png"]),
    ("make my\\ p^", ["make", "my photo.png"]),
    ("make 'my p^", ["make", "my photo.png"]),
    ("make \\$^", ["make", "$(touch pwned).png"]),
    ("make \\`^", ["make", "`touch pwned`.jpeg"]),
    ("make it^", ["make", "it's.webp"]),
    ("make a\\;^", ["make", "a;b.avif"]),
    ("make quo^", ["make", "quo\"te.heic"]),
    ("make back^", ["make", "back\\slash.heif"]),
    ("make bad^", ["make", "bad\udcff.jpg"]),
    ("make two^", ["make", "two\nlines.jpg"]),
    ("run --inbox fol^", ["run", "--inbox", "fol"]),
    ("make deep/er/^", ["make", "deep/er/in.png"]),
    ("make ~/own^", ["make", "~/own.png"]),
    ("make -- ca^ --over^", ["make", "--", "cat.jpg", "--over"]),
    ("make ca^ --over^ -o Hol^", ["make", "cat.jpg", "--overwrite", "-o", "Holiday trip"]),
    ("make --config=conf^", ["make", "--config=conf.json"]),
    ("make --set sticker.si^300 ca^", ["make", "--set", "sticker.size=300", "cat.jpg"]),
    ("make --set sticker.for^w^ ca^", ["make", "--set", "sticker.format=webp", "cat.jpg"]),
    ("make --set sticker.format=w^", ["make", "--set", "sticker.format=webp"]),
    ("make --set=whenPhotoRemoved=w^", ["make", "--set=whenPhotoRemoved=withdraw"]),
    ("palette --format gp^", ["palette", "--format", "gpl"]),
    ("palette --format=gp^ ca^", ["palette", "--format=gpl", "cat.jpg"]),
    ("export Holiday\\ t^ --for wh^ -o de^", ["export", "Holiday trip", "--for", "whatsapp", "-o", "deep"]),
    ("run --inbox ~/pho^", ["run", "--inbox", "~/photos"]),
    ("run --state=de^", ["run", "--state=deep"]),
    ("remake --al^", ["remake", "--all"]),
    ("restore note^", ["restore", "notes.txt"]),
    ("check-config conf^", ["check-config", "conf.json"]),
)
SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'; . /usr/share/bash-completion/bash_completion"),
    "zsh": (["-f", "-i"], "fpath=({share}/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["-i"], "true"),
}


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self, name, share, folder):
        self.folder, self.result = folder, folder / "result"
        options, setup = SHELLS[name]
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(folder / "work")
            environment = {
                "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": f"{folder}/home", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                "XDG_DATA_DIRS": f"{share}:/usr/share"}
            os.execvpe(name, [name, *options], environment)
        self.type(setup.format(share=share).encode() + b"\r")
        self.arguments("")

    def type(self, keys):
        os.write(self.terminal, keys)

    def arguments(self, typed):
        """What the command is started with, once it is typed."""
        self.result.unlink(missing_ok=True)
        self.type(b"stickerd " + typed.replace("^", "\t").encode() + b"\r")
        output, end = b"", time.monotonic() + LIMIT
        while not self.result.exists():
            if select.select([self.terminal], [], [], 0.01)[0]:
                output += os.read(self.terminal, 65536)
            if time.monotonic() > end:
                sys.exit(f"FAILED: {typed}: no command was started; on the terminal: {output[-1000:]!r}")
        return [os.fsdecode(argument) for argument in self.result.read_bytes().split(b"\0")[:-1]]


def prepare(folder):
    for name in FILES:
        file = folder / "work" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    # If it has no such folder, fish reads all manual pages in the background.
    for name in ("photos", ".local/share/fish/generated_completions", ".cache/fish/generated_completions"):
        (folder / "home" / name).mkdir(parents=True)
    (folder / "home/own.png").touch()
    program = folder / "bin/stickerd"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nfor argument; do printf '%s\\0' \"$argument\"; done > {folder}/new\nmv {folder}/new {folder}/result\n")
    program.chmod(0o755)


def main(share):
    folder = pathlib.Path(tempfile.mkdtemp())
    prepare(folder)
    before = sorted(folder.glob("work/*"))
    began, passed, failed = time.monotonic(), 0, 0
    for name in SHELLS:
        shell = Shell(name, share, folder)
        for typed, expected in CASES:
            # zsh removes the slash after a folder when the word ends.
            found = [argument.removesuffix("/").replace(f"{folder}/home", "~") for argument in shell.arguments(typed)]
            if found == expected:
                passed += 1
            else:
                failed += 1
                print(f"FAILED: {name}: {typed}: {found} instead of {expected}")
        os.close(shell.terminal)
    if sorted(folder.glob("work/*")) != before:
        failed += 1
        print("FAILED: the name of a file was run as a command")
    shutil.rmtree(folder)
    print(f"{passed} passed, {failed} failed in {time.monotonic() - began:.1f}s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1])
