"""What a photo's sticker must be: its bytes depend on the photo and the recipe alone."""

import hashlib
import subprocess

#: The recipes that a scenario may use: the values of a setting.
OUTLINES = [4, 7]


class Oracle:
    """What `stickerd make` makes of photos: by recipe, the digest of the sticker, or None."""

    def __init__(self, place, settings):
        self.place, self.settings, self.made = place, settings, {}
        self.folder = place.root / "oracle"

    def learn(self, contents):
        new = {sha256: data for sha256, data in contents.items() if sha256 not in self.made}
        if not new:
            return
        self.folder.mkdir(exist_ok=True)
        files = []
        for sha256, data in new.items():
            self.made[sha256] = {}
            files.append(self.folder / f"x{sha256}.png")
            files[-1].write_bytes(data)
        for outline in OUTLINES:
            target = self.folder / str(outline)
            command = [self.place.stickerd, "make", *files, "-o", target, "--set", f"sticker.outline.width={outline}",
                       "--set", f"sticker.size={self.settings['sticker.size']}"]
            subprocess.run(command, env=self.place.environment, capture_output=True, timeout=120, check=False)
            for sha256 in new:
                sticker = next(target.glob(f"x{sha256[:8]}*-{sha256[:8]}.png"), None)
                self.made[sha256][outline] = sticker and hashlib.sha256(sticker.read_bytes()).hexdigest()

    def has_sticker(self, sha256):
        return self.made[sha256][OUTLINES[0]] is not None

    def outline(self, sha256, sticker):
        """The recipe of a sticker, or None if no recipe makes it."""
        return next((outline for outline, made in self.made.get(sha256, {}).items() if made == sticker), None)
