"""Which files of a clone are an origin's photos and masks, on empty files."""
import re
import tempfile
import unittest
from pathlib import Path

from subjectnet.origins import ORIGINS, Origin

README = Path(__file__).parents[1] / "README.md"


class OriginsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.clone = self.folder / "clone"
        self.origin = Origin("any", ("owner/any@0",), r"(?:.*/)?images/([^/]+)\.jpg", "masks/{0}.png")

    def add(self, *stems):
        for path in [path for stem in stems for path in (f"images/{stem}.jpg", f"masks/{stem}.png")]:
            (self.clone / path).parent.mkdir(parents=True, exist_ok=True)
            (self.clone / path).touch()

    def names(self, clone=None):
        return [name for name, _, _ in self.origin.pairs([clone or self.clone])]

    def test_only_files_of_the_clone_are_taken(self):
        self.add("good", "inside", "linked", "outside", "folder", "unmasked")
        for number, path in enumerate(("images/linked.jpg", "masks/outside.png")):
            (self.clone / path).rename(self.folder / str(number))
            (self.clone / path).symlink_to(self.folder / str(number))
        (self.clone / "images/inside.jpg").unlink()
        (self.clone / "images/inside.jpg").symlink_to("good.jpg")
        for path in ("images/folder.jpg", "masks/unmasked.png"):
            (self.clone / path).unlink()
            (self.clone / path).mkdir()
        self.assertEqual(self.names(), ["good"])

    def test_a_clone_may_be_reached_by_a_link_but_not_its_masks(self):
        self.add("good")
        link = self.folder / "link"
        link.symlink_to(self.clone)
        self.assertEqual(self.names(link), ["good"])
        (self.clone / "masks").rename(self.folder / "masks")
        (self.clone / "masks").symlink_to(self.folder / "masks")
        with self.assertRaises(ValueError):
            self.names()

    def test_git_folder_is_not_searched(self):
        self.add("good", "other")
        for folder in ("in", ".git"):
            (self.clone / folder / "images").mkdir(parents=True)
        (self.clone / "images/good.jpg").rename(self.clone / "in/images/good.jpg")
        (self.clone / "images/other.jpg").rename(self.clone / ".git/images/other.jpg")
        self.assertEqual(self.names(), ["good"])

    def test_error_names_the_commits(self):
        with self.assertRaisesRegex(ValueError, "https://github.com/BIDS/BSDS500 at a04b7c6.* and "
                                    "https://github.com/ArcherFMY/sal_eval_toolbox at b4696d6"):
            ORIGINS["sod300"].pairs([self.folder, self.folder])

    def test_readme_packs_every_origin_in_order(self):
        readme = README.read_text()
        for repository in [name for origin in ORIGINS.values() for name in origin.repositories]:
            self.assertRegex(repository, r"^[\w-]+/[\w-]+@[0-9a-f]{40}$")
            self.assertIn(repository.replace("@", " "), readme)
        first, *others = ORIGINS
        self.assertIn(f"archive.py {first} ", readme)
        self.assertEqual(re.search("for name in (.*); do", readme)[1].split(), others)


if __name__ == "__main__":
    unittest.main()
