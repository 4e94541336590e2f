// The kernels, included by one file for each kind of processor. That file defines
//   KERNELS, NAME  the table and its name,
//   dot(s, x, w)   a function that adds to each lane of s the sum of four products of bytes of x and signed bytes of w,
//   MOST_PANELS    how many panels of 16 outputs are multiplied at a time, and
//   ROWS(panels)   with how many pixels, at most MOST_ROWS, so that the sums stay in registers.

enum { MOST_ROWS = 16 };

#include "depthwise.h"
#include "multiply.h"

const network_kernels KERNELS = {NAME, multiply, depthwise};
