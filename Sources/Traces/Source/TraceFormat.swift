/// The formats of traces that are known.
package enum TraceFormat: Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// Comma-separated values below a header.
  case csv
  /// A JSON object a line: the `fix` lines of an event log.
  case ndjson

  /// What it is called, and how it is recognised, for messages.
  var summary: String {
    switch self {
    case .gpx: "GPX (begins with '<')"
    case .csv: "CSV (a header that names time, latitude and longitude)"
    case .ndjson: "NDJSON of fixes (begins with '{')"
    }
  }

  /// A decoder, of bytes that were converted from the encoding that they declare or not.
  func decoder(isConverted: Bool) -> any TraceDecoder {
    switch self {
    case .gpx: GPXDecoder(isConverted: isConverted)
    case .csv: CSVDecoder()
    case .ndjson: NDJSONDecoder()
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
    case UInt8(ascii: "<"): return .format(.gpx)
    case UInt8(ascii: "{"): return .format(.ndjson)
    case 0xEF where text.count < 3: return .undecided
    default: return recogniseHeader(text)
    }
  }

  /// A CSV header names a latitude in the first line of the text.
  private static func recogniseHeader(_ text: ArraySlice<UInt8>) -> Recognition {
    let isLineEnd: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    let line = text.drop(while: isLineEnd).prefix { !isLineEnd($0) }
    if String(decoding: line, as: UTF8.self).lowercased().contains("latitude") {
      return .format(.csv)
    }
    return line.endIndex == text.endIndex ? .undecided : .unknown
  }
}
