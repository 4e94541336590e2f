// libFuzzer's entry point for models: each file is rejected, or built, and run if that is quick.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // libFuzzer owns the bytes during the call.
    let file = WeightArray(bytes: unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    do {
        let plan = try NetworkPlan(file)
        guard plan.cost.memory < 128 << 20, plan.cost.multiplyAdds < 1 << 24 else { return 0 }
        let output = try NetworkRuntime(plan, weights: file).run { input in
            for index in input.indices { input[index] = Float(index % 7) / 7 }
        }
        precondition(output.count == plan.outputShape.count)
    } catch {
        precondition(!error.detail.isEmpty)
    }
    return 0
}
