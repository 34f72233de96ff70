/// The columns of a table as its user names them: `time=ts,latitude=y`.
package struct ColumnChoice: Sendable, Hashable {
  /// The column of each field, by its name in the header or by its number from 1.
  private(set) var columns: [CSVRole: String] = [:]

  package init() {}

  package var isEmpty: Bool { columns.isEmpty }

  /// The form, for messages.
  package static let form = "fields and columns such as time=ts,latitude=y,longitude=x"

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
