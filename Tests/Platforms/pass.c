// pass KERNELS TIMES FILE: makes the calls of a pass of the embedded network, which FILE lists, TIMES times, with
// random weights and the kernels of this name. Run once more, it takes as many more instructions as a pass.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CNetworkLoops.h"
#include "cases.h"

// As much as the largest call reads or writes.
enum { BYTES = 4 << 20 };

typedef struct call {
    char name[16];
    size_t numbers[5];
} call;

static const network_kernels *kernels_named(const char *name) {
    const network_kernels *kernels;
    for (size_t index = 0; (kernels = network_available_kernels(index)) != NULL; index++)
        if (strcmp(kernels->name, name) == 0) return kernels;
    fprintf(stderr, "this processor has no kernels of the name %s\n", name);
    exit(1);
}

static void run(
    const call *call, const network_kernels *kernels, const uint8_t *input, const int8_t *weights, network_rounding rounding,
    uint8_t *scratch, uint8_t *output) {
    const size_t *numbers = call->numbers;
    network_shape shape = {numbers[0], numbers[1], numbers[2]};
#define IS(text) (strcmp(call->name, text) == 0)
    if (IS("neighborhoods"))
        network_neighborhoods(input, shape, 124, output);
    else if (IS("multiply"))
        kernels->multiply(input, numbers[0], numbers[1], weights, numbers[2], rounding, output);
    else if (IS("depthwise"))
        kernels->depthwise(input, shape, numbers[3], numbers[4], weights, rounding, scratch, output);
    else if (IS("add"))
        for (size_t time = 0; time < numbers[1]; time++)
            kernels->add(input, input + numbers[0], numbers[0], (float[]){.5f, .5f}, 3, output + time * numbers[0]);
    else if (IS("double"))
        kernels->double_sides(input, shape, output);
    else if (IS("average"))
        kernels->average(input, shape, .01f, 3, output);
    else if (IS("head"))
        kernels->head(input, shape, weights, .0001f, -1, (float *)output);
    else if (IS("probability"))
        kernels->probability((const float *)input, numbers[0], numbers[1], (float *)output);
    else
        abort();
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    const network_kernels *kernels = kernels_named(arguments[1]);
    static call calls[256];
    size_t length = 0;
    FILE *file = fopen(arguments[3], "r");
    char line[64];
    while (file != NULL && fgets(line, sizeof line, file) != NULL && length < 256) {
        call *next = &calls[length++];
        sscanf(line, "%15s %zu %zu %zu %zu %zu", next->name, &next->numbers[0], &next->numbers[1], &next->numbers[2],
            &next->numbers[3], &next->numbers[4]);
    }
    if (length == 0) return 2;
    uint8_t *input = random_bytes(BYTES), *output = random_bytes(BYTES), *scratch = random_bytes(BYTES);
    int8_t *weights = (int8_t *)random_bytes(BYTES);
    network_rounding rounding = {random_floats(2048, 0, .001f), random_floats(2048, 0, 255)};
    for (int time = atoi(arguments[2]); time > 0; time--)
        for (size_t index = 0; index < length; index++)
            run(&calls[index], kernels, input, weights, rounding, scratch, output);
}
