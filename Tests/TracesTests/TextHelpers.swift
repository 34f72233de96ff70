import Testing
@testable import Traces
import Tracking

/// What a decoder gave, with marks in words, so that two runs can be compared.
struct Decoded: Equatable {
  var points: [TracePoint] = []
  var marks: [String] = []
  var devices: [String] = []
  var issues: [TraceIssue] = []
}

/// Runs a decoder over bytes that come in pieces of the given sizes, then the rest at once.
func decode(
  _ text: [UInt8], with start: some TraceDecoder, pieces: [Int] = []
) -> Decoded {
  var decoder = start
  var batch = TraceBatch()
  var (used, given) = (0, 0)
  for piece in pieces + [text.count] {
    given = min(given + piece, text.count)
    let slice = Array(text[used..<given])
    used += decoder.decode(
      slice.span, isFinal: given == text.count && piece == text.count, into: &batch)
  }
  var decoded = Decoded(points: batch.points, devices: batch.devices)
  for (before, mark) in batch.marks {
    decoded.marks.append("\(before): \(mark)")
    if case .issue(let issue) = mark { decoded.issues.append(issue) }
  }
  #expect(used == text.count, "a final call uses up everything")
  return decoded
}

/// The same, of a text.
func decode(_ text: String, with start: some TraceDecoder, pieces: [Int] = []) -> Decoded {
  decode(Array(text.utf8), with: start, pieces: pieces)
}

/// The bytes of a text in UTF-16 without a mark, the low byte of each unit first unless it is big.
func inUTF16(_ text: String, isBig: Bool = false) -> [UInt8] {
  text.utf16.flatMap { unit -> [UInt8] in
    let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8))
    return isBig ? [high, low] : [low, high]
  }
}

extension TraceIssue {
  /// `record 3:7 message`.
  var shown: String { "\(kind) \(line):\(column) \(message)" }
}

/// Whether a number is known and within some distance of another.
func isNear(_ number: Double?, _ expected: Double, within distance: Double) -> Bool {
  number.map { abs($0 - expected) < distance } ?? false
}
