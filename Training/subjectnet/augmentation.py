"""Other views of the same photos, made on the device that trains."""
import torch
import torch.nn.functional as F


def uniform(count, low, high, device):
    return torch.empty(count, device=device).uniform_(low, high)


def per_picture(values):
    return values[:, None, None, None]


def viewed(photos, masks, side):
    """A random part of each picture, at most slightly larger than it: cropped, stretched, mirrored and tilted.

    Photos [n, 3, h, w] and masks [n, 1, h, w] of 0...1 come back side x side; what lies outside is mirrored in.
    """
    count, device = len(photos), photos.device
    scale, aspect = uniform(count, 0.65, 1.05, device), uniform(count, 0.85, 1.18, device).sqrt()
    wide, high = scale * aspect, scale / aspect
    tilt = torch.randn(count, device=device) * 0.1
    mirror = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    room = (1 - scale).clamp_min(0)
    along, down = (uniform(count, -1, 1, device) * room for _ in range(2))
    rows = (torch.stack([mirror * wide * tilt.cos(), -high * tilt.sin(), along], 1),
            torch.stack([mirror * wide * tilt.sin(), high * tilt.cos(), down], 1))
    grid = F.affine_grid(torch.stack(rows, 1), [count, 1, side, side], align_corners=False)
    return (F.grid_sample(photos, grid, padding_mode="reflection", align_corners=False),
            F.grid_sample(masks, grid, padding_mode="reflection", align_corners=False))


def relit(photos):
    """Other light: brightness, contrast, saturation (one photo in twenty loses its color) and a color cast."""
    count, device = len(photos), photos.device
    photos = photos * per_picture(uniform(count, 0.7, 1.3, device))
    mean = photos.mean((1, 2, 3), keepdim=True)
    photos = mean + (photos - mean) * per_picture(uniform(count, 0.7, 1.3, device))
    saturation = uniform(count, 0.5, 1.4, device)
    saturation[torch.rand(count, device=device) < 0.05] = 0
    grey = photos.mean(1, keepdim=True)
    photos = grey + (photos - grey) * per_picture(saturation)
    return (photos * (1 + torch.randn(count, 3, 1, 1, device=device) * 0.06)).clamp(0, 1)
