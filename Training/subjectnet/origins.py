"""The GitHub repositories that some sources are from: where their photos and masks are, and how masks are read.

Their terms are in MODEL-CARD.md.
"""
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .masks import decided, marked, unframed, whole_flower

CLASSES_IN_PIECES = range(81, 321)  # of Flowers 17: snowdrops, lilies of the valley, bluebells
FRAME_STEP = 8  # of a video: a third of a second


@dataclass(frozen=True)
class Origin:
    """Where a source's photos and masks are in its repositories."""
    name: str  # of the source
    repositories: tuple[str, ...]  # that of the photos, and that of the masks if they have one of their own
    photos: str  # a regular expression for their paths; its groups, joined by "-", are the photo's name in the archive
    mask: str  # the path of a photo's mask, with those groups
    subject: Callable = marked  # one of masks.py
    takes: Callable[[str], bool] = lambda group: True  # by the last group

    def pairs(self, clones):
        """(name, photo, mask) of every photo that is taken and has a mask, in the order of the photos' paths.

        There is a clone, as a folder, for each of the repositories.
        """
        photos, masks, found = Path(clones[0]), Path(clones[-1]), []
        for path in sorted(file.relative_to(photos).as_posix() for file in photos.rglob("*")):
            groups = (match := re.fullmatch(self.photos, path)) and match.groups()
            if groups and self.takes(groups[-1]) and (mask := masks / self.mask.format(*groups)).exists():
                found.append(("-".join(groups), photos / path, mask))
        if not found:
            urls = " ".join(f"https://github.com/{repository}" for repository in self.repositories)
            raise ValueError(f"{self.name}: no photos with masks in {' '.join(map(str, clones))}; "
                             f"name the folders of clones of {urls}, in this order")
        return found


ORIGINS = {origin.name: origin for origin in (
    Origin("people5679", ("aalavandhaann/HumanSegmentation",),
           r"people_segmentation/images/([^/]+)\.jpg", "people_segmentation/masks/{0}.png"),
    Origin("pets128", ("Mohammed14324/Pet-image-segmentation",),
           r"data/(test|train)/images/([^/]+)\.png", "data/{0}/masks/{1}.png", decided),
    Origin("picsart", ("dmitrybeloborodov/HumanSegmentation",),
           r"data/(train|valid)/([^/]+)\.jpg", "data/{0}_mask/{1}.png"),
    Origin("butterflies", ("dsw88/cs601r-project1-dataset",),
           r"dataset/butterflies/images/([^/]+)\.png", "dataset/butterflies/segmentations/{0}_seg0.png", unframed),
    Origin("flowers", ("jxng1/flower-segmentation",),
           r"source/data/images_256/image_(\d+)\.jpg", "source/data/labels_256/image_{0}.png", whole_flower,
           takes=lambda number: int(number) not in CLASSES_IN_PIECES),
    Origin("sod300", ("BIDS/BSDS500", "ArcherFMY/sal_eval_toolbox"),
           r"BSDS500/data/images/(?:test|train|val)/(\d+)\.jpg", "tools/GroundTruth/SOD/{0}.png"),
    Origin("carparts", ("jvyou/Car-segmentation",),
           r"dataset/(test|train)/images/([^/]+)\.png", "dataset/{0}/labels/{1}.png"),
    Origin("davis", ("MathLee/EOR-VOS",),
           r"DAVIS/JPEGImages/480p/([^/]+)/(\d+)\.jpg", "DAVIS/Annotations/480p/{0}/{1}.png",
           takes=lambda frame: int(frame) % FRAME_STEP == 0),
)}
