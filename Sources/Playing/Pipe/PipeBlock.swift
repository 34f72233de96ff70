internal import Traces

/// Some lines of the input, and their fixes by shard.
///
/// One thread fills it; then each shard plays its own fixes.
final class PipeBlock {
  /// A fix, or the state of a device.
  struct Entry {
    /// Index of the point in the batch; of a state of the device, -1 less the index of its mark.
    var point: Int32
    /// The device, by the number that the parser gave it within the shard.
    var slot: Int32
  }

  /// The range of the lines in the input's bytes.
  var range = 0..<0
  /// The number of lines.
  var lineCount = 0
  /// To be added to the line numbers in the batch.
  var lineShift = 0
  var batch = TraceBatch()
  /// The fixes and states by shard, in the order of their lines.
  var entries: [[Entry]]
  /// The parser's number.
  var parser = 0

  init(shards: Int) {
    entries = Array(repeating: [], count: shards)
  }

  /// Removes all fixes.
  func clear() {
    batch.removeAll()
    for shard in entries.indices { entries[shard].removeAll(keepingCapacity: true) }
  }
}
