import Geodesy
@testable import Traces
import Tracking

/// All that a decoder gave.
struct Decoded {
  var points: [TracePoint] = []
  var marks: [Marked] = []
  var devices: [String] = []

  struct Marked: Equatable {
    var before: Int
    var mark: TraceMark
  }

  init() {}

  mutating func take(_ batch: inout TraceBatch) {
    let before = points.count
    points += batch.points
    marks += batch.marks.map { Marked(before: before + $0.before, mark: $0.mark) }
    devices = batch.devices
    batch.removeAll()
  }

  /// What `decoder` makes of all the bytes at once; places of a binary trace are bytes.
  init(_ decoder: some TraceDecoder, _ bytes: [UInt8], isBinary: Bool = false) throws {
    var decoder = decoder
    var batch = TraceBatch()
    let used = decoder.decode(bytes.span, isFinal: true, into: &batch)
    try hold("at the end all bytes are used up", decoder.isFinished || used == bytes.count)
    take(&batch)
    try checkPlaces(bytes, isBinary)
  }

  /// What it makes of pieces, of which what it does not use up is given again with the next.
  init(inPieces decoder: some TraceDecoder, _ bytes: [UInt8]) throws {
    var decoder = decoder
    var batch = TraceBatch()
    let cuts = Cuts(of: bytes)
    // The end may be told with the last piece, or when that was looked at already.
    let ends = bytes.count & 1 == 0 ? cuts.ends : cuts.ends + [bytes.count]
    var start = 0
    for (index, end) in ends.enumerated() where !decoder.isFinished {
      let used = decoder.decode(
        bytes.span.extracting(start..<end), isFinal: index == ends.count - 1, into: &batch)
      try hold("no more is used up than was given", 0...(end - start) ~= used)
      start += used
      take(&batch)
    }
  }

  /// Lines count up, and marks stand where the trace has such lines.
  private func checkPlaces(_ bytes: [UInt8], _ isBinary: Bool) throws {
    let lines = isBinary ? bytes.count : bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    let columns = isBinary ? 0...0 : 1...bytes.count + 1
    let first = isBinary ? 0 : 1
    for point in points {
      try hold("a point stands on a line of the trace", first...lines ~= point.line)
      if let device = point.device {
        try hold("a point's device has a name", devices.indices ~= Int(device))
      }
    }
    for mark in marks {
      guard case .issue(let issue) = mark.mark else { continue }
      try hold("an issue stands on a line of the trace", first...lines ~= issue.line, "\(issue)")
      try hold("an issue has a column", columns ~= issue.column, "\(issue)")
      try hold("an issue says something", !issue.message.isEmpty)
    }
  }
}

extension Decoded: Equatable {
  static func == (a: Decoded, b: Decoded) -> Bool {
    a.devices == b.devices && a.marks == b.marks && a.points.elementsEqual(b.points, by: areAlike)
  }

  /// Equal to the bit, also where a place is not a number.
  private static func areAlike(_ a: TracePoint, _ b: TracePoint) -> Bool {
    if a == b { return true }
    var (one, other) = (a, b)
    (one.fix.coordinate, other.fix.coordinate) = (Coordinate.zero, .zero)
    return one == other
      && a.fix.coordinate.latitude.bitPattern == b.fix.coordinate.latitude.bitPattern
      && a.fix.coordinate.longitude.bitPattern == b.fix.coordinate.longitude.bitPattern
  }
}

extension Coordinate {
  fileprivate static let zero = Coordinate(latitude: 0, longitude: 0)
}

/// Whole or in pieces, a trace gives the same; with `other` as well, which reads it in another way.
///
/// - Returns: Whether there are points.
func checkPieces<Decoder: TraceDecoder>(
  _ decoder: Decoder, alike other: Decoder? = nil, _ bytes: [UInt8], isBinary: Bool = false
) throws -> Bool {
  let whole = try Decoded(decoder, bytes, isBinary: isBinary)
  let pieces = try Decoded(inPieces: decoder, bytes)
  try hold("whole or in pieces a trace gives the same", whole == pieces, "\(whole)\n\(pieces)")
  guard let other else { return !whole.points.isEmpty }
  let alike = try Decoded(other, bytes)
  try hold("a trace reads the same in another way", whole == alike, "\(whole)\n\(alike)")
  return !whole.points.isEmpty
}
