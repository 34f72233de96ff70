@testable import GPSD
@testable import Receivers
@testable import Serving
import Tracking
@testable import Watching

extension Subject {
  /// What comes over connections.
  static let connections = [
    Subject(name: "link", decodes: "what gpsd sends: lines, their kinds, their times") {
      try checkLink($0)
    },
    Subject(name: "feed-request", decodes: "what clients ask of feed") { try checkRequests($0) },
  ]

  private static func checkLink(_ bytes: [UInt8]) throws -> Bool {
    let whole = pieces(bytes, ends: [bytes.count])
    let cut = pieces(bytes, ends: Cuts(of: bytes).ends)
    try hold("lines are the same however they arrive", whole == cut, "\(whole)\n\(cut)")
    for line in whole.compactMap(\.self) {
      _ = LinkLine(line.span)
      if let time = ReportTime.of(line[...]) {
        _ = ReportTime.day(of: time)
        _ = ReportTime.name(of: time)
      }
      _ = SwiftGPSDReader.devicePath(in: line.span)
    }
    return ReportTime.last(in: bytes[...]) != nil
  }

  /// The lines, nil for one that is too long, and what is left.
  private static func pieces(_ bytes: [UInt8], ends: [Int]) -> [[UInt8]?] {
    var buffer = LinkBuffer(limit: 40)
    var found: [[UInt8]?] = []
    var start = 0
    for end in ends {
      buffer.append(bytes[start..<end])
      start = end
      while let piece = buffer.next() {
        switch piece {
        case .line(let range): found.append(Array(buffer.bytes[range]))
        case .overlong: found.append(nil)
        }
      }
    }
    found.append(Array(buffer.takeRest()))
    return found
  }

  private static func checkRequests(_ bytes: [UInt8]) throws -> Bool {
    let whole = requests(bytes, ends: [bytes.count])
    let cut = requests(bytes, ends: Cuts(of: bytes).ends)
    try hold("requests are the same however they arrive", whole == cut, "\(whole)\n\(cut)")
    return !whole.isEmpty
  }

  private static func requests(_ bytes: [UInt8], ends: [Int]) -> [RequestReader.Result] {
    var reader = RequestReader()
    var found: [RequestReader.Result] = []
    var start = 0
    for end in ends where found.last != .oversized {
      reader.take(bytes[start..<end])
      start = end
      while found.last != .oversized, let piece = reader.next() { found.append(piece) }
    }
    return found
  }
}
