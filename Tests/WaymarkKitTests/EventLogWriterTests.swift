import Testing
import WaymarkKit

@Suite("The writer of the event log")
struct EventLogWriterTests {
  private let records = EventCodingTests.events.map { EventRecord(device: "van", event: $0) }

  private func log(_ format: EventLogFormat, _ records: [EventRecord]) -> String {
    var (writer, bytes) = (EventLogWriter(format), [UInt8]())
    writer.begin(into: &bytes)
    for record in records { writer.append(record, to: &bytes) }
    writer.end(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("JSON Lines has a line for each event, that of the record")
  func lines() {
    #expect(log(.jsonl, records) == records.map { $0.json + "\n" }.joined())
    #expect(log(.jsonl, []).isEmpty)
  }

  @Test("CSV has a header and a row for each event")
  func csv() {
    let rows = log(.csv, records).split(separator: "\n")
    #expect(rows.count == records.count + 1)
    #expect(rows[0].hasPrefix("type,id,device,fence,time,decided,latitude,longitude"))
    #expect(rows[1].hasPrefix("enter,\(records[0].id),van,home,2026-05-02T06:31:00.250Z"))
  }

  @Test("documents for maps are whole, with and without events")
  func documents() {
    for records in [records, []] {
      #expect(log(.geojson, records).hasSuffix("}\n"))
      #expect(log(.gpx, records).hasSuffix("</gpx>\n"))
      #expect(log(.kml, records).hasSuffix("</kml>\n"))
    }
  }

  @Test("the columns of the text fit the fences that are given")
  func text() throws {
    let name = "a-long-name-of-a-fence"
    let fence = Fence(id: name, center: Coordinate(latitude: 1, longitude: 2), radius: 50)
    var (wide, bytes) = (EventLogWriter(.text, fences: try FenceSet([fence])), [UInt8]())
    wide.append(records[0], to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self).contains(
        "enter  home" + String(repeating: " ", count: name.count - 4)))
    #expect(log(.text, records).split(separator: "\n").count == records.count)
  }
}
