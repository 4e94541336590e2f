"""Turns a checkpoint into the file that stickerd embeds: fp16, batch norms folded in, the graph in the header."""
import argparse

import torch

from subjectnet.encoder import DEFAULT_KIND, KINDS
from subjectnet.graph import exported
from subjectnet.interpreter import SubjectFile
from subjectnet.network import INPUT_SIDE, load_network

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("checkpoint", nargs="?", default="subject.pt", help="default: %(default)s")
parser.add_argument("output", nargs="?", default="subject.safetensors", help="default: %(default)s")
parser.add_argument("--kind", default=DEFAULT_KIND, choices=KINDS, help="of the encoder (default: %(default)s)")
arguments = parser.parse_args()

network = load_network(arguments.checkpoint, arguments.kind)
graph, output = exported(network)
graph.write(arguments.output, output)
noise = torch.rand(1, 3, INPUT_SIDE, INPUT_SIDE, generator=torch.Generator().manual_seed(1)) * 4 - 2
with torch.no_grad():
    difference = (SubjectFile(arguments.output).probability(noise) - network.probability(noise)).abs().max().item()
weights = sum(tensor.size for tensor in graph.tensors.values())
print(f"{len(graph.operations)} operations, {weights} weights; at most {difference:.1e} from the checkpoint")
