#!/usr/bin/env python3
"""times.py FOLDER...: gives each file a modification time that follows from its contents.

Swift's compiler writes hashes of C modules into the program, and these hashes contain the times of the headers.
"""

import hashlib
import os
import sys

for folder in sys.argv[1:]:
    for parent, folders, names in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        for path in (os.path.join(parent, name) for name in names):
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    # Within the first eight years of Unix time; a changed file has another one, so that it is compiled again.
                    time = int.from_bytes(hashlib.sha256(file.read()).digest()[:4], "big") >> 4
                os.utime(path, (time, time))
