"""The training loop: AdamW, one cosine, bf16 where the machine has it, and an average of the weights that ships."""
import copy
import math
import os
import time
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

from .augmentation import relit, viewed
from .dataset import training_pairs, validation_pairs
from .loss import subject_loss
from .network import SubjectNet, normalized

WARM_UP = 300  # steps
WEIGHT_DECAY = 0.02
AVERAGE = 0.999  # how much of the averaged weights a step keeps
VALIDATION_BATCH = 20


@dataclass(frozen=True)
class Plan:
    """How a run goes. The learning rate follows a cosine over all epochs, so `epochs` is not to change on resuming."""
    side: int
    batch: int
    epochs: int
    peak: float
    minutes: float = math.inf

    @staticmethod
    def default(device):
        if device.type == "cuda":
            return Plan(side=320, batch=128, epochs=300, peak=3e-3)
        return Plan(side=192, batch=16, epochs=25, peak=3e-3)


def as_photos(rows, device):
    return rows.to(device).permute(0, 3, 1, 2).float() / 255


def as_masks(rows, device):
    return rows.to(device)[:, None].float() / 255


def save(content, path):
    """Writes beside and renames, so that a run ended in the middle of it leaves the old file."""
    beside = f"{path}.tmp"
    torch.save(content, beside)
    os.replace(beside, path)


class Trainer:
    """Owns the network, its averaged twin and the optimizer of one run."""

    def __init__(self, data, output, plan, device, start=None):
        self.plan, self.device, self.output = plan, device, Path(output)
        self.photos, self.masks = training_pairs(data, device)
        self.held_photos, self.held_masks = validation_pairs(data)
        self.batch = min(plan.batch, len(self.photos))
        self.steps_per_epoch = len(self.photos) // self.batch
        network = SubjectNet()
        if start:
            network.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
        self.network = network.to(device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        weights = [p for p in self.network.parameters() if p.ndim > 1]
        biases = [p for p in self.network.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": weights, "weight_decay": WEIGHT_DECAY}, {"params": biases, "weight_decay": 0}], lr=plan.peak)
        self.step = self.epoch = 0
        self.half = device.type == "cpu" or torch.cuda.is_bf16_supported()

    @property
    def resume_path(self):
        return Path(f"{self.output}.resume")

    def resume(self):
        """Goes on where an earlier run with the same output stopped, if there is one."""
        if not self.resume_path.exists():
            return
        state = torch.load(self.resume_path, map_location=self.device, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.epoch = state["step"], state["epoch"]

    def run(self):
        """Trains until the plan's last epoch, or until the next epoch would end after its minutes; True when done."""
        begin = time.monotonic()
        longest = 0.0
        while self.epoch < self.plan.epochs:
            started = time.monotonic()
            if self.epoch and started + longest - begin > self.plan.minutes * 60:
                return False
            loss = self.train_epoch()
            trained = time.monotonic() - started
            self.epoch += 1
            error, overlap = self.validate()
            longest = max(longest, time.monotonic() - started)
            print(f"epoch {self.epoch}/{self.plan.epochs}, {self.steps_per_epoch * self.batch / trained:.0f} photos/s, "
                  f"loss {loss:.3f}, validation MAE {error:.4f} IoU {overlap:.4f}", flush=True)
            save(self.average.state_dict(), self.output)
            save({"network": self.network.state_dict(), "average": self.average.state_dict(),
                  "optimizer": self.optimizer.state_dict(), "step": self.step, "epoch": self.epoch}, self.resume_path)
        self.resume_path.unlink(missing_ok=True)
        return True

    def train_epoch(self):
        """Shows every photo once, less what does not fill a batch; returns the mean loss."""
        torch.manual_seed(self.epoch)
        self.network.train()
        total = torch.zeros((), device=self.device)
        order = torch.randperm(len(self.photos))
        for rows in order[:self.steps_per_epoch * self.batch].split(self.batch):
            total += self.train_step(rows.sort().values.to(self.photos.device))
        return total.item() / self.steps_per_epoch

    def train_step(self, rows):
        progress = self.step / (self.plan.epochs * self.steps_per_epoch)
        rate = self.plan.peak * min(1, self.step / WARM_UP) * (0.5 + 0.5 * math.cos(math.pi * progress)) + 1e-6
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        photos, truth = viewed(
            as_photos(self.photos[rows], self.device), as_masks(self.masks[rows], self.device), self.plan.side)
        photos = normalized(relit(photos)).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            levels = self.network(photos)
        loss = subject_loss(levels, truth)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.follow()
        self.step += 1
        return loss.detach()

    @torch.no_grad()
    def follow(self):
        """Moves the average a little towards the network; quickly at first, when the old weights say nothing."""
        keep = min(AVERAGE, (1 + self.step) / (10 + self.step))
        for average, current in zip(self.average.state_dict().values(), self.network.state_dict().values()):
            if average.is_floating_point():
                average.lerp_(current, 1 - keep)
            else:
                average.copy_(current)

    @torch.no_grad()
    def validate(self):
        """Mean absolute error and mean intersection over union of the averaged network on the held-out photos."""
        error, overlap = [], []
        for photos, masks in zip(self.held_photos.split(VALIDATION_BATCH), self.held_masks.split(VALIDATION_BATCH)):
            side = self.plan.side
            photos, truth = as_photos(photos, self.device), as_masks(masks, self.device)
            enlarging = side > photos.shape[-1]
            photos = F.interpolate(photos, (side, side), mode="bilinear" if enlarging else "area")
            predicted = F.interpolate(self.average.probability(normalized(photos)), truth.shape[-2:], mode="bilinear")
            error.append((predicted - truth).abs().mean((1, 2, 3)))
            ours, theirs = predicted > 0.5, truth > 0.5
            either = (ours | theirs).sum((1, 2, 3)).clamp_min(1)
            overlap.append((ours & theirs).sum((1, 2, 3)) / either)
        if not error:
            return math.nan, math.nan
        return torch.cat(error).mean().item(), torch.cat(overlap).mean().item()
