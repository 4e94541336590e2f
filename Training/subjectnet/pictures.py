"""From a photo's file to the network's input and back to a mask of the photo's size."""
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps

ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".bmp"}


def pictures_by_stem(folder):
    """The picture files of a folder by their names without extension, in order."""
    return {file.stem: file for file in sorted(Path(folder).iterdir()) if file.suffix.lower() in ENDINGS}


def load_photo(path):
    with Image.open(path) as picture:
        return ImageOps.exif_transpose(picture).convert("RGB")


def network_bytes(photo, side):
    """The photo filling a square; its aspect ratio is not kept. Each axis is averaged down or enlarged bilinearly."""
    def kernel(length):
        return Image.Resampling.BOX if length > side else Image.Resampling.BILINEAR
    wide = photo.resize((side, photo.height), kernel(photo.width))
    small = wide.resize((side, side), kernel(photo.height))
    return torch.from_numpy(np.array(small)).permute(2, 0, 1)[None]


def as_mask(probability, size):
    """The probability [1, 1, side, side] as an 8-bit gray picture of `size`, enlarged before it is rounded."""
    plane = Image.fromarray(probability[0, 0].numpy()).resize(size, Image.Resampling.BILINEAR)
    return Image.fromarray((np.asarray(plane) * 255).round().clip(0, 255).astype(np.uint8))
