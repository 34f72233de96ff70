@testable import Formats
import TestSupport
import Testing
import Text
@testable import Traces
import Tracking

/// The first fix of a table, which has no problem, and the notes.
private func first(_ text: String, zone: Int? = nil) throws -> (fix: Fix, notes: [String]) {
  var options = ReadingOptions()
  options.zone = zone.map { seconds in LocalZone(name: "Test/Zone") { _ in seconds } }
  let decoded = decode(text, with: CSVDecoder(options))
  #expect(decoded.issues.map(\.shown) == [])
  let point = try #require(decoded.points.first)
  return (point.fix, decoded.marks)
}

/// 2025-03-10T14:02:07Z.
private let noon = Timestamp(nanoseconds: 1_741_615_327_000_000_000)

/// Which clock the times of a table are of.
@Suite("Clocks of tables")
struct CSVClockTests {
  @Test(
    "of two times that of UTC is read, and the local one is named",
    arguments: [
      ("datetime(utc)", "datetime(local)"), ("Timestamp (UTC)", "Timestamp (local)"),
      ("time [GMT]", "time"), ("datetime_utc", "datetime_local"), ("utc_time", "time (local)"),
      ("datetime (Z)", "datetime"), ("utc time", "time"), ("timestamp_utc", "timestamp"),
      ("UTC Time", "local time"),
    ])
  func localTimes(universal: String, local: String) throws {
    let (utc, other) = ("2025-03-10 14:02:07", "2025-03-10 15:02:07")
    for (header, row) in [
      ("\(universal),\(local)", "\(utc),\(other)"),
      ("\(local),\(universal)", "\(other),\(utc)"),
    ] {
      let found = try first("\(header),latitude,longitude\n\(row),1,2\n")
      #expect(found.fix.time == noon)
      #expect(found.notes.contains { $0.contains("columns that are not read: \(local)\"") })
      #expect(!found.notes.contains { $0.contains("without a zone") })
      let away = try first("\(header),latitude,longitude\n\(row),1,2\n", zone: 3_600)
      #expect(away.fix.time == noon)
    }
  }

  @Test(
    "of two times of JSON records that of UTC is read, in any order",
    arguments: [
      ("datetime_utc", "datetime_local"), ("utc_time", "time"), ("timestamp_utc", "timestamp"),
      ("UTC Time", "local time"), ("datetime(utc)", "datetime"),
    ])
  func localMembers(universal: String, local: String) throws {
    let members = [
      "\"\(universal)\":\"2025-03-10 14:02:07\"", "\"\(local)\":\"2025-03-10 15:02:07\"",
    ]
    for times in [members, members.reversed()] {
      var options = ReadingOptions()
      options.zone = LocalZone(name: "Test/Zone") { _ in 3_600 }
      for options in [options, ReadingOptions()] {
        let decoded = decode(
          "[{\(times.joined(separator: ",")),\"latitude\":1,\"longitude\":2}]",
          with: JSONTraceDecoder(JSONTable(options)))
        #expect(decoded.points.map(\.fix.time) == [noon])
        #expect(decoded.marks.contains { $0.contains("members that are not read: \(local)\"") })
      }
    }
  }

  @Test("a time of day of UTC in JSON records does not replace another")
  func timesOfDay() {
    for members in [
      #""date":"2025-03-10","time":"14:02:07","utc_time":"13:02:07""#,
      #""utc_time":"13:02:07","time":"14:02:07","date":"2025-03-10""#,
      #""timestamp":"2025-03-10 14:02:07","created_at_utc":"2025-03-10 15:00:00""#,
    ] {
      let decoded = decode(
        "[{\(members),\"latitude\":1,\"longitude\":2}]",
        with: JSONTraceDecoder(JSONTable(ReadingOptions())))
      #expect(decoded.points.map(\.fix.time) == [noon])
    }
  }

