/// Speeds beside an MMSI whose unit no name states.
///
/// MarineTraffic writes tenths of a knot in `SPEED`, Spire and AISHub write knots; few write metres per
/// second.
enum ShipSpeed {
  /// Whether a column is a speed whose name states no unit; `sog` is in knots.
  static func isUnclear(_ name: CSVColumnName) -> Bool {
    guard let meaning = name.meaning, meaning.role == .speed else { return false }
    return meaning.unit == CSVUnit() && !name.statesUnit(of: .speed)
  }

  /// Why a speed is left out, and what to do.
  static func note(_ name: String) -> String {
    let name = String(name.prefix(40))
    return "`\(name)` is left out: beside an MMSI speeds are in knots or in tenths of a knot, and "
      + "the name states no unit; rename it with its unit, as speed_kn, or give the unit with "
      + "--columns \"speed=\(name) [kn]\""
  }
}
