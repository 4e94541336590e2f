"""The results and gradients of depthwise.c are those of torch, up to the digits that bf16 has."""
import functools
import itertools
import unittest

import torch
import torch.nn.functional as F

from subjectnet.depthwise import FastDepthwise, clipped_depthwise, depthwise, library


SHAPES = (  # kernel, stride, rows, columns, channels
    (3, 1, 7, 9, 16), (3, 2, 8, 10, 32), (3, 2, 7, 5, 16), (3, 1, 2, 1, 16),
    (5, 1, 6, 4, 48), (5, 1, 12, 13, 48), (5, 2, 9, 8, 16), (5, 2, 2, 3, 16), (5, 2, 11, 16, 16))
ROUNDING = 0.02  # of bf16 at 6: a result that is nearer to a bound may be clipped in one of two computations


def in_torch(pictures, weight, bias, stride):
    convolve = functools.partial(F.conv2d, stride=stride, padding=weight.shape[-1] // 2, groups=len(weight))
    if bias is None:
        return convolve(pictures, weight)
    return F.hardtanh(convolve(F.hardtanh(pictures, 0, 6), weight, bias), 0, 6)


def outcome(convolve, pictures, weight, bias, stride, toward):
    """The result, and the gradients of pictures, weight and bias toward where `toward` of the result points."""
    leaves = [x.clone().requires_grad_() for x in (pictures, weight, bias) if x is not None]
    # A copy, because a clipped layer changes its input.
    result = convolve(leaves[0] * 1, leaves[1], leaves[2] if bias is not None else None, stride)
    (result.float() * toward(result)).sum().backward()
    return [result.detach().float(), *(leaf.grad.float() for leaf in leaves)]


class DepthwiseTest(unittest.TestCase):
    @unittest.skipUnless(library(), "no C compiler")
    def test_results_and_gradients_match_those_of_torch_for_every_kernel_stride_and_odd_size(self):
        torch.manual_seed(1)
        for (kernel, stride, rows, columns, channels), clipped in itertools.product(SHAPES, (False, True)):
            with self.subTest(kernel=kernel, stride=stride, rows=rows, columns=columns, clipped=clipped):
                pictures = (torch.randn(3, channels, rows, columns) * 4).bfloat16()
                weight = torch.randn(channels, 1, kernel, kernel)
                bias = torch.randn(channels) if clipped else None
                expected = in_torch(pictures.float(), weight, bias, stride)
                direction = torch.randn(expected.shape).bfloat16().float()
                if clipped:
                    near = torch.minimum(expected.abs(), (expected - 6).abs()) < ROUNDING
                    direction[near & (expected > 0) & (expected < 6)] = 0
                ours = outcome(FastDepthwise.apply, pictures, weight, bias, stride, lambda result: direction)
                theirs = outcome(in_torch, pictures.float(), weight, bias, stride, lambda result: direction)
                for one, other in zip(ours, theirs, strict=True):
                    self.assertLess((one - other).abs().max(), 0.01 * other.abs().max() + 1e-6)

    @unittest.skipUnless(library(), "no C compiler")
    def test_the_number_of_threads_changes_no_bit(self):
        torch.manual_seed(2)
        pictures, weight, bias = torch.randn(5, 32, 20, 20).bfloat16(), torch.randn(32, 1, 5, 5), torch.randn(32)
        threads = torch.get_num_threads()
        self.addCleanup(torch.set_num_threads, threads)
        outcomes = []
        for count in (1, 3):
            torch.set_num_threads(count)
            outcomes.append(outcome(FastDepthwise.apply, pictures, weight, bias, 1, torch.ones_like))
        for one, other in zip(*outcomes, strict=True):
            self.assertTrue(torch.equal(one, other))

    def test_clipping_is_the_same_with_and_without_the_compiled_code(self):
        torch.manual_seed(3)
        pictures, weight, bias = torch.randn(1, 16, 6, 6) * 4, torch.randn(16, 1, 3, 3), torch.randn(16)
        expected = in_torch(pictures, weight, bias, 2)
        self.assertTrue(torch.allclose(clipped_depthwise(pictures.clone(), weight, bias, 2), expected, atol=1e-5))
        with torch.autocast("cpu", torch.bfloat16):
            self.assertLess((clipped_depthwise(pictures.clone(), weight, bias, 2) - expected).abs().max(), 0.2)

    def test_other_shapes_and_plain_fp32_are_left_to_torch(self):
        pictures, weight = torch.randn(1, 24, 6, 6), torch.randn(24, 1, 3, 3)
        expected = F.conv2d(pictures, weight, None, 1, 1, 1, 24)
        self.assertTrue(torch.equal(depthwise(pictures, weight, 1), expected))
        with torch.autocast("cpu", torch.bfloat16):
            self.assertLess((depthwise(pictures, weight, 1) - expected).abs().max(), 0.2)


if __name__ == "__main__":
    unittest.main()
