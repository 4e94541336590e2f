"""The data sources by name: what each is, how often training draws it, and which of its archives' files are masks.

Their origins and terms are in MODEL-CARD.md. None of them is in this repository.
"""
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Source:
    """One set of photos. Its archives are all files in the archive folder whose names begin with `name`."""
    name: str
    share: float  # of the photos that training draws; of those present, they are scaled to sum up to one
    held_out: bool = False  # one photo in twenty validates
    has_subjects: bool = True  # without, there are no mask files and every mask is empty
    clean: bool = False  # masks exact enough to cut subjects out and paste them elsewhere


SOURCES = (
    Source("duts-tr", 0.55, held_out=True),
    Source("pascals850", 0.07),
    Source("eg1800", 0.03, clean=True),
    Source("ccp", 0.03, clean=True),
    Source("feralcats", 0.05, clean=True),
    Source("horses328", 0.02, clean=True),
    Source("human290", 0.02, clean=True),
    Source("banknotes305", 0.01),
    Source("dtd10", 0.04, has_subjects=False),
    Source("scene15", 0.03, has_subjects=False),
    Source("people5679", 0.07, clean=True),
    Source("pets128", 0.05),
    Source("picsart", 0.02, clean=True),
    Source("butterflies", 0.03, clean=True),
    Source("flowers", 0.015),
    Source("sod300", 0.01),
    Source("carparts", 0.015, clean=True),
    Source("davis", 0.01),
)


def is_mask(archive, member):
    """Whether an archive's member is a mask, by the archive's name or one of the member's folders."""
    folders = PurePosixPath(member).parts[:-1]
    return any("mask" in part.lower() for part in (archive, *folders))
