internal import Text

/// The datum of the positions of a trace, which are all read as those of WGS 84.
package enum Datum {
  /// What the user should know of positions in another datum; nil for WGS 84, and for those that differ
  /// from it by a few metres at most.
  ///
  /// - Parameters:
  ///   - name: The datum as the trace names it.
  ///   - remedy: How to convert the trace.
  package static func note(_ name: String, remedy: String = usualRemedy) -> String? {
    let key = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    guard !key.isEmpty, !codes.contains(key), !near.contains(where: { key.contains($0) }) else {
      return nil
    }
    let shown = name.withoutControls.prefix(40)
    return "the datum is \(shown), not WGS 84; positions are read as WGS 84, and may be off by "
      + "tens or hundreds of metres; \(remedy)"
  }

  /// For traces that no converter known to us converts.
  package static let usualRemedy = "convert them first, as cs2cs of PROJ does"

  /// The codes of NMEA 0183 for WGS 84, for PZ-90, the datum of GLONASS, and for NAD 83.
  private static let codes: Set = ["w84", "p90", "nar"]
  private static let near = [
    "wgs84", "wgs1984", "pz90", "nad83", "northamerican1983", "etrs89", "gda94", "gda2020",
    "nzgd2000",
  ]
}
