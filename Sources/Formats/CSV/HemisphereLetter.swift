/// The letter of a hemisphere, which stands beside a number of degrees.
enum HemisphereLetter: Sendable {
  case north, south, east, west

  /// Nil for a text that is neither a letter of the coordinate nor its word.
  init?(_ text: String, of role: CSVRole) {
    switch (role, text.uppercased()) {
    case (.latitude, "N"), (.latitude, "NORTH"): self = .north
    case (.latitude, "S"), (.latitude, "SOUTH"): self = .south
    case (.longitude, "E"), (.longitude, "EAST"): self = .east
    case (.longitude, "W"), (.longitude, "WEST"): self = .west
    default: return nil
    }
  }

  /// Whether the number is below 0.
  var isNegative: Bool { self == .south || self == .west }

  /// The letter, for messages.
  var name: String {
    switch self {
    case .north: "N"
    case .south: "S"
    case .east: "E"
    case .west: "W"
    }
  }

  /// The letters of a coordinate, for messages.
  static func expectation(of role: CSVRole) -> String { role == .latitude ? "N or S" : "E or W" }
}
