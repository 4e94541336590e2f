#!/usr/bin/env python3
"""arrival.py STICKERD PHOTO STICKER: drops a photo into the inbox of a daemon, and compares its sticker with that file."""

import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Harness"))
import daemon  # noqa: E402


def main(stickerd, photo, sticker):
    photo, sticker = pathlib.Path(photo), pathlib.Path(sticker)
    with tempfile.TemporaryDirectory() as folder:
        service = daemon.Daemon(stickerd, folder).start()
        try:
            service.drop(photo.name, photo.read_bytes())
            service.wait(lambda: (service.outbox / sticker.name).exists())
            made = (service.outbox / sticker.name).read_bytes()
            if made != sticker.read_bytes():
                raise daemon.Broken(f"The daemon's {sticker.name} differs from that of `stickerd make`.")
            if status := service.stop():
                raise daemon.Broken(f"The daemon ends with {status}.\n{service.last_words()}")
        finally:
            service.kill()
    print(f"from {photo.name} to {sticker.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
