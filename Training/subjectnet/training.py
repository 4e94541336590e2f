"""The training loop: AdamW, one cosine, bf16, and an average of the weights, which is shipped."""
import copy
import math
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from .augmentation import relit, roughened, viewed
from .batches import Batches
from .dataset import validation_pairs
from .encoder import DEFAULT_KIND
from .loss import subject_loss
from .network import INPUT_SIDE, normalized, pretrained_network

WARM_UP = 200  # steps
WEIGHT_DECAY = 0.02
ENCODER_RATE = 0.3  # of the learning rate, to preserve ImageNet's weights
AVERAGE = 0.999  # the share of the averaged weights that a step keeps
LAST_STRETCH = 0.2  # of a run, trained at its last side
GRADIENT_LIMIT = 5.0
VALIDATION_BATCH = 20


@dataclass(frozen=True)
class Plan:
    """The settings of a run. The learning rate follows a cosine over all photos, so a resumed run has the same plan.

    `save_every` and `validate_every` count steps.
    """
    kind: str
    photos: int
    batch: int
    side: int
    last_side: int
    peak: float
    seed: int = 0
    workers: int = 1
    save_every: int = 250
    validate_every: int = 1000

    @staticmethod
    def default(device):
        if device.type == "cuda":
            return Plan(DEFAULT_KIND, photos=3_000_000, batch=64, side=320, last_side=384, peak=2e-3, workers=12)
        return Plan(DEFAULT_KIND, photos=150_000, batch=16, side=288, last_side=352, peak=1e-3)

    def __str__(self):
        """The settings that must not change when a run is resumed."""
        return repr(replace(self, workers=0, save_every=0, validate_every=0))

    @property
    def steps(self):
        return self.photos // self.batch

    def rate(self, step):
        warmth = min(1, (step + 1) / WARM_UP)
        return self.peak * warmth * (0.5 + 0.5 * math.cos(math.pi * step / self.steps)) + 1e-6

    def side_at(self, step):
        return self.side if step < (1 - LAST_STRETCH) * self.steps else self.last_side


def as_photos(rows, device):
    return torch.as_tensor(rows).to(device).permute(0, 3, 1, 2).float() / 255


def as_masks(rows, device):
    return torch.as_tensor(rows).to(device)[:, None].float() / 255


def parameter_groups(network):
    """The encoder learns slowly, and only weights of convolutions decay."""
    groups = []
    for in_encoder in (True, False):
        for decays in (True, False):
            chosen = [parameter for name, parameter in network.named_parameters()
                      if name.startswith("encoder.") == in_encoder and (parameter.ndim > 1) == decays]
            groups.append({"params": chosen, "weight_decay": WEIGHT_DECAY if decays else 0,
                           "scale": ENCODER_RATE if in_encoder else 1})
    return groups


