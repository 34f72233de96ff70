internal import Text

/// Columns of the letters N or S and E or W beside columns of degrees.
enum CSVHemisphere {
  /// The columns of both letters; one alone is something else.
  ///
  /// - Parameter chosen: The columns that the user named.
  static func columns(
    _ names: [CSVColumnName], _ chosen: [CSVHeader.Column]
  ) -> (latitude: Int?, longitude: Int?) {
    guard let latitude = column(of: .latitude, names, chosen),
      let longitude = column(of: .longitude, names, chosen)
    else { return (nil, nil) }
    return (latitude, longitude)
  }

  private static func column(
    of role: CSVRole, _ names: [CSVColumnName], _ chosen: [CSVHeader.Column]
  ) -> Int? {
    func isLetter(_ name: CSVColumnName) -> Bool { coordinate(of: name) == role }
    func isDegrees(_ name: CSVColumnName) -> Bool { name.meaning?.role == role }
    let hasDegrees =
      chosen.contains { $0.role == role } || names.contains { isDegrees($0) && !isLetter($0) }
    return names.indices.first { index in
      guard isLetter(names[index]), !chosen.contains(where: { $0.index == index }) else {
        return false
      }
      // `LATITUDE N/S` alone has the degrees as well.
      return hasDegrees || !isDegrees(names[index])
    }
  }

  /// The coordinate whose letters a column of a name has, if not its degrees; nil for another name.
  static func coordinate(of name: CSVColumnName) -> CSVRole? {
    let keys = name.keys
    if keys.contains(where: latitudes.contains) { return .latitude }
    return keys.contains(where: longitudes.contains) ? .longitude : nil
  }

  private static let latitudes = keys(
    ["latitude", "lat"], ["ns"],
    ["ns", "nsindicator", "northsouth", "hemispherens", "nshemisphere"])
  private static let longitudes = keys(
    ["longitude", "long", "lon", "lng"], ["ew"],
    ["ew", "ewindicator", "eastwest", "hemisphereew", "ewhemisphere"])

  private static func keys(_ roles: [String], _ own: [String], _ whole: [String]) -> Set<String> {
    let endings = own + ["dir", "direction", "ref", "hemi", "hemisphere"]
    return Set(whole + roles.flatMap { role in endings.map { role + $0 } })
  }

  /// Whether a column may be one of letters by its name: a flag such as `trip` is not.
  private static func mayBeLetters(_ name: String, of parts: [String]) -> Bool {
    let letters = String(name.lowercased().filter(\.isLetter))
    return parts.contains { letters.contains($0) }
  }

  /// What to do about two columns of letters that are not read; nil when a row shows none.
  ///
  /// Both letters must be there: one alone may be the direction in which the device goes. Beside a number
  /// with a sign they add nothing.
  ///
  /// - Parameter name: The name of a column, for the message.
  static func problem(
    in record: CSVRecord, _ bytes: Span<UInt8>, _ header: CSVHeader, name: (Int) -> String
  ) -> String? {
    guard header.hemispheres.latitude == nil, header.hasPlainPosition(record, bytes) else {
      return nil
    }
    var found: (latitude: Int?, longitude: Int?) = (nil, nil)
    for index in record.cells.indices where !header.columns.contains(where: { $0.index == index }) {
      let range = bytes.trimmed(record.cells[index].range)
      guard range.count == 1 else { continue }
      switch bytes[range.lowerBound].lowercased {
      case UInt8(ascii: "n"), UInt8(ascii: "s"): found.latitude = found.latitude ?? index
      case UInt8(ascii: "e"), UInt8(ascii: "w"): found.longitude = found.longitude ?? index
      default: break
      }
    }
    guard let latitude = found.latitude, let longitude = found.longitude,
      mayBeLetters(name(latitude), of: ["lat", "hemi", "ns", "nors", "north", "south"]),
      mayBeLetters(name(longitude), of: ["lon", "lng", "hemi", "ew", "eorw", "east", "west"])
    else { return nil }
    return "the columns \(name(latitude)) and \(name(longitude)) have letters of hemispheres and "
      + "are not read, so positions may be on the wrong side of the Earth; rename these columns to "
      + "N/S and E/W"
  }
}
