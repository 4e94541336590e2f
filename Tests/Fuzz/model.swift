// libFuzzer's way into the reader of models: whatever the file says, it is refused, or built and run if that is quick.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // libFuzzer owns the bytes for the length of the call.
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
