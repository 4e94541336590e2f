"""Batches of photos and masks, prepared on threads; the same seed gives the same batches."""
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from . import variety
from .dataset import training_arrays
from .mixture import Mixture

AHEAD = 3  # batches in progress, for each worker


@dataclass(frozen=True)
class Chances:
    """The probabilities of the changes in `variety`."""
    pasted: float = 0.10
    compressed: float = 0.12
    dimmed: float = 0.08


@dataclass(frozen=True)
class Batch:
    """Bytes: photos [n, side, side, 3], masks [n, side, side]. `drawn` is the mixture's state after this batch."""
    photos: np.ndarray
    masks: np.ndarray
    drawn: list


class Batches:
    """An endless iterator from step `step` on, at which the mixture had drawn `drawn`."""

    def __init__(self, folder, size, seed, step=0, drawn=None, workers=1, chances=Chances()):
        self.sources, self.size, self.seed, self.step, self.chances = training_arrays(folder), size, seed, step, chances
        self.mixture = Mixture(self.sources, seed)
        if drawn is not None:
            self.mixture.drawn = list(drawn)
        self.cutouts = [n for n, (source, _, _) in enumerate(self.sources) if source.clean]
        self.grounds = [n for n, (source, _, _) in enumerate(self.sources) if not source.has_subjects]
        self.workers = workers

    def __iter__(self):
        with ThreadPoolExecutor(self.workers) as pool:
            waiting = deque()
            while True:
                while len(waiting) < AHEAD * self.workers:
                    # Each batch has its own random numbers, independent of threads and of resuming a run.
                    dice = np.random.default_rng([self.seed, self.step])
                    places = self.mixture.draw(self.size, dice)
                    waiting.append(pool.submit(self.make, places, dice, list(self.mixture.drawn)))
                    self.step += 1
                yield waiting.popleft().result()

    def make(self, places, dice, drawn):
        pairs = [self.pair(source, row, dice) for source, row in places]
        photos, masks = (np.stack(arrays) for arrays in zip(*pairs))
        return Batch(photos, masks, drawn)

    def pair(self, source, row, dice):
        _, photos, masks = self.sources[source]
        photo, mask = photos[row], masks[row]
        if self.cutouts and self.grounds and dice.random() < self.chances.pasted:
            photo, mask = variety.pasted(*self.any_of(self.cutouts, dice), self.any_of(self.grounds, dice)[0], dice)
        if dice.random() < self.chances.compressed:
            photo = variety.compressed(np.asarray(photo), dice)
        if dice.random() < self.chances.dimmed:
            photo = variety.dimmed(photo, dice)
        return photo, mask

    def any_of(self, choices, dice):
        _, photos, masks = self.sources[choices[dice.integers(len(choices))]]
        row = dice.integers(len(photos))
        return np.asarray(photos[row]), np.asarray(masks[row])
