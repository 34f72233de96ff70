internal import Session
internal import StateFiles
internal import Tracking

/// What a reload of the config gave, for a journal.
struct JournalRules: Sendable, Hashable, Codable {
  var rules: Rules
  /// The fences that fixes place.
  var anchors: [AnchorPlan]
}

extension JournalRules {
  /// Reads the bytes of a record; nil when they are damaged.
  init?(_ bytes: [UInt8]) {
    guard let read = JSONBytes.read(Self.self, from: bytes) else { return nil }
    self = read
  }

  /// The bytes of a record.
  var bytes: [UInt8] { JSONBytes.write(self) ?? [] }
}
