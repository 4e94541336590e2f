// The kernels for each kind of processor; `loops.h` is compiled once for each.
#pragma once

#include "CNetworkLoops.h"

#if defined(__x86_64__)
/// For every x86-64.
extern const network_kernels network_sse2;
/// For processors with AVX2.
extern const network_kernels network_avx2;
/// For processors with AVX-VNNI, most of which have no AVX-512.
extern const network_kernels network_avxvnni;
/// For processors with AVX-512 VNNI.
extern const network_kernels network_vnni;
#else
/// For processors of other architectures.
extern const network_kernels network_portable;
#endif
