"""Chooses the photos of a batch: each source by its share, each of its photos once before any is repeated."""
import numpy as np


class Mixture:
    """Draws rows of the sources. `drawn` is its whole state: the number of rows drawn from each source."""

    def __init__(self, sources, seed):
        self.seed = seed
        self.lengths = [len(photos) for _, photos, _ in sources]
        shares = np.array([source.share for source, _, _ in sources])
        self.shares = shares / shares.sum()
        self.drawn = [0] * len(sources)
        self.orders = {}

    def order(self, source, round_number):
        """A source's rows in the order of one round through it. Only the latest round is kept."""
        number, order = self.orders.get(source, (None, None))
        if number != round_number:
            order = np.random.default_rng([self.seed, source, round_number]).permutation(self.lengths[source])
            self.orders[source] = (round_number, order)
        return order

    def draw(self, count, dice):
        """(source, row) of the next `count` photos."""
        places = []
        for source, times in enumerate(dice.multinomial(count, self.shares)):
            for _ in range(times):
                round_number, place = divmod(self.drawn[source], self.lengths[source])
                places.append((source, int(self.order(source, round_number)[place])))
                self.drawn[source] += 1
        return places
