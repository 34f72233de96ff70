/// The formats of traces that are known.
package enum TraceFormat: Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx

  /// What it is called, and how it is recognised, for messages.
  var summary: String {
    switch self {
    case .gpx: "GPX (begins with '<')"
    }
  }

  /// A decoder, of bytes that were converted from the encoding that they declare or not.
  func decoder(isConverted: Bool) -> any TraceDecoder {
    switch self {
    case .gpx: GPXDecoder(isConverted: isConverted)
    }
  }

  /// What the first bytes of a trace tell.
  enum Recognition: Sendable, Hashable {
    case format(TraceFormat)
    /// There are too few.
    case undecided
    case unknown
  }

  /// Recognises the format of a text in UTF-8 by how it begins.
  static func recognise(_ head: ArraySlice<UInt8>) -> Recognition {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(3) : head
    guard let first = text.first(where: { !isXMLSpace($0) }) else { return .undecided }
    switch first {
    case 0x3C: return .format(.gpx)
    case 0xEF where text.count < 3: return .undecided
    default: return .unknown
    }
  }
}
