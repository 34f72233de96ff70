internal import Traces

/// Some lines of the input, and the fixes in them by shard.
///
/// One thread fills it; then each shard takes its own fixes from it.
final class PipeBlock {
  /// A fix.
  struct Entry {
    /// Index of the point in the batch.
    var point: Int32
    /// Its device, by the number that the parser gave it within the shard.
    var slot: Int32
  }

  /// Where the lines are in the input's bytes.
  var range = 0..<0
  /// How many lines they are.
  var lineCount = 0
  /// What is to be added to the line numbers in the batch.
  var lineShift = 0
  var batch = TraceBatch()
  /// The fixes by shard, in the order of their lines.
  var entries: [[Entry]]
  /// The parser's number.
  var parser = 0

  init(shards: Int) {
    entries = Array(repeating: [], count: shards)
  }

  /// Forgets what was read.
  func clear() {
    batch.removeAll()
    for shard in entries.indices { entries[shard].removeAll(keepingCapacity: true) }
  }
}
