internal import Text

/// Track files of OziExplorer (`.plt`), which the data set Geolife uses as well: six lines, then rows
/// without a header.
enum PLT {
  /// The lines before the rows.
  static let lines = 6

  /// Whether a file begins as such a track; nil when too few bytes are known.
  static func isTrack(_ bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> Bool? {
    for signature in signatures {
      let end = min(start + signature.count, bytes.count)
      guard signature.starts(with: (start..<end).map { bytes[$0] }) else { continue }
      if end - start == signature.count { return true }
      return isFinal ? false : nil
    }
    return false
  }

  private static let signatures = ["Geolife trajectory", "OziExplorer Track Point File"].map {
    Array($0.utf8)
  }

  /// Latitude, longitude, the start of a segment, the altitude in feet (-777 for none), days since 30
  /// December 1899; then date and time again, as text.
  static var header: CSVHeader {
    let columns = [
      CSVHeader.Column(role: .latitude, index: 0), CSVHeader.Column(role: .longitude, index: 1),
      CSVHeader.Column(role: .altitude, index: 3, unit: .feet, absent: -777),
      CSVHeader.Column(role: .time, index: 4, unit: .serialDays),
    ]
    return CSVHeader(
      columns: columns, count: 7, separator: UInt8(ascii: ","),
      notes: ["columns: those of OziExplorer's track files, altitude in feet"])
  }
}
