import TestSupport

/// The files of a recording that was rotated, oldest first.
struct Recordings {
  let files: [(name: String, text: String)]

  init(_ stage: Stage) {
    let names = ((try? stage.folder.names()) ?? []).filter { $0.hasPrefix("trip") }
    // The current one is the last, as a hyphen comes before a dot.
    files = names.filter { $0.hasSuffix(".jsonl") }.sorted().map { ($0, stage.text($0)) }
  }

  /// Whether each of `lines` is there, in order, and nothing else but headers, what gpsd says of
  /// itself, and ends of lines that were cut.
  func difference(_ lines: [String]) -> String? {
    // By bytes: to Swift, a carriage return and a line feed are one character.
    let found = files.flatMap {
      $0.text.utf8.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    }
    .map { String(Substring($0)) }
    var reached = 0
    for line in found where !Self.isOther(line) {
      if reached < lines.count, line == lines[reached] {
        reached += 1
      } else if !lines[..<reached].contains(line), !Self.isCut(line, of: lines) {
        return "recording: '\(line)' after \(reached) lines"
      }
    }
    return reached == lines.count ? nil : "recording: line \(reached + 1) is missing"
  }

  private static let others = ["WAYMARK", "VERSION", "DEVICES", "WATCH"]

  private static func isOther(_ line: String) -> Bool {
    others.contains { name in
      let head = #"{"class":"\#(name)""#
      return line.hasPrefix(head) || head.hasPrefix(line)
    }
  }

  private static func isCut(_ line: String, of lines: [String]) -> Bool {
    lines.contains { $0.hasPrefix(line) }
  }
}
