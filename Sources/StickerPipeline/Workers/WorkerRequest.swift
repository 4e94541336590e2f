package import PhotoCodecs
package import StickerStudio

/// What a worker is asked to do with the photo whose descriptor comes with the request. Travels as JSON.
package struct WorkerRequest: Codable, Sendable {
    package enum Task: String, Codable, Sendable {
        /// Stickers and colors.
        case process
        /// The soft matte as a grey PNG.
        case mask
        /// The colors alone, of photo and subject.
        case colors
    }

    package let task: Task
    package let recipe: Recipe
    package let limits: DecodeLimits

    package init(task: Task, recipe: Recipe, limits: DecodeLimits) {
        self.task = task
        self.recipe = recipe
        self.limits = limits
    }
}
