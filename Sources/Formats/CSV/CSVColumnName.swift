/// The name of a column in a header, and what it means.
struct CSVColumnName {
  /// As written.
  let text: String
  /// Letters and digits in lower case, without what is in brackets.
  let key: String
  /// The same of what is in brackets.
  private let bracket: String

  init(_ text: String) {
    self.text = text
    let outside = text.prefix { $0 != "(" && $0 != "[" }
    // A name in brackets alone is a name.
    let end = outside.isEmpty ? text.endIndex : outside.endIndex
    key = Self.key(text[..<end])
    bracket = Self.key(text[end...])
  }

  /// Letters and digits in lower case.
  static func key(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "°" })
  }

  /// Whether a time of this name is of UTC, or else of a place; nil when the name says neither.
  var isUniversal: Bool? {
    if ["utc", "gmt", "z"].contains(bracket) { return true }
    if bracket == "local" { return false }
    // `GMT+2` is another clock.
    let isOffset = key.dropFirst(3).first?.isNumber == true
    if ["utc", "gmt"].contains(where: { key.hasPrefix($0) && !isOffset || key.hasSuffix($0) }) {
      return true
    }
    return key.hasPrefix("local") || key.hasSuffix("local") ? false : nil
  }

  /// Whether this time is read and another one is not, as one of both is of UTC; nil when the names do not
  /// decide it.
  func isRead(beside other: CSVColumnName) -> Bool? {
    guard isUniversal == true || other.isUniversal == true, isUniversal != other.isUniversal
    else { return nil }
    let (universal, plain) = isUniversal == true ? (self, other) : (other, self)
    // It may be a time of day beside a whole time.
    let isClock = ["utctime", "gmttime"].contains(universal.key)
    guard !isClock || plain.key == "time" || plain.isUniversal == false else { return nil }
    // When a record was made or changed is not when the device was there.
    let isOfRecord = ["created", "last"].contains { universal.key.hasPrefix($0) }
    guard !isOfRecord || key == other.key || isUniversal != nil && other.isUniversal != nil
    else { return nil }
    return isUniversal == true
  }

  /// What may stand before a name.
  static let prefixes = ["gps", "location", "position", "coords", "coordinates"]

  /// The key, and what is left of it without what may stand before a name.
  var keys: [String] {
    [key]
      + Self.prefixes.filter { key.utf8.starts(with: $0.utf8) }.map {
        String(key.dropFirst($0.count))
      }
  }

  /// What the name means: a role, the rank of its alias, and the unit; nil when it means nothing.
  var meaning: (role: CSVRole, rank: Int, unit: CSVUnit)? {
    if let found = meaning(of: key, bracket) { return found }
    for prefix in Self.prefixes where key.utf8.starts(with: prefix.utf8) {
      if let found = meaning(of: String(key.dropFirst(prefix.count)), bracket) { return found }
    }
    return nil
  }

  private func meaning(
    of name: String, _ bracket: String
  ) -> (role: CSVRole, rank: Int, unit: CSVUnit)? {
    if let found = CSVRole.byAlias[name], let unit = unit(bracket, of: found.role, name) {
      return (found.role, found.rank, unit)
    }
    return bracket.isEmpty ? meaning(of: name) : nil
  }

  /// The meaning of a name that ends with its unit, as `speed_kmh`.
  private func meaning(of name: String) -> (role: CSVRole, rank: Int, unit: CSVUnit)? {
    for count in 1..<max(name.count, 1) {
      guard let found = CSVRole.byAlias[String(name.dropLast(count))] else { continue }
      var ending = String(name.suffix(count))
      if ending.hasPrefix("in") { ending = String(ending.dropFirst(2)) }
      if let unit = CSVUnit(ending, of: found.role) { return (found.role, found.rank, unit) }
    }
    return nil
  }

  /// The unit in brackets; that of the alias without brackets, nil when it is unknown.
  private func unit(_ bracket: String, of role: CSVRole, _ alias: String) -> CSVUnit? {
    guard bracket.isEmpty else { return CSVUnit(bracket, of: role) }
    return alias == "sog" ? .knots : CSVUnit()
  }

  /// The unit of a column that the user gave a role: the one that its name ends with.
  func unit(of role: CSVRole) -> CSVUnit {
    if let meaning, meaning.role == role { return meaning.unit }
    return lastUnit(of: role) ?? CSVUnit()
  }

  /// Whether the name states a unit of the role, as `speed_ms` does, and `speed` does not.
  func statesUnit(of role: CSVRole) -> Bool {
    guard let meaning, meaning.role == role else { return lastUnit(of: role) != nil }
    return !bracket.isEmpty || !keys.contains { CSVRole.byAlias[$0] != nil }
  }

  private func lastUnit(of role: CSVRole) -> CSVUnit? {
    let words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "/") }
    let last = words.count > 1 ? words.last.map { Self.key($0) } : nil
    return CSVUnit(bracket, of: role) ?? last.flatMap { CSVUnit($0, of: role) }
  }
}