  @Test(
    "a time of day without a date does not replace a whole time",
    arguments: [
      #""time":"16:20:00""#, #""time":"162000.5""#, #""gps_time":"16:20","datetime":"16:20:01""#,
      #""time":"16:20:00","recordedAt":"2025-03-11T00:00:00Z""#,
      #""time":"16:20:00","recordedAt":"unknown""#,
    ])
  func wholeTimes(members: String) {
    let members = members.split(separator: ",").map(String.init)
    for whole in ["2025-03-10T14:02:07Z", "2025-03-10 15:02:07"] {
      let all = members + [#""timestamp":"\#(whole)""#]
      for times in [all, all.reversed()] {
        var options = ReadingOptions()
        options.zone = LocalZone(name: "Test/Zone") { _ in 3_600 }
        let decoded = decode(
          "[{\(times.joined(separator: ",")),\"latitude\":1,\"longitude\":2}]",
          with: JSONTraceDecoder(JSONTable(options)))
        #expect(decoded.points.map(\.fix.time) == [noon])
        #expect(decoded.issues.isEmpty)
        #expect(decoded.marks.contains { $0.contains("time = `timestamp`") })
      }
    }
  }

  @Test("a time of day with a date is read as the names say")
  func dayAndTime() {
    let members = [
      #""date":"2025-03-10""#, #""time":"14:02:07""#, #""timestamp":"2025-03-11T00:00:00Z""#,
    ]
    for times in [members, members.reversed()] {
      let decoded = decode(
        "[{\(times.joined(separator: ",")),\"latitude\":1,\"longitude\":2}]",
        with: JSONTraceDecoder(JSONTable(ReadingOptions())))
      #expect(decoded.points.map(\.fix.time) == [noon] && decoded.issues.isEmpty)
    }
  }

  @Test(
    "of two times of GeoJSON that of UTC is read, in any order",
    arguments: [
      ("datetime_utc", "datetime_local"), ("utc_time", "time"), ("timestamp_utc", "timestamp"),
      ("UTC Time", "local time"), ("datetime(utc)", "datetime"),
    ])
  func localProperties(universal: String, local: String) {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Test/Zone") { _ in 3_600 }
    let (utc, other) = (#""2025-03-10 14:02:07""#, #""2025-03-10 15:02:07""#)
    for (utc, other, type, place) in [
      (utc, other, "Point", "[2,1]"),
      ("[\(utc),\(utc)]", "[\(other),\(other)]", "LineString", "[[2,1],[2,1]]"),
    ] {
      let properties = ["\"\(universal)\":\(utc)", "\"\(local)\":\(other)"]
      for times in [properties, properties.reversed()] {
        for options in [options, ReadingOptions()] {
          let decoded = decode(
            "{\"type\":\"Feature\",\"properties\":{\(times.joined(separator: ","))},"
              + "\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(place)}}",
            with: JSONTraceDecoder(GeoJSONContent(options)))
          #expect(decoded.issues.isEmpty && Set(decoded.points.map(\.fix.time)) == [noon])
          #expect(!decoded.marks.contains { $0.contains("without a zone") })
        }
      }
    }
  }

  @Test(
    "a time of GeoJSON that cannot be read does not replace one that can",
    arguments: [
      (#""time":null"#, 0), (#""time":"unknown""#, 1), (#""datetime_utc":"unknown""#, 1),
      (#""coordTimes":[]"#, 0),
      // These names are no better.
      (#""utc_time":"13:02:07""#, 0), (#""epoch":"J2000""#, 0),
    ])
  func unusableProperties(property: String, issues: Int) {
    let properties = [property, #""timestamp":"2025-03-10T14:02:07Z""#]
    for times in [properties, properties.reversed()] {
      let decoded = decode(
        "{\"type\":\"Feature\",\"properties\":{\(times.joined(separator: ","))},"
          + #""geometry":{"type":"Point","coordinates":[2,1]}}"#,
        with: JSONTraceDecoder(GeoJSONContent(ReadingOptions())))
      #expect(decoded.points.map(\.fix.time) == [noon])
      #expect(decoded.issues.count == issues)
    }
  }

  @Test("a time of JSON records that cannot be read does not replace one that can")
  func unusableTimes() {
    for (name, other) in [("utc_time", "time"), ("time", "timestamp")] {
      let members = [#""\#(name)":"unknown""#, #""\#(other)":"2025-03-10T14:02:07Z""#]
      for times in [members, members.reversed()] {
        let decoded = decode(
          "[{\(times.joined(separator: ",")),\"latitude\":1,\"longitude\":2}]",
          with: JSONTraceDecoder(JSONTable(ReadingOptions())))
        #expect(decoded.points.map(\.fix.time) == [noon])
        #expect(decoded.issues.map(\.code) == [.wrongTime])
      }
    }
  }

  @Test("a local time of day stays with a local date")
  func localDates() throws {
    for header in ["local date,local time,utc time", "local date,time,utc time"] {
      let found = try first("\(header),lat,lon\n2025-03-10,14:02:07,13:02:07,1,2\n")
      #expect(found.fix.time == noon)
    }
    let unmarkedDay = try first("date,time,utc time,lat,lon\n2025-03-10,14:02:07,13:02:07,1,2\n")
    #expect(unmarkedDay.fix.time == noon)
    let updated = try first(
      "last_updated,local date,time,utc_time,lat,lon\n"
        + "2025-03-11 01:00,2025-03-10,14:02:07,13:02:07,1,2\n")
    #expect(updated.fix.time == noon)
    let recorded = try first(
      "date,utc_time,lat,lon,last_updated\n2025-03-10,14:02:07,1,2,2025-03-11 01:00\n")
    #expect(recorded.fix.time == noon)
    let unmarked = try first(
      "date,utc date,time,lat,lon\n2025-03-10,2025-03-09,14:02:07,1,2\n")
    #expect(unmarked.fix.time == noon)
  }

  @Test(
    "a time of day of UTC has the day beside it, and no zone shifts it",
    arguments: ["utc date,time", "date,utc time", "date,time (utc)", "utc date,GMT time"])
  func universalDays(header: String) throws {
    for zone in [nil, 3_600] {
      let found = try first("\(header),lat,lon\n2025-03-10,14:02:07,1,2\n", zone: zone)
      #expect(found.fix.time == noon)
      #expect(!found.notes.contains { $0.contains("without a zone") })
    }
    let both = try first(
      "date,time,utc date,utc time,lat,lon\n2025-03-11,00:02:07,2025-03-10,14:02:07,1,2\n")
    #expect(both.fix.time == noon)
  }

  @Test("where the clock went back, the times of each device are followed by themselves")
  func devices() {
    var options = ReadingOptions()
    // At 2023-10-29T01:00:00Z it goes back from 03:00 to 02:00.
    options.zone = LocalZone(name: "Europe/Berlin") { $0 < 1_698_541_200 ? 7_200 : 3_600 }
    let rows = [
      ("a", "01:50:00"), ("a", "02:30:00"), ("b", "02:10:00"), ("", "02:40:00"), ("b", "02:20:00"),
      ("a", "02:10:00"), ("", "02:45:00"), ("b", "03:10:00"), ("a", "02:20:00"),
    ]
    let hours = [
      "a": [-4_200, -1_800, 600, 1_200], "b": [-3_000, -2_400, 4_200], "": [-1_200, -900],
    ]
    let table = rows.map { "2023-10-29 \($0.1),1,2,\($0.0)\n" }.joined()
    // In another order, with blanks.
    let blanks = rows.map { "\($0.0), 2023-10-29 \($0.1),1,2\n" }.joined()
    let lines = rows.map {
      #"{"time":"2023-10-29T\#($0.1)","latitude":1,"longitude":2,"device":"\#($0.0)"}"# + "\n"
    }
    let features = rows.map {
      #"{"type":"Feature","properties":{"time":"2023-10-29T\#($0.1)","device":"\#($0.0)"},"#
        + #""geometry":{"type":"Point","coordinates":[2,1]}}"#
    }
    let collection =
      #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    for decoded in [
      decode("time,latitude,longitude,device\n" + table, with: CSVDecoder(options)),
      decode("device, time,latitude,longitude\n" + blanks, with: CSVDecoder(options)),
      decode(lines.joined(), with: NDJSONDecoder(options)),
      decode(lines.joined(), with: JSONTraceDecoder(JSONTable(options))),
      decode(collection, with: JSONTraceDecoder(GeoJSONContent(options))),
    ] {
      #expect(decoded.issues.isEmpty)
      var found: [String: [Int]] = [:]
      for point in decoded.points {
        let name = point.device.map { decoded.devices[Int($0)] } ?? ""
        let seconds = (point.fix.time?.nanoseconds ?? 0) / 1_000_000_000 - 1_698_541_200
        found[name, default: []].append(Int(seconds))
      }
      #expect(found == hours)
    }
  }

  @Test("what is of UTC beside a whole time may be a time of day, or an offset")
  func clocks() throws {
    for (header, other) in [("utc_time", "14:02:07"), ("UTC", "140207.00"), ("utc", "+01:00")] {
      let found = try first("timestamp,\(header),lat,lon\n2025-03-10 14:02:07,\(other),1,2\n")
      #expect(found.fix.time == noon)
    }
    #expect(CSVColumnName("GMT+1 time").isUniversal == nil)
  }

  @Test("when a record was made is not when the device was there")
  func recordTimes() throws {
    let found = try first(
      "timestamp,created_at_utc,lat,lon\n2025-03-10 14:02:07,2025-03-10 15:00:00,1,2\n")
    #expect(found.fix.time == noon)
  }
}
