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
#elif defined(__aarch64__)
/// For every arm64.
extern const network_kernels network_neon;
/// For processors with FEAT_DotProd: most since 2017.
extern const network_kernels network_dotprod;
/// For processors with FEAT_I8MM.
extern const network_kernels network_i8mm;
#endif
/// For every processor, without its own instructions.
extern const network_kernels network_portable;
