"""Opens pictures of other people's repositories and archives."""
from contextlib import contextmanager

from PIL import Image

LARGEST_PICTURE = 30_000_000  # pixels: the largest of the sources have 24 million


@contextmanager
def opened(file):
    """A picture that is not too large to decode. Pillow raises errors of many kinds for damaged files."""
    with Image.open(file) as picture:
        if picture.width * picture.height > LARGEST_PICTURE:
            raise ValueError(f"{picture.width}x{picture.height} is over the limit of {LARGEST_PICTURE:,} pixels")
        yield picture
