#pragma once
// xnnpack.h includes pthreadpool.h, which Debian keeps in libpthreadpool-dev without saying so in libxnnpack-dev.
#include <xnnpack.h>

// Debian 12 and Ubuntu 24.04 have only these functions; Debian 13 has them, too, but deprecated. Swift reports a
// deprecation at each call, clang none in a system module's header.

static inline enum xnn_status network_define_add(
    xnn_subgraph_t subgraph, float minimum, float maximum, uint32_t input, uint32_t other, uint32_t output) {
    return xnn_define_add2(subgraph, minimum, maximum, input, other, output, 0);
}

static inline enum xnn_status network_define_clamp(
    xnn_subgraph_t subgraph, float minimum, float maximum, uint32_t input, uint32_t output) {
    return xnn_define_clamp(subgraph, minimum, maximum, input, output, 0);
}

static inline enum xnn_status network_define_sigmoid(xnn_subgraph_t subgraph, uint32_t input, uint32_t output) {
    return xnn_define_sigmoid(subgraph, input, output, 0);
}

/// The result keeps all four dimensions; height and width are 1.
static inline enum xnn_status network_define_global_average(xnn_subgraph_t subgraph, uint32_t input, uint32_t output) {
#ifdef XNN_FLAG_KEEP_DIMS
    uint32_t flags = XNN_FLAG_KEEP_DIMS;
#else
    // The only behavior before the flag.
    uint32_t flags = 0;
#endif
    return xnn_define_global_average_pooling_2d(subgraph, -__builtin_inff(), __builtin_inff(), input, output, flags);
}
