/// The columns of a table as its user names them: `time=ts,latitude=y`.
package struct ColumnChoice: Sendable, Hashable {
  /// The column of each field, by its name in the header or by its number from 1.
  private(set) var columns: [CSVRole: String] = [:]

  package init() {}

  package var isEmpty: Bool { columns.isEmpty }

  /// The form, for messages.
  package static let form = "fields and columns such as time=ts,latitude=y,longitude=x"

  /// The parts of a column with the unit of its values, as `v [km/h]`; nil for one without a unit.
  ///
  /// A column may have such a name as well, which comes first.
  static func parts(of text: String) -> (column: String, unit: String)? {
    guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "[") else { return nil }
    let column = String(text[..<bracket]).trimmed
    guard !column.isEmpty else { return nil }
    return (column, String(text[text.index(after: bracket)...].dropLast()))
  }

  /// The field of a name and the unit that the user gave it, nil for none; nil when the user did not choose
  /// the name.
  func field(of name: String) -> (role: CSVRole, unit: CSVUnit?)? {
    let key = name.lowercased()
    if let role = columns.first(where: { $0.value.lowercased() == key })?.key { return (role, nil) }
    for role in CSVRole.allCases {
      guard let text = columns[role], let parts = Self.parts(of: text),
        parts.column.lowercased() == key,
        let unit = CSVUnit(written: parts.unit, of: role)
      else { continue }
      return (role, unit)
    }
    return nil
  }

  /// Why a choice is invalid.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads `time=ts,latitude=y`.
  package init(parsing text: String) throws(Failure) {
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: "=") else {
        throw Failure(description: "'\(pair)' names no column, expected \(Self.form)")
      }
      try add(String(pair[..<equals]), column: String(pair[pair.index(after: equals)...]))
    }
  }

  /// Adds the column of a field.
  package mutating func add(_ field: String, column: String) throws(Failure) {
    let name = field.trimmed
    guard let role = CSVRole.allCases.first(where: { $0.name == name }) else {
      let known = CSVRole.allCases.map(\.name).joined(separator: ", ")
      throw Failure(description: "there is no field '\(name)', expected one of \(known)")
    }
    let column = column.trimmed
    guard !column.isEmpty else {
      throw Failure(description: "the column of \(name) is empty, expected \(Self.form)")
    }
    guard columns.updateValue(column, forKey: role) == nil else {
      throw Failure(description: "\(name) has two columns, expected one")
    }
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
