/// Why no answer came, or an answer that says no.
package struct WorkerError: Error, Sendable, CustomStringConvertible {
    package struct Code: Sendable, Equatable {
        private enum Value: Sendable { case refused, unreadable, died, timedOut, unavailable, unusableModel }
        private let value: Value

        /// The worker looked at the photo and refused it.
        package static let refused = Code(value: .refused)
        /// The disk would not give the worker the photo's bytes.
        package static let unreadable = Code(value: .unreadable)
        /// The process ended while the photo was in its hands.
        package static let died = Code(value: .died)
        /// The photo took longer than it may; the process was killed.
        package static let timedOut = Code(value: .timedOut)
        /// No worker can run the model that the settings name.
        package static let unusableModel = Code(value: .unusableModel)
        /// No process is there to ask: the pool is stopping, or none can be started.
        package static let unavailable = Code(value: .unavailable)
    }

    package let code: Code
    /// One line for a person.
    package let description: String

    /// - Parameter detail: completes the message; contains nothing from the reply.
    static func invalidReply(_ detail: String) -> WorkerError {
        WorkerError(.died, "its worker sent an invalid reply: \(detail)")
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