class Trainer:
    """Owns the network, its averaged twin and the optimizer of one run, and the run's folder.

    The folder gets `state.pt`, everything needed to resume, `weights.pt`, the averaged weights, and `best.pt`, those with
    the lowest error on the validation photos.
    """

    def __init__(self, data, folder, plan, device, start=None):
        self.data, self.folder, self.plan, self.device = data, Path(folder), plan, device
        self.folder.mkdir(parents=True, exist_ok=True)
        self.held = validation_pairs(data, INPUT_SIDE)
        network = pretrained_network(plan.kind)
        if start:
            network.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
        self.network = network.to(device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.network).eval()
        self.optimizer = torch.optim.AdamW(parameter_groups(self.network), lr=plan.peak)
        self.step, self.drawn, self.least_error = 0, None, math.inf

    def resume(self):
        """Resumes an earlier run in the same folder, if there is one."""
        path = self.folder / "state.pt"
        if not path.exists():
            return
        state = torch.load(path, map_location=self.device, weights_only=True)
        if state["plan"] != str(self.plan):
            raise ValueError(f"{path} belongs to another plan, {state['plan']}; choose another folder")
        for name in ("network", "average", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.step, self.drawn, self.least_error = state["step"], state["drawn"], state["least_error"]

    def run(self, minutes=math.inf, say=print):
        """Trains until the plan's last step, or for about that many minutes; returns True if the plan is done."""
        end, begin, first, losses = time.monotonic() + 60 * minutes, time.monotonic(), self.step, []
        batches = iter(Batches(
            self.data, self.plan.batch, self.plan.seed, self.step, self.drawn, self.plan.workers))
        while self.step < self.plan.steps:
            if time.monotonic() >= end:
                self.save_state()
                return False
            batch = next(batches)
            losses.append(self.learn(batch))
            self.step, self.drawn = self.step + 1, batch.drawn
            done = self.step == self.plan.steps
            if done or self.step % self.plan.save_every == 0:
                speed = (self.step - first) * self.plan.batch / (time.monotonic() - begin)
                note = f"step {self.step}/{self.plan.steps}  loss {torch.stack(losses).mean():.4f}  {speed:.1f} photos/s"
                losses.clear()
                if done or self.step % self.plan.validate_every == 0:
                    note += self.keep_best()
                self.save(self.average.state_dict(), "weights.pt")
                self.save_state()
                say(note)
        return True

    def learn(self, batch):
        """One step. Its random numbers depend only on the plan's seed and the step, so a resumed run is the same."""
        torch.manual_seed(self.plan.seed * 1_000_003 + self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = group["scale"] * self.plan.rate(self.step)
        photos, truth = viewed(
            as_photos(batch.photos, self.device), as_masks(batch.masks, self.device), self.plan.side_at(self.step))
        photos = normalized(roughened(relit(photos))).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16):
            levels = self.network(photos)
        loss = subject_loss(levels, truth)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT_LIMIT)
        self.optimizer.step()
        self.follow()
        return loss.detach()

    @torch.no_grad()
    def follow(self):
        """Moves the average a little towards the network; quickly at first, because the initial weights are useless."""
        keep = min(AVERAGE, (1 + self.step) / (10 + self.step))
        for average, current in zip(self.average.state_dict().values(), self.network.state_dict().values()):
            if average.is_floating_point():
                average.lerp_(current, 1 - keep)
            else:
                average.copy_(current)

    def keep_best(self):
        """Validates the average, keeps it if it is the best yet, and returns a note of its scores."""
        if not len(self.held[0]):
            return "  no validation photos"
        error, overlap = self.validate()
        if error < self.least_error:
            self.least_error = error
            self.save(self.average.state_dict(), "best.pt")
        return f"  validation MAE {error:.4f} IoU {overlap:.4f}"

    @torch.no_grad()
    def validate(self):
        """Mean absolute error and mean intersection over union of the averaged network on the held-out photos."""
        error, overlap = [], []
        for photos, masks in zip(*(rows.split(VALIDATION_BATCH) for rows in self.held)):
            photos, truth = as_photos(photos, self.device), as_masks(masks, self.device)
            predicted = self.average.probability(normalized(photos).contiguous(memory_format=torch.channels_last))
            error.append((predicted - truth).abs().mean((1, 2, 3)))
            ours, theirs = predicted > 0.5, truth > 0.5
            either = (ours | theirs).sum((1, 2, 3)).clamp_min(1)
            overlap.append((ours & theirs).sum((1, 2, 3)) / either)
        return torch.cat(error).mean().item(), torch.cat(overlap).mean().item()

    def save_state(self):
        self.save({
            "network": self.network.state_dict(), "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(), "step": self.step, "drawn": self.drawn,
            "least_error": self.least_error, "plan": str(self.plan)}, "state.pt")

    def save(self, content, name):
        """Writes a temporary file and renames it, so that an interrupted run leaves the old file."""
        beside = self.folder / f"{name}.tmp"
        torch.save(content, beside)
        os.replace(beside, self.folder / name)
