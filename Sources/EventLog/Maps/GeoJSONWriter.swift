internal import Geodesy
internal import Text

/// Writes events as features of a GeoJSON collection: a point, and the keys of the event log as its
/// properties.
enum GeoJSONWriter {
  static func append(_ entry: LogEntry, isFirst: Bool, to buffer: inout [UInt8]) {
    buffer.append(isFirst ? "\n" : ",\n")
    buffer.append("{\"type\":\"Feature\",\"properties\":")
    JSONLinesWriter.append(entry, to: &buffer)
    // Its line feed.
    buffer.removeLast()
    buffer.append(",\"geometry\":")
    if let coordinate = entry.coordinate, coordinate.isValid {
      buffer.append("{\"type\":\"Point\",\"coordinates\":[")
      DecimalText.append(coordinate.longitude, decimals: 7, to: &buffer)
      buffer.append(",")
      DecimalText.append(coordinate.latitude, decimals: 7, to: &buffer)
      buffer.append("]}")
    } else {
      buffer.append("null")
    }
    buffer.append("}")
  }
}
