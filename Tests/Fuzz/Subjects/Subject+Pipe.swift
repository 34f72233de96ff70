import Formats
@testable import Playing
@testable import Traces

extension Subject {
  /// The lines of a pipe, which are read in blocks.
  static let pipes = [
    Subject(name: "pipe-ndjson", decodes: "a pipe's fixes, in blocks of lines") {
      try checkBlocks(.ndjson, $0)
    },
    Subject(name: "pipe-csv", decodes: "a pipe's table, in blocks of lines") {
      try checkBlocks(.csv, $0)
    },
  ]

  /// Wherever blocks end, the lines give the same.
  private static func checkBlocks(_ input: PipeOptions.Input, _ bytes: [UInt8]) throws -> Bool {
    var choices = Choices(of: bytes)
    let whole = decode(input, bytes) { $0 }
    let blocks = decode(input, bytes) { range in
      let ends = range.filter { bytes[$0] == UInt8(ascii: "\n") }
      return ends.isEmpty ? range : range.lowerBound..<ends[choices.below(ends.count)] + 1
    }
    try hold("whole or in blocks a pipe gives the same", whole == blocks, "\(whole)\n\(blocks)")
    return !whole.points.isEmpty
  }

  private static func decode(
    _ input: PipeOptions.Input, _ bytes: [UInt8], _ block: (Range<Int>) -> Range<Int>
  ) -> Decoded {
    var batch = TraceBatch()
    var decoded = Decoded()
    var rest = 0..<bytes.count
    var decoder = PipeDecoder(input, ReadingOptions(), bytes, &rest, into: &batch)
    decoded.take(&batch)
    while !rest.isEmpty, !decoder.isFinished {
      let next = block(rest)
      decoder.decode(bytes, next, into: &batch)
      decoded.take(&batch)
      rest = next.upperBound..<rest.upperBound
    }
    return decoded
  }
}
