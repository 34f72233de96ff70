internal import Glibc
internal import System
internal import Text
package import Traces

/// Faults in the order of their times, read from a text of one fault a line.
///
///     # TIME is from the first report, as it is played at --speed 1.
///     at 10 s: silence 30 s
///     at 50 s: junk 200 B
///     at 1 min: clock -3 h
///     at 90 s: disconnect
package struct FaultScript: Sendable, Hashable {
  /// In the order of their times; those of one time in that of the text.
  package let faults: [Fault]

  /// The largest script in bytes, and the most junk at a time.
  private static let (longest, mostJunk) = (1 << 20, 1_000_000)
  /// The latest time of a fault and the longest step of a clock, seconds: 31 years.
  private static let longestTime = 1e9

  /// Parses a text; `path` names it in errors.
  package init(_ text: String, path: String) throws(TraceError) {
    var faults: [Fault] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let content = line.prefix { $0 != "#" }
      guard content.contains(where: { !$0.isWhitespace }) else { continue }
      var parser = FaultParser(content, of: line)
      do throws(FaultParser.Failure) {
        faults.append(try parser.fault(line: index + 1, Self.mostJunk, Self.longestTime))
      } catch {
        throw .invalid(
          path: path, line: index + 1, column: error.column, message: error.message)
      }
    }
    guard !faults.isEmpty else {
      throw .invalid(
        path: path, line: 1, column: 1,
        message: "there is no fault; expected lines such as 'at 10 s: silence 30 s'")
    }
    // A stable order.
    self.faults = faults.enumerated().sorted { a, b in
      (a.element.time, a.offset) < (b.element.time, b.offset)
    }.map(\.element)
  }

  /// Reads a script from a file.
  package init(path: String) throws(TraceError) {
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, limit: Self.longest)
    } catch {
      throw error.code == ENOENT
        ? .notFound(path: path) : .unreadable(path: path, reason: error.reason)
    }
    try self.init(String(decoding: bytes, as: UTF8.self), path: path)
  }
}

/// Reads one line of a script.
private struct FaultParser {
  struct Failure: Error {
    var column: Int
    var message: String
  }

  private let line: Substring
  private let text: Substring

  init(_ text: Substring, of line: Substring) {
    (self.text, self.line) = (text, line)
  }

  mutating func fault(
    line number: Int, _ mostJunk: Int, _ longestTime: Double
  ) throws(Failure) -> Fault {
    let start = text.drop(while: \.isWhitespace)
    guard start.hasPrefix("at "), let colon = start.firstIndex(of: ":") else {
      throw failure(start, "expected 'at TIME: FAULT', such as 'at 10 s: silence 30 s'")
    }
    let time = start[..<colon].dropFirst(3).trimmed
    guard let seconds = Measure.duration(String(time)), seconds <= longestTime else {
      throw failure(time, "'\(time)' is no time, expected one such as '10 s' or '1 h 30 min'")
    }
    let fault = start[start.index(after: colon)...].trimmed
    let word = fault.prefix { !$0.isWhitespace }
    let rest = fault[word.endIndex...].trimmed
    let kind: Fault.Kind
    switch word {
    case "silence": kind = .silence(try silence(rest, longestTime))
    case "junk": kind = .junk(try junk(rest, mostJunk))
    case "clock": kind = .clock(try clock(rest, longestTime))
    case "disconnect":
      guard rest.isEmpty else { throw failure(rest, "expected nothing after 'disconnect'") }
      kind = .disconnect
    default:
      throw failure(
        fault, "'\(word)' is no fault, expected silence, junk, clock or disconnect")
    }
    return Fault(time: seconds, kind: kind, line: number)
  }

  private func silence(_ text: Substring, _ longest: Double) throws(Failure) -> Double {
    guard let seconds = Measure.duration(String(text)), seconds > 0, seconds <= longest else {
      throw failure(text, "'\(text)' is no time of silence, expected one such as '30 s'")
    }
    return seconds
  }

  private func junk(_ text: Substring, _ most: Int) throws(Failure) -> Int {
    let digits = text.prefix(while: \.isNumber)
    let unit = text[digits.endIndex...].trimmed
    let factor = unit == "B" ? 1 : unit == "kB" ? 1_000 : nil
    guard let factor, let count = Int(digits), count > 0, count <= most / factor else {
      throw failure(text, "'\(text)' is no amount of junk, expected 1 B to \(most / 1_000) kB")
    }
    return count * factor
  }

  private func clock(_ text: Substring, _ longest: Double) throws(Failure) -> Int64 {
    let sign: Int64? = text.hasPrefix("-") ? -1 : text.hasPrefix("+") ? 1 : nil
    guard let sign, let seconds = Measure.duration(String(text.dropFirst())), seconds <= longest,
      let whole = Int64(exactly: seconds), whole > 0
    else {
      throw failure(
        text, "'\(text)' is no step of a clock, expected whole seconds with a sign such as '-3 h'")
    }
    return sign * whole
  }

  private func failure(_ place: Substring, _ message: String) -> Failure {
    Failure(
      column: line[..<place.startIndex].utf8.count - line[..<line.startIndex].utf8.count + 1,
      message: message)
  }
}

extension Substring {
  /// Without blanks at both ends, still a part of the same text.
  fileprivate var trimmed: Substring {
    var rest = drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
