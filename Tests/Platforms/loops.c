// Runs the loops in C on random inputs: prints the kernels that this processor can run, then a hash of each loop's
// results, which are the same on every processor.
#include <stdio.h>

#include "CNetworkLoops.h"
#include "cases.h"

enum { CASES = 116 };

static size_t run(const loop *loops) {
    size_t cases = 0;
    for (; loops->name != NULL; loops++) {
        seed(1);
        for (size_t index = 0; index < CASES; index++, cases++) {
            begin_case();
            loops->run();
        }
        printf("%-16s %016llx\n", loops->name, (unsigned long long)take_hash());
    }
    return cases;
}

int main(void) {
    const network_kernels *kernels;
    printf("kernels:");
    for (size_t index = 0; (kernels = network_available_kernels(index)) != NULL; index++) printf(" %s", kernels->name);
    printf("\n");
    size_t cases = run(network_loops) + run(raster_loops) + run(photo_loops);
    printf("%zu cases\n", cases);
}
