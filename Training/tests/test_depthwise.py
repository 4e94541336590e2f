"""The gradients of depthwise.c are those of torch, up to the digits that bf16 has."""
import unittest

import torch
import torch.nn.functional as F

from subjectnet.depthwise import FastDepthwise, depthwise, library


def gradients(convolve, pictures, weight, direction):
    pictures, weight = pictures.clone().requires_grad_(), weight.clone().requires_grad_()
    result = convolve(pictures, weight)
    (result.float() * direction).sum().backward()
    return result.detach().float(), pictures.grad.float(), weight.grad


class DepthwiseTest(unittest.TestCase):
    @unittest.skipUnless(library(), "no C compiler")
    def test_gradients_match_those_of_torch_for_every_kernel_stride_and_odd_size(self):
        torch.manual_seed(1)
        for kernel, stride, rows, columns, channels in (
                (3, 1, 7, 9, 16), (3, 2, 8, 10, 32), (3, 2, 7, 5, 16),
                (5, 1, 6, 4, 48), (5, 2, 9, 8, 16), (5, 2, 2, 3, 16)):
            with self.subTest(kernel=kernel, stride=stride, rows=rows, columns=columns, channels=channels):
                pictures = torch.randn(3, channels, rows, columns).bfloat16()
                weight = torch.randn(channels, 1, kernel, kernel).bfloat16().float()
                padding = kernel // 2
                sides = ((side + 2 * padding - kernel) // stride + 1 for side in (rows, columns))
                direction = torch.randn(3, channels, *sides).bfloat16().float()
                ours = gradients(lambda x, w: FastDepthwise.apply(x, w, stride), pictures, weight, direction)
                theirs = gradients(
                    lambda x, w: F.conv2d(x, w, None, stride, padding, 1, channels), pictures.float(), weight, direction)
                for one, other in zip(ours, theirs, strict=True):
                    self.assertLess((one - other).abs().max(), 0.01 * other.abs().max())

    def test_other_shapes_and_plain_fp32_are_left_to_torch(self):
        pictures, weight = torch.randn(1, 24, 6, 6), torch.randn(24, 1, 3, 3)
        expected = F.conv2d(pictures, weight, None, 1, 1, 1, 24)
        self.assertTrue(torch.equal(depthwise(pictures, weight, 1), expected))
        with torch.autocast("cpu", torch.bfloat16):
            self.assertLess((depthwise(pictures, weight, 1) - expected).abs().max(), 0.2)


if __name__ == "__main__":
    unittest.main()
