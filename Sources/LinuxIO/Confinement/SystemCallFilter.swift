internal import CSeccomp
import Glibc
import SystemPackage

/// A seccomp filter: whoever makes a call that is not on its list is killed at once, as a whole process, by SIGSYS.
///
/// Made with libseccomp: one list serves every processor, other ABIs of the same processor (x32, 32 bits) are refused,
/// and the order of checks is its business.
package enum SystemCallFilter {
    /// Puts the filter on every thread of this process, for good.
    ///
    /// - Throws: what the kernel said; `Errno.notSupported` where there is no such thing. No thread has it then.
    static func load(allowing calls: [AllowedCall]) throws(Errno) {
        // Owned here and released below. It does not say why there is none: where seccomp(2) is forbidden, as a unit or a
        // container may do, it does not know this action.
        guard let filter = unsafe seccomp_init(SCMP_ACT_KILL_PROCESS) else { throw .notSupported }
        defer { unsafe seccomp_release(filter) }
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
        // The kernel's own error numbers.
        try check(unsafe seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1))
        for call in calls {
            guard let number = number(of: call.name) else { continue }
            let conditions = call.conditions.map {
                scmp_arg_cmp(arg: $0.index, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
            }
            // The array outlives the call.
            try check(
                unsafe seccomp_rule_add_array(
                    filter, SCMP_ACT_ALLOW, number, UInt32(conditions.count), conditions))
        }
        for (name, error) in AllowedCall.answered {
            guard let number = number(of: name) else { continue }
            // SCMP_ACT_ERRNO, a macro.
            let answer = 0x0005_0000 | UInt32(error)
            try check(unsafe seccomp_rule_add_array(filter, answer, number, 0, nil))
        }
        try check(unsafe seccomp_load(filter))
    }

    /// This processor's number of a system call, or nil where it has none of that name.
    package static func number(of call: String) -> Int32? {
        // The string outlives the call. Negative: unknown, or emulated by libseccomp through another one.
        let number = unsafe seccomp_syscall_resolve_name(call)
        return number >= 0 ? number : nil
    }

    private static func check(_ code: Int32) throws(Errno) {
        // Positive: TSYNC names the thread that has a filter of its own.
        guard code == 0 else { throw code < 0 ? Errno(rawValue: -code) : .noSuchProcess }
    }
}
