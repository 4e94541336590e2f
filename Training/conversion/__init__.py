"""Translates networks from ONNX to `subject-1`, the format of the weights that stickerd runs."""
