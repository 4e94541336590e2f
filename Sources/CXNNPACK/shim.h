#pragma once
// xnnpack.h includes pthreadpool.h, which Debian keeps in libpthreadpool-dev without saying so in libxnnpack-dev.
#include <xnnpack.h>
