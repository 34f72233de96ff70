internal import Geodesy
internal import Text
import Tracking

/// Writes events as waypoints of GPX 1.1, the keys of the event log in extensions.
///
/// A waypoint needs a place: an entry without one, a problem, is left out.
enum GPXEvents {
  static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    guard let coordinate = entry.coordinate, coordinate.isValid else { return }
    buffer.append("<wpt lat=\"")
    DecimalText.append(coordinate.latitude, decimals: 7, to: &buffer)
    buffer.append("\" lon=\"")
    DecimalText.append(coordinate.longitude, decimals: 7, to: &buffer)
    buffer.append("\">")
    if let time = entry.time {
      buffer.append("<time>")
      TimeText.append(time, to: &buffer)
      buffer.append("</time>")
    }
    buffer.append("<name>")
    XMLText.append(entry.title, to: &buffer)
    buffer.append("</name><type>")
    XMLText.append(entry.kind.rawValue, to: &buffer)
    buffer.append("</type><extensions>")
    var sink = XMLSink(.element)
    sink.write(entry, to: &buffer)
    buffer.append("</extensions></wpt>\n")
  }
}
