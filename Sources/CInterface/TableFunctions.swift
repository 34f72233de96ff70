internal import CWaymark
internal import Formats
internal import Text

/// Finds the columns of a table by their names.
@c @implementation
public func waymark_columns_match(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ choice: UnsafePointer<CChar>?,
  _ columns: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let result = try target(columns, "columns")
    guard Received.possibleCounts.contains(count) else {
      throw Misuse("count is \(UInt(bitPattern: count))")
    }
    guard let names else { throw Misuse("names is NULL") }
    let texts = try (0..<count).map { index in
      guard let name = names[index] else { throw Misuse("names[\(index)] is NULL") }
      return String(cString: name)
    }
    var chosen = ColumnChoice()
    if let choice { chosen = try ColumnChoice(parsing: String(cString: choice)) }
    result.pointee = Given.text(try TableColumns(names: texts, choice: chosen).json)
  }
}

extension TableColumns {
  /// A JSON object of the columns by field, and of those that change what a row means.
  fileprivate var json: [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      for column in columns {
        json.object(column.field) { json in
          json.number("column", column.index)
          json.number("factor", column.factor, decimals: 9)
          json.number("divisor", column.divisor, decimals: 9)
          if let absent = column.absent { json.number("absent", absent, decimals: 9) }
          if column.field == "time" { json.number("unit", Int(column.timeUnit ?? 0)) }
        }
      }
      for mark in marks {
        json.object(mark.name) { json in
          json.number("column", mark.index)
          if let kind = mark.kind { json.text("value", kind) }
        }
      }
    }
    return json.bytes
  }
}
