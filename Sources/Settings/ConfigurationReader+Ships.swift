internal import Receivers
internal import Yams

/// The ships of the config's `sources`.
extension ConfigurationReader {
  private static let mostDevices = 100_000

  /// The value of a key that is true or false; nil without one.
  mutating func flag(_ name: String, of keys: ConfigurationKeys) -> Bool? {
    guard let node = keys[name] else { return nil }
    switch Self.text(node)?.lowercased() {
    case "true": return true
    case "false": return false
    default:
      note(node, keys.path(name), expected: "true or false")
      return nil
    }
  }

  /// Reads `ais` and `most` of a source.
  mutating func readShips(_ keys: ConfigurationKeys, of source: inout Configuration.Source) {
    if flag("ais", of: keys) == true { source.ships = Configuration.Source.mostShips }
    if let most = keys["most"] {
      let count = Self.text(most).flatMap { Int($0) }
      if let count, 1...Self.mostDevices ~= count {
        guard keys.has("ais") else {
          return note(
            most, keys.path("most"), found: "it without ais", expected: "ais: true beside it")
        }
        if source.ships != nil { source.ships = count }
      } else {
        note(most, keys.path("most"), expected: "a number of devices from 1 to 100000")
      }
    }
    if let device = source.device, source.ships != nil, ShipReport.isShip(device) {
      note(
        keys["device"] ?? keys.node, keys.path("device"), found: "the device of a ship",
        expected: "a name that no ship has, such as boat")
    }
  }
}
