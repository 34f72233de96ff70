/// The meaning of the columns of a table in memory, recognised as those of a CSV file are.
package struct TableColumns {
  /// A column that is used.
  package struct Column: Sendable, Hashable {
    /// The name of its field, such as `latitude`.
    package let field: String
    /// From 0.
    package let index: Int
    /// A value times `factor` over `divisor` is in the unit of a fix.
    package let factor, divisor: Double
    /// A value that means that there is none; nil for no such value.
    package let absent: Double?
    /// Nanoseconds for each unit of a time; nil when its size shows the unit.
    package let timeUnit: Int64?
  }

  /// A column that says something about its row, or about another column.
  package struct Mark: Sendable, Hashable {
    /// What it says: `latitudeHemisphere`, `longitudeHemisphere`, `validity`, `kind` or
    /// `speedWithoutUnit`, which is not read.
    package let name: String
    /// From 0.
    package let index: Int
    /// The kind of the rows that are fixes; nil for a column of another meaning.
    package var kind: String?
  }

  /// Why the columns cannot be used.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let columns: [Column]
  /// The columns that change what a row means.
  package let marks: [Mark]

  /// Finds the columns by their names; a choice comes before what the names mean.
  package init(names: [String], choice: ColumnChoice) throws(Failure) {
    let header: CSVHeader
    do throws(CSVHeader.HeaderError) {
      header = try CSVHeader(names, separator: UInt8(ascii: ","), choice: choice)
    } catch {
      throw Failure(description: Self.message(error))
    }
    if let place = header.speedUnit {
      throw Failure(
        description: "column '\(names[place])' has the unit of each row's speed, which is read in "
          + "CSV files alone; convert the speeds to m/s and drop the column")
    }
    columns = header.columns.map { Column($0) }
    marks = Self.marks(of: header)
  }

  private static func marks(of header: CSVHeader) -> [Mark] {
    let places = [
      ("latitudeHemisphere", header.hemispheres.latitude),
      ("longitudeHemisphere", header.hemispheres.longitude), ("validity", header.validity),
      ("speedWithoutUnit", header.unclearSpeed),
    ]
    var marks = places.compactMap { name, index in index.map { Mark(name: name, index: $0) } }
    if let kind = header.kindOfRows { marks.append(Mark(name: "kind", index: 0, kind: kind)) }
    return marks
  }

  private static func message(_ error: CSVHeader.HeaderError) -> String {
    switch error {
    case .missing(let role, let found):
      "no column has the \(role.name), expected at least time, latitude and longitude, found "
        + "\(CSVHeader.list(found)); name it with columns, such as \(role.name)=NAME"
    case .duplicated(let role, let column):
      "two columns are the \(role.name), the second one is number \(column + 1); rename one, or "
        + "name the one with columns, such as \(role.name)=NAME"
    case .unknownColumn, .unknownUnit, .ambiguous: error.message
    }
  }
}

extension TableColumns.Column {
  init(_ column: CSVHeader.Column) {
    field = column.role.name
    index = column.index
    (factor, divisor) = (column.unit.factor, column.unit.divisor)
    absent = column.absent.isNaN ? nil : column.absent
    timeUnit = if case .units(let unit) = column.unit.time { unit } else { nil }
  }
}
