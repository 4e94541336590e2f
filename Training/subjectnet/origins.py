"""The GitHub repositories that some sources are from: where their photos and masks are, and how masks are read.

Their terms are in MODEL-CARD.md.
"""
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .masks import decided, marked, unframed, whole_flower

CLASSES_IN_PIECES = range(81, 321)  # of Flowers 17: snowdrops, lilies of the valley, bluebells
FRAME_STEP = 8  # of a video: a third of a second


def paths_in(clone):
    """The paths of a clone's files, without git's own."""
    for folder, folders, files in os.walk(clone):
        if ".git" in folders:
            folders.remove(".git")
        yield from ((Path(folder) / file).relative_to(clone).as_posix() for file in files)


def is_own_file(clone, path):
    """Whether a clone has a file at a path, with no symbolic link on the way: those may lead out of the clone."""
    file = Path(clone).resolve() / path
    return file.is_file() and file.resolve() == file


@dataclass(frozen=True)
class Origin:
    """Where a source's photos and masks are in its repositories."""
    name: str  # of the source
    repositories: tuple[str, ...]  # OWNER/NAME@COMMIT: that of the photos, and of the masks if they have their own
    photos: str  # a regular expression for their paths; its groups, joined by "-", are the photo's name in the archive
    mask: str  # the path of a photo's mask, with those groups
    subject: Callable = marked  # one of masks.py
    takes: Callable[[str], bool] = lambda group: True  # by the last group

    def pairs(self, clones):
        """(name, photo, mask) of every photo that is taken and has a mask, in the order of the photos' paths.

        There is a clone, as a folder, for each of the repositories.
        """
        photos, masks, found = Path(clones[0]), Path(clones[-1]), []
        for path in sorted(paths_in(photos)):
            groups = (match := re.fullmatch(self.photos, path)) and match.groups()
            if groups and self.takes(groups[-1]) and is_own_file(photos, path):
                if is_own_file(masks, mask := self.mask.format(*groups)):
                    found.append(("-".join(groups), photos / path, masks / mask))
        if not found:
            raise ValueError(f"{self.name}: no photos with masks in {' '.join(map(str, clones))}; name the folders of "
                             f"clones of {self.places}, in this order")
        return found

    @property
    def places(self):
        """Where to clone from, and the commits to check out."""
        return " and ".join(f"https://github.com/{repository.replace('@', ' at ')}" for repository in self.repositories)


# In the order in which they are packed: of photos that two sources have, the first source keeps them.
ORIGINS = {origin.name: origin for origin in (
    Origin("sod300", ("BIDS/BSDS500@a04b7c6c3a9f0ace74bf205c72a43d32e1c72722",
                      "ArcherFMY/sal_eval_toolbox@b4696d6846611529ff5a246ff892a4fd548a70c2"),
           r"BSDS500/data/images/(?:test|train|val)/(\d+)\.jpg", "tools/GroundTruth/SOD/{0}.png"),
    Origin("davis", ("MathLee/EOR-VOS@1bde4d5f936304c5ad69e301956e9d65082dfbc8",),
           r"DAVIS/JPEGImages/480p/([^/]+)/(\d+)\.jpg", "DAVIS/Annotations/480p/{0}/{1}.png",
           takes=lambda frame: int(frame) % FRAME_STEP == 0),
    Origin("butterflies", ("dsw88/cs601r-project1-dataset@b01a8ebbd54c247e99699d3ff2576a63ff414549",),
           r"dataset/butterflies/images/([^/]+)\.png", "dataset/butterflies/segmentations/{0}_seg0.png", unframed),
    Origin("flowers", ("jxng1/flower-segmentation@77346eca507654746854a11c85cf9c82acc671ea",),
           r"source/data/images_256/image_(\d+)\.jpg", "source/data/labels_256/image_{0}.png", whole_flower,
           takes=lambda number: int(number) not in CLASSES_IN_PIECES),
    Origin("pets128", ("Mohammed14324/Pet-image-segmentation@01d6a22ac3534479a8d319a6d0c2060c37440d03",),
           r"data/(test|train)/images/([^/]+)\.png", "data/{0}/masks/{1}.png", decided),
    Origin("carparts", ("jvyou/Car-segmentation@2d9820b9f413abe5f2c5a9baaedec1a2287ede76",),
           r"dataset/(test|train)/images/([^/]+)\.png", "dataset/{0}/labels/{1}.png"),
    Origin("picsart", ("dmitrybeloborodov/HumanSegmentation@fc0f90307ce26bad44ebc9e4a0f58efdf45a70ee",),
           r"data/(train|valid)/([^/]+)\.jpg", "data/{0}_mask/{1}.png"),
    Origin("people5679", ("aalavandhaann/HumanSegmentation@cfc7cb0724ccb0f66b963f00373c6a9ff29c33ca",),
           r"people_segmentation/images/([^/]+)\.jpg", "people_segmentation/masks/{0}.png"),
)}
