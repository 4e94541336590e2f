/// A model in a file, checked but not built. Every byte of it is untrusted.
package struct SubjectModelFile: Sendable {
    let plan: NetworkPlan
    let source: WeightDescriptor

    /// - Parameters:
    ///   - descriptor: borrowed until the network is built.
    ///   - byteCount: the file's length.
    /// - Throws: `.badWeights` and `.unsupportedNetwork`.
    package init(descriptor: Int32, byteCount: Int) throws(SubjectModelError) {
        source = try WeightDescriptor(descriptor, byteCount: byteCount)
        plan = try NetworkPlan(source)
    }

    package var cost: NetworkCost { plan.cost }
}
