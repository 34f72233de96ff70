internal import EventLog
internal import Session
internal import System
internal import Tracking

/// The engine's state in a file, with what is needed to resume the output.
struct Checkpoint: Codable {
  /// The file of a watch.
  static let file = ChecksummedFile("state", version: 1)

  /// Counts checkpoints; a journal belongs to the checkpoint whose number it has.
  var generation: Int
  /// The name of the first device, and its engine; nil while no device has appeared.
  var device: String?
  var tracker: Tracker?
  /// The other devices of a watch of several sources; nil for none, as in the states of earlier releases.
  var others: [Device]?
  /// The length of the output, if it was a file, and the widths of its columns.
  var outputLength: Int?
  /// The inode of that file; nil in the states of earlier builds.
  var outputInode: UInt64?
  var columns: [Int]
  /// The fences that fixes place; nil without any.
  var anchors: AnchorWatch?
  /// The rules while no device has appeared; else nil, because each engine has them.
  ///
  /// Also nil in the states of earlier builds.
  var rules: Rules?
  /// The kinds of entries that the log shows; nil in the states of earlier builds.
  var kinds: [String]?

  /// A device and its engine.
  struct Device: Codable {
    var name: String
    var tracker: Tracker
  }

  /// All devices, by their numbers in the journal.
  var devices: [Device] {
    guard let device, let tracker else { return [] }
    return [Device(name: device, tracker: tracker)] + (others ?? [])
  }

  /// The kinds of entries that the log shows; nil when they are not known.
  var shownKinds: Set<LogEntry.Kind>? {
    kinds.map { Set($0.compactMap(LogEntry.Kind.init(rawValue:))) }
  }

  /// The rules under which the inputs of the journal came; nil when they are not known.
  var journalRules: Rules? { tracker?.rules ?? rules }
}
