import Foundation
import TestSupport

/// The files of a recording that was rotated, oldest first.
struct Recordings {
  let files: [(name: String, text: String)]

  init(_ stage: Stage) {
    let names = ((try? stage.folder.names()) ?? []).filter { $0.hasPrefix("trip") }
    // By the time of the first report: a name has another one when the last cannot be read.
    files = names.filter { $0.hasSuffix(".jsonl") }.map { ($0, stage.text($0)) }
      .sorted { (Self.time($0.1), $0.0) < (Self.time($1.1), $1.0) }
  }

  /// The first time in a text; the end of time when there is none.
  private static func time(_ text: String) -> String {
    text.components(separatedBy: #""time":""#).dropFirst().first.map { String($0.prefix(24)) }
      ?? "~"
  }

  /// What is in them, line by line.
  private var found: [String] {
    // By bytes: to Swift, a carriage return and a line feed are one character.
    files.flatMap {
      $0.text.utf8.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    }.map { String(Substring($0)) }
  }

  /// How many of `lines` are there or before one that is.
  func count(of lines: [String]) -> Int {
    let found = Set(found)
    return (lines.lastIndex { found.contains($0) } ?? -1) + 1
  }

  /// Whether each of `lines` is there, in order, and nothing else but headers, what gpsd says of
  /// itself, and ends of lines that were cut.
  ///
  /// - Parameter told: What a program said of lines that it could not write.
  func difference(_ lines: [String], told: String = "") -> String? {
    if let empty = files.first(where: \.text.isEmpty) { return "\(empty.name) is empty" }
    let found = found
    let all = Set(found)
    let missing = lines.count { !all.contains($0) }
    let lost = Self.lost(told)
    guard missing <= lost else {
      return "recording: \(missing) lines are missing, told were \(lost)"
    }
    let lines = lines.filter(all.contains)
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

  private static func lost(_ told: String) -> Int {
    told.split(separator: "\n").compactMap { line in
      line.contains(" could not be written and w") && line.hasSuffix(" lost")
        ? line.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
    }.reduce(0, +)
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

  /// What a replay of the files gives that was not said; nil when it is right.
  func wrongFix(_ stage: Stage, _ lines: [String]) throws -> String? {
    let names = files.filter { !$0.text.isEmpty }.map(\.name)
    if names.isEmpty { return nil }
    let outcome = try stage.run(
      ["replay"] + names + ["--device", "van", "--format", "jsonl", "--include", "fix"],
      output: "replayed")
    // The end of a cut line is bad data.
    guard [0, 65].contains(outcome.code) else { return "replay: \(outcome)" }
    var rest = lines[...]
    for line in stage.text("replayed").split(separator: "\n") {
      guard let time = line.components(separatedBy: #""time":""#).dropFirst().first?.prefix(24),
        let place = rest.firstIndex(where: { $0.contains(time) })
      else { return "replayed: \(line)" }
      rest = rest[(place + 1)...]
    }
    return nil
  }
}
