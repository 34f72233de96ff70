import EventLog
import TestSupport
import Tracking

extension Rules {
  /// Those of the sessions that are tested: one fence around the center, visits and significant changes.
  static func watched(_ decision: Decision = .naive) throws -> Rules {
    var fence = Fence.center("gate", radius: 80, dwell: 600)
    fence.decision = decision
    var rules = Rules(fences: try FenceSet([fence]))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    return rules
  }
}

/// Entries as the lines of an event log.
func loggedLines(_ entries: [LogEntry]) -> [String] {
  var bytes: [UInt8] = []
  for entry in entries { JSONLinesWriter.append(entry, to: &bytes) }
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
