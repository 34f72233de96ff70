internal import Text
import Traces

/// Track files of OziExplorer (`.plt`), which the data set Geolife uses as well: six lines, then rows
/// without a header.
enum PLT {
  /// The lines before the rows.
  static let lines = 6
  /// How many of these lines are left at the one that names the datum, the second.
  static let linesFromDatum = lines - 1
  /// More bytes of that line than a name of OziExplorer's has.
  static let longestDatum = 64

  /// What to note of the datum that the second line names; nil for WGS 84.
  static func note(datum line: [UInt8]) -> String? {
    guard let name = GPXText.name(line.span) else { return nil }
    return Datum.note(
      name, remedy: "convert the file first: gpsbabel -t -i ozi -f FILE -o gpx -F track.gpx")
  }

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
