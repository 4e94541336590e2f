// A plugin for QEMU's user emulation: prints how many instructions the program ran. Debian does not package QEMU's own,
// nor its header, whose declarations are repeated here (qemu-plugin.h, version 1).
#include <inttypes.h>
#include <stdio.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, enum qemu_plugin_op, void *, uint64_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);

int qemu_plugin_version = 1;
static uint64_t count;

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t index = 0; index < qemu_plugin_tb_n_insns(block); index++)
        qemu_plugin_register_vcpu_insn_exec_inline(
            qemu_plugin_tb_get_insn(block, index), QEMU_PLUGIN_INLINE_ADD_U64, &count, 1);
}

static void finish(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    fprintf(stderr, "%" PRIu64 "\n", count);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
