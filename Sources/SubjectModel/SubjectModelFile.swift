/// A model that people brought, read and checked but not built. Every byte of it is untrusted.
package struct SubjectModelFile: Sendable {
    let plan: NetworkPlan
    let source: WeightDescriptor

    /// - Parameter descriptor: a regular file, borrowed until the network is built.
    /// - Throws: `.badWeights` and `.unsupportedNetwork`.
    package init(descriptor: Int32) throws(SubjectModelError) {
        source = try WeightDescriptor(descriptor)
        plan = try NetworkPlan(source)
    }

    package var cost: NetworkCost { plan.cost }
}
