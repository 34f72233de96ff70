extension GeoJSONFeature {
  /// A property with a meaning: one value, or a list with one for each position.
  struct Property: Sendable {
    let role: CSVRole
    /// Of several properties with the same role, that of the lowest rank is read.
    let rank: Int
    let unit: CSVUnit
    /// Whether the name says that its times are of UTC.
    let isUniversal: Bool
    /// The name of a time, unless it is one of the lists of converters.
    private let column: CSVColumnName?

    init?(named name: String) {
      let column = CSVColumnName(name)
      isUniversal = column.isUniversal == true
      if name == "coordTimes" || name == "times" || name == "timestamps" {
        // Converters write `time` as well: when the line begins.
        (role, rank, unit, self.column) = (.time, -1, CSVUnit(), nil)
        return
      }
      guard let meaning = column.meaning else { return nil }
      switch meaning.role {
      case .latitude, .longitude, .date: return nil
      default: (role, rank, unit) = (meaning.role, meaning.rank, meaning.unit)
      }
      self.column = meaning.role == .time ? column : nil
    }

    /// Whether its times are read, and not those of another, when both can be.
    func isRead(before other: Self) -> Bool {
      if let column, let second = other.column, let isRead = column.isRead(beside: second) {
        return isRead
      }
      return rank < other.rank
    }

    func problem(_ expected: String) -> String {
      "the \(role.name) is not \(expected); it is left out"
    }
  }
}
