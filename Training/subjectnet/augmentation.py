"""Other views of the same photos, in other light and quality, made on the training device.

Photos are [n, 3, h, w] and masks [n, 1, h, w] of 0...1. All random numbers come from torch's generator.
"""
import torch
import torch.nn.functional as F

SCALES = (0.55, 1.12)  # of a view, relative to the picture's side
CUT_SHARE, CUT_SCALES = 0.10, (0.35, 0.65)  # views whose border runs through the subject
GREY_SHARE = 0.12
BLUR_SHARE = 0.15
NOISE_SHARE, NOISE = 0.15, 0.05


def uniform(count, low, high, device):
    return torch.empty(count, device=device).uniform_(low, high)


def per_picture(values):
    return values[:, None, None, None]


def chosen(count, share, device):
    return torch.rand(count, device=device) < share


def centers(masks):
    """The subjects' centers, across and down, -1...1; the picture's own center without a subject."""
    total = masks.sum((1, 2, 3))
    found = []
    for axis in (2, 3):  # leaves columns, then rows
        size = masks.shape[5 - axis]
        places = (torch.arange(size, device=masks.device) * 2 + 1) / size - 1
        found.append((masks.sum((1, axis)) * places).sum(1) / total.clamp_min(1e-6))
    return found


def offsets(masks, scale, cut):
    """The centers of the views, across and down: anywhere, or beside the subject's center if the view cuts it."""
    count, device = len(masks), masks.device
    room = (1 - scale).clamp_min(0)
    places = []
    for center in centers(masks):
        anywhere = uniform(count, -1, 1, device) * room
        side = torch.where(chosen(count, 0.5, device), -1.0, 1.0)
        # The border of a view, which reaches `scale` from its center, runs near the subject's center.
        beside = center + side * scale * uniform(count, 0.6, 1.0, device)
        places.append(torch.where(cut, beside.clamp(-room, room), anywhere))
    return places


def viewed(photos, masks, side):
    """A random part of each picture, or a little more than it: cropped, stretched, mirrored and tilted.

    Photos and masks are returned as side x side; parts outside the picture are filled with its mirror image.
    """
    count, device = len(photos), photos.device
    cut = chosen(count, CUT_SHARE, device)
    scale = torch.where(cut, uniform(count, *CUT_SCALES, device), uniform(count, *SCALES, device))
    aspect = uniform(count, 0.8, 1.25, device).sqrt()
    wide, high = scale * aspect, scale / aspect
    tilt = torch.randn(count, device=device) * 0.12
    mirror = torch.where(chosen(count, 0.5, device), -1.0, 1.0)
    along, down = offsets(masks, scale, cut)
    rows = (torch.stack([mirror * wide * tilt.cos(), -high * tilt.sin(), along], 1),
            torch.stack([mirror * wide * tilt.sin(), high * tilt.cos(), down], 1))
    grid = F.affine_grid(torch.stack(rows, 1), [count, 1, side, side], align_corners=False)
    return tuple(F.grid_sample(pictures, grid, padding_mode="reflection", align_corners=False)
                 for pictures in (photos, masks))


def relit(photos):
    """Other light: brightness, contrast, saturation (some photos lose their color) and a color cast."""
    count, device = len(photos), photos.device
    photos = photos * per_picture(uniform(count, 0.55, 1.45, device))
    mean = photos.mean((1, 2, 3), keepdim=True)
    photos = mean + (photos - mean) * per_picture(uniform(count, 0.6, 1.4, device))
    saturation = uniform(count, 0.4, 1.6, device).masked_fill(chosen(count, GREY_SHARE, device), 0)
    grey = photos.mean(1, keepdim=True)
    photos = grey + (photos - grey) * per_picture(saturation)
    return (photos * (1 + torch.randn(count, 3, 1, 1, device=device) * 0.07)).clamp(0, 1)


def roughened(photos):
    """Some of the photos out of focus, some noisy."""
    count, device = len(photos), photos.device
    photos = photos.clone()
    soft = chosen(count, BLUR_SHARE, device)
    if soft.any():
        photos[soft] = F.interpolate(F.avg_pool2d(photos[soft], 3, 2, 1), photos.shape[-2:], mode="bilinear")
    noisy = chosen(count, NOISE_SHARE, device)
    if noisy.any():
        photos[noisy] = (photos[noisy] + torch.randn_like(photos[noisy]) * NOISE).clamp(0, 1)
    return photos
