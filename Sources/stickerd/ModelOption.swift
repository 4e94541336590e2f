import ArgumentParser

/// Another network, for the commands that use one.
struct ModelOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Find subjects with this network, which Training/convert.py made of an ONNX model.", valueName: "file"))
    var model: String?

    func validate() throws {
        if model.map(RawArguments.isText) == false { throw ValidationError("--model must be UTF-8.") }
    }
}
