internal import Geodesy
internal import Text
import Tracking

/// Writes events as placemarks of KML 2.2, the keys of the event log as extended data.
///
/// A visit has a span of time, any other event an instant, so that a program can play them.
enum KMLEvents {
  static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    buffer.append("<Placemark><name>")
    XMLText.append(entry.title, to: &buffer)
    buffer.append("</name>")
    if let visit = entry.event?.statement.visit {
      buffer.append("<TimeSpan><begin>")
      TimeText.append(visit.arrival, to: &buffer)
      buffer.append("</begin>")
      if let departure = visit.departure {
        buffer.append("<end>")
        TimeText.append(departure, to: &buffer)
        buffer.append("</end>")
      }
      buffer.append("</TimeSpan>")
    } else if let time = entry.time {
      buffer.append("<TimeStamp><when>")
      TimeText.append(time, to: &buffer)
      buffer.append("</when></TimeStamp>")
    }
    buffer.append("<ExtendedData>")
    var sink = XMLSink(.data)
    sink.write(entry, to: &buffer)
    buffer.append("</ExtendedData>")
    if let coordinate = entry.coordinate, coordinate.isValid {
      buffer.append("<Point><coordinates>")
      DecimalText.append(coordinate.longitude, decimals: 7, to: &buffer)
      buffer.append(",")
      DecimalText.append(coordinate.latitude, decimals: 7, to: &buffer)
      buffer.append("</coordinates></Point>")
    }
    buffer.append("</Placemark>\n")
  }
}
