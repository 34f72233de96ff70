@testable import Scoring
import Text

extension Subject {
  /// What is scored.
  static let scoring = [
    Subject(name: "event-log", decodes: "event logs, to be scored") { bytes in
      do throws(RecordError) {
        let events = try EventList(bytes, file: "events.jsonl")
        for device in events.devices { _ = events.visits(of: device.text) }
        _ = events.kinds
        return true
      } catch {
        let lines = bytes.count { $0 == 0x0A } + 1
        try hold("a refusal has a line", 1...lines ~= error.line, "\(error)")
        return false
      }
    },
    Subject(name: "truth", decodes: "the truth of made-up days, in its files") { bytes in
      // The files, one behind the other.
      var files = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)[...]
      do throws(RecordError) {
        _ = try Truth(
          .all, read: { (_) throws(RecordError) in files.popFirst() ?? [] }, fail: { $0 })
        return true
      } catch {
        try hold("a refusal has a line", error.line >= 1, "\(error)")
        return false
      }
    },
  ]
}
