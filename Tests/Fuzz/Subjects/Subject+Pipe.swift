import ArrowStreams
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
    Subject(name: "arrow-stream", decodes: "a pipe's Arrow stream, message by message") {
      try checkStream($0)
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

  /// However many bytes are there when a message is read, the rows are the same; and each is read once.
  private static func checkStream(_ bytes: [UInt8]) throws -> Bool {
    // Without nanoarrow there is nothing to try.
    guard ArrowSupport.isBuiltIn else { return false }
    var choices = Choices(of: bytes)
    let whole = try decode(bytes) { _, end in end }
    let pieces = try decode(bytes) { needed, end in min(end, needed + choices.below(64)) }
    try hold("whole or in pieces a stream gives the same", whole == pieces, "\(whole)\n\(pieces)")
    return !whole.points.isEmpty
  }

  /// The rows of a stream.
  ///
  /// - Parameter given: How many bytes the reader gets when it needs some, and there are some.
  private static func decode(
    _ bytes: [UInt8], given: (_ needed: Int, _ all: Int) -> Int
  ) throws -> Decoded {
    var (batch, decoded, names) = (TraceBatch(), Decoded(), DeviceTable())
    let reader = try ArrowFixReader()
    var (start, count) = (0, 0)
    while let step = try? reader.next(bytes.span.extracting(start..<start + count)) {
      switch step {
      case .needs(let needed):
        try hold("more is needed than was given", needed > count)
        guard start + needed <= bytes.count else { return decoded }
        count = given(needed, bytes.count - start)
      case .passed(let used): (start, count) = (start + used, 0)
      case .rows(let fixes, let used):
        // Columns may share their bytes.
        try hold("rows have values", fixes.count * 8 <= bytes.count)
        fixes.append(0..<fixes.count, &names, to: &batch)
        decoded.take(&batch)
        (start, count) = (start + used, 0)
      case .end: return decoded
      }
    }
    return decoded
  }
}
