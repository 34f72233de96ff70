internal import System
internal import Tracking

/// What a checkpoint holds beside the engine.
struct Checkpoint: Codable {
  /// The file of a watch.
  static let file = CheckedFile("state", version: 1)

  /// Counts checkpoints; a journal belongs to the checkpoint whose number it has.
  var generation: Int
  /// The device's name.
  var device: String
  var tracker: Tracker
  /// How many bytes the output had, if it was a file, and how wide its columns were.
  var outputLength: Int?
  var columns: [Int]
}
