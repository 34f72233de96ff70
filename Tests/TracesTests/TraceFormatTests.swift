@testable import Formats
import Testing

@Suite("Formats are detected by their content")
struct TraceFormatTests {
  private func detect(_ text: String, isFinal: Bool = true) -> TraceFormat.Detection {
    TraceFormat.detect(Array(text.utf8)[...], isFinal: isFinal)
  }

  @Test(
    "logs of receivers",
    arguments: [
      (#"{"class":"VERSION","release":"3.22"}"#, TraceFormat.gpsd),
      (#"{"altHAE": 47.5, "class": "TPV"}"#, .gpsd),
      (#"{"class":"AIS","type":1}"#, .gpsd),
      ("# a log\r\n\r\n# 54 N\r\n{\"class\":\"SKY\"}", .gpsd),
      (#"2026-11-22 10:15:00: {"class":"TPV"}"#, .gpsd),
      (#"5.25,"lon":7.4}"# + "\n" + #"{"class":"TPV"}"#, .gpsd),
      ("$GPRMC,120000,A", .nmea), ("!AIVDM,1,1", .nmea), ("$PUBX,00,1", .nmea),
      ("2.0,N,00724.0,E*1C\r\n$GPGGA,1", .nmea),
      ("# latitude of the boat\n$GPGGA,1", .nmea),
      ("2026-11-22 10:15:00.123456: $GPGGA,1", .nmea),
      (#"{"type":"fix","class":"TPV"}"#, .ndjson), (#"{"latitude":1,"longitude":2}"#, .ndjson),
      (#"{"class":"boat","latitude":1}"#, .ndjson), ("{", .ndjson), ("{]", .ndjson),
      ("time,latitude,longitude\n", .csv), ("#time,latitude,longitude\n", .csv), (" <gpx", .gpx),
      ("{\n \"locations\" : [ {\n \"timestamp\": 1", .googleRecords),
      (#"{"locations":[{"activity":[{"a":1}],"latitudeE7":1"#, .googleRecords),
      (#"{"locations":[]}"#, .googleRecords),
      (#"{"type":"FeatureCollection","features":[]}"#, .geoJSON),
      (#"{"name":"x","crs":null,"features":[]}"#, .geoJSON), (#"{"type":"Point"}"#, .geoJSON),
      (#"[{"properties":{},"geometry":null}]"#, .geoJSON),
      (#"{"type":"enter","latitude":1}"#, .ndjson),
      ("NMEA,$GPRMC,120000,A,5412*00,1\n", .nmea), ("cnav\t2021:060:10:00\t$GPZDA,1\n", .nmea),
      ("Format,3\nCreated,x\ntimestamp,latitude,longitude\n", .csv),
    ])
  func known(text: String, format: TraceFormat) {
    #expect(detect(text) == .format(format))
    #expect(detect("\u{FEFF}" + text) == .format(format))
  }

  @Test(
    "more bytes never change a detected format",
    arguments: [
      #"{"class":"VERSION","release":"3.22"}"#, #"{"latitude":1,"class":"TPV"}"#,
      "# one\n#two\r\n$GPRMC,120000,A,5412\r\n", "1,2\n$GPRMC,12", #"{"type":"fix"}"#,
      "<!doctype html><html>", "<html lang=en>", "<!-- a -->\n<gpx>",
    ])
  func prefixes(text: String) {
    let whole = detect(text)
    for count in 0..<text.utf8.count {
      let part = detect(String(text.prefix(count)), isFinal: false)
      #expect(part == .undecided || part == whole, "\(count) bytes")
    }
  }

  @Test(
    "a JSON document of another kind is unknown, lines of a log are not",
    arguments: [
      ("{\n  \"name\": \"waymark\",\n  \"private\": true\n}", TraceFormat.Detection.unknown),
      ("{\n  \"name\": \"way", .unknown), (#"[{"id":1}]"#, .unknown),
      (#"{"createdTime":"2015","deviceSettings":[{"deviceTag":77}]}"#, .unknown),
      ("{\"name\":\"waymark\"}\r\n\n", .unknown), ("{}", .unknown),
      (#"{"devices":[{"id":7}]}"#, .unknown),
      ("{\"name\":\"\(String(repeating: "x", count: 1 << 16))", .unknown),
      (#"{"device":"a","latit"#, .format(.ndjson)), (#"{"type":"Settings"}"#, .format(.ndjson)),
      ("{\"id\":1}\n[", .format(.ndjson)),
      ("{\"type\":\"fix\",\n{\"type\":\"fix\"}", .format(.ndjson)),
      ("{\"id\":1}\n{\"id\":2}\n", .format(.ndjson)),
      ("[12.5] a note\n$GPRMC,120000,A", .format(.nmea)),
    ])
  func otherDocuments(text: String, found: TraceFormat.Detection) {
    #expect(detect(text) == found)
  }

  @Test("an object on a line decides nothing before the next line or the end")
  func oneLine() {
    #expect(detect("{\"id\":1}\n", isFinal: false) == .undecided)
    #expect(detect("{\"id\":1}\n{\"id\":2}\n", isFinal: false) == .format(.ndjson))
    #expect(detect("{\"latitude\":1}", isFinal: false) == .format(.ndjson))
  }

  @Test(
    "an unknown format is not taken for a known one", arguments: ["hello\nworld\n", "$5,00 each\n"])
  func unknown(text: String) {
    #expect(detect(text) == .undecided)
    #expect(detect(String(repeating: text, count: 100)) == .unknown)
  }
}
