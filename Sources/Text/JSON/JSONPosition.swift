/// The position of an offset in a JSON text, for people.
package struct JSONPosition: Sendable, Hashable {
  /// From 1.
  package let line: Int
  /// In bytes, from 1.
  package let column: Int
  /// The path to the value there: `features[3].geometry.coordinates[0][2]`, empty at the top.
  package let path: String

  /// Finds the position of `offset`.
  ///
  /// It reads the text again from `start`, so it is for errors only.
  package init(of offset: Int, in bytes: Span<UInt8>, from start: Int = 0) {
    var (line, lineStart) = (1, start)
    // What follows may be long.
    let head = bytes.extracting(0..<min(max(offset, start), bytes.count))
    while let end = head.firstIndex(of: UInt8(ascii: "\n"), from: lineStart) {
      (line, lineStart) = (line + 1, end + 1)
    }
    self.line = line
    column = offset - lineStart + 1
    path = Self.path(to: offset, in: bytes, from: start)
  }

  private enum Step {
    case element(Int)
    case member(String)
  }

  private static func path(to offset: Int, in bytes: Span<UInt8>, from start: Int) -> String {
    var scanner = JSONScanner(at: start)
    var steps: [Step] = []
    while let token = try? scanner.next(in: bytes) {
      switch token {
      case .endArray, .endObject: steps.removeLast(steps.isEmpty ? 0 : 1)
      case .key(let key): replaceLast(of: &steps, .member(key.string(in: bytes)))
      default:
        if case .element(let index) = steps.last { replaceLast(of: &steps, .element(index + 1)) }
      }
      if scanner.tokenOffset >= offset { break }
      if token == .beginArray { steps.append(.element(-1)) }
      if token == .beginObject { steps.append(.member("")) }
    }
    return text(steps)
  }

  private static func replaceLast(of steps: inout [Step], _ step: Step) {
    steps.removeLast(steps.isEmpty ? 0 : 1)
    steps.append(step)
  }

  private static func text(_ steps: [Step]) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .element(let index): text += "[\(max(index, 0))]"
      case .member(let name):
        if !text.isEmpty, !name.isEmpty { text += "." }
        text += name.withoutControls
      }
    }
    return text
  }
}
