@testable import Formats
import Geodesy
import Testing
@testable import Text
@testable import Traces
import Tracking

/// 2025-03-10T14:02:07Z.
private let noon = Timestamp(nanoseconds: 1_741_615_327_000_000_000)

private func read(_ text: String, columns: String = "") throws -> Decoded {
  var options = ReadingOptions()
  if !columns.isEmpty { options.columns = try ColumnChoice(parsing: columns) }
  return decode(text, with: CSVDecoder(options))
}

/// Tables whose values mean something else than a first look at their names shows.
@Suite("CSV whose meaning is not plain")
struct CSVMeaningTests {
  // MARK: Hemispheres

  @Test(
    "letters of hemispheres have columns of many names",
    arguments: [
      ("N/S", "E/W"), ("NS", "EW"), ("N_S", "E_W"), ("ns_indicator", "ew_indicator"),
      ("lat_dir", "lon_dir"), ("latdir", "londir"), ("lat_ns", "lon_ew"), ("Lat N/S", "Lon E/W"),
      ("latitude N/S", "longitude E/W"), ("LatitudeRef", "LongitudeRef"),
      ("GPSLatitudeRef", "GPSLongitudeRef"), ("lat_hemi", "lon_hemi"),
      ("lat_hemisphere", "lng_hemisphere"), ("latitude_direction", "longitude_direction"),
      ("north_south", "east_west"), ("Hemisphere NS", "Hemisphere EW"),
    ])
  func hemispheres(north: String, east: String) throws {
    for names in [
      "time,latitude,\(north),longitude,\(east)\n1741615327,33.5,S,70.3,W\n",
      "time,\(north),latitude,\(east),longitude\n1741615327,S,33.5,W,70.3\n",
    ] {
      let decoded = try read(names)
      #expect(decoded.issues.isEmpty && !decoded.marks.contains { $0.contains("not read") })
      #expect(
        decoded.points.map(\.fix.coordinate) == [Coordinate(latitude: -33.5, longitude: -70.3)])
    }
  }

  @Test("two columns of letters that nothing reads are an error, if the position has no sign")
  func unknownLetters() throws {
    let header = "time,latitude,NorS,longitude,EorW\n"
    let decoded = try read(header + ",,,,\n1741615327,33.5,S,70.3,W\n1741615328,33.5,S,70.3,W\n")
    #expect(decoded.points.isEmpty)
    #expect(
      decoded.issues.map(\.shown) == [
        "malformed 3:1 the columns `NorS` and `EorW` have letters of hemispheres and are not read, "
          + "so positions may be on the wrong side of the Earth; rename these columns to N/S and E/W"
      ])
    for row in [
      "33.5,E,70.3,", "-33.5,S,70.3,W", "33.5,N,70.3,S", "33.5,SW,70.3,E", "33.5S,S,70.3,W",
    ] {
      let other = try read(header + "1741615327,\(row)\n")
      #expect(other.issues.isEmpty && other.points.count == 1, "\(row)")
    }
    // Flags are not letters of hemispheres.
    let flags = try read("time,latitude,ignition,longitude,trip\n1741615327,33.5,N,70.3,E\n")
    #expect(flags.issues.isEmpty && flags.points.count == 1)
  }

  // MARK: Units

  @Test(
    "a speed without a unit is noted as an assumption",
    arguments: [
      ("time,lat,lon,speed", true), ("time,latitude,longitude,speed", true),
      ("time,lat,lon,Velocity", true), ("time,lat,lon,speed_ms", false),
      ("time,lat,lon,Speed (m/s)", false), ("time,lat,lon,SOG", false),
    ])
  func assumedUnit(header: String, isAssumed: Bool) throws {
    let decoded = try read(header + "\n1741615327,1,2,36\n")
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.marks.contains { $0.contains("in metres per second (assumed)") } == isAssumed)
  }

  @Test("the header that we write, and a row of units, leave nothing to assume")
  func statedUnit() throws {
    let own = try read(
      "device,time,latitude,longitude,accuracy,speed,course\na,1741615327,1,2,3,4,5\n")
    #expect(own.marks.isEmpty && own.points.count == 1)
    for (unit, speed) in [("km/h", 10.0), ("m/s", 36)] {
      let text = "time,lat,lon,speed\nunix time,deg,deg,\(unit)\n1741615327,1,2,36\n"
      let decoded = try read(text)
      #expect(decoded.points.map(\.fix.speed) == [speed])
      #expect(decoded.marks.first?.contains("speed = `speed`") == true)
      #expect(!decoded.marks.contains { $0.contains("assumed") })
      for cut in 0...text.utf8.count {
        #expect(decode(text, with: CSVDecoder(), pieces: [cut]) == decoded, "cut at \(cut)")
      }
    }
    let bare = try read("time,lat,lon,speed\n")
    #expect(bare.marks.count == 1 && bare.marks[0].contains("(assumed)"))
  }

  @Test(
    "a choice names a unit in brackets",
    arguments: [
      ("speed=v [km/h]", 10.0), ("speed=v[mph]", 16.09344), ("speed=4 [kn]", 18.52),
      ("speed=v [m/s]", 36), ("speed=v", 36),
    ])
  func chosenUnit(choice: String, speed: Double) throws {
    let decoded = try read("time,lat,lon,v\n1741615327,1,2,36\n", columns: choice)
    #expect(isNear(decoded.points.first?.fix.speed, speed, within: 1e-9))
    #expect(decoded.issues.isEmpty)
    #expect(decoded.marks.contains { $0.contains("(assumed)") } == !choice.contains("["))
  }

  @Test("a chosen unit also counts in a table without a header, and before that of a program")
  func chosenUnitElsewhere() throws {
    let bare = try read(
      "1741615327,1,2,36\n", columns: "time=1,latitude=2,longitude=3,speed=4 [km/h]")
    #expect(bare.points.map(\.fix.speed) == [10])
    let traccar = try read(
      "deviceId,fixTime,latitude,longitude,speed\n7,1741615327,1,2,36\n",
      columns: "speed=speed [m/s]")
    #expect(traccar.points.map(\.fix.speed) == [36])
    // A column of that very name comes first.
    let named = try read(
      "time,lat,lon,v,v [km/h]\n1741615327,1,2,5,36\n", columns: "speed=v [km/h]")
    #expect(named.points.map(\.fix.speed) == [10])
  }

  @Test("an unknown unit of a choice is an error")
  func unknownUnit() throws {
    let decoded = try read("time,lat,lon,v\n1741615327,1,2,36\n", columns: "speed=v [furlongs]")
    #expect(
      decoded.issues.map(\.shown) == [
        "malformed 1:1 the unit of speed is 'furlongs', expected m/s, km/h, kn, mph or ft/s"
      ])
    let missing = try read("time,lat,lon,v\n1741615327,1,2,36\n", columns: "speed=w [km/h]")
    #expect(missing.issues.first?.message.contains("no column 'w [km/h]'") == true)
  }

  @Test("a column may name the unit of each speed")
  func unitColumn() throws {
    let rows = ["36,km/h", "10,mph", "36,kn", "36,m/s", "36,K", "36,N", "36,furlongs", "36,", ","]
    let decoded = try read(
      "time,lat,lon,Speed,Speed Unit\n" + rows.map { "1741615327,1,2,\($0)\n" }.joined())
    let expected: [Double?] = [10, 4.4704, 18.52, 36, 10, 18.52, nil, nil, nil]
    #expect(decoded.points.count == rows.count)
    for (point, speed) in zip(decoded.points, expected) {
      #expect(speed.map { isNear(point.fix.speed, $0, within: 1e-9) } ?? (point.fix.speed == nil))
    }
    #expect(
      decoded.issues.map(\.shown).first
        == "record 8:19 the unit of the speed is \"furlongs\", expected m/s, km/h, kn, mph or ft/s")
    #expect(decoded.issues.map(\.line) == [8, 9])
    #expect(!decoded.marks.contains { $0.contains("assumed") || $0.contains("not read") })
    let exif = try read("time,lat,lon,GPSSpeed,GPSSpeedRef\n1741615327,1,2,36,K\n")
    #expect(exif.points.map(\.fix.speed) == [10])
    #expect(throws: TableColumns.Failure.self) {
      try TableColumns(
        names: ["time", "lat", "lon", "speed", "speed unit"], choice: ColumnChoice())
    }
  }

  @Test("a part of Traccar's table has its units as well")
  func traccarPart() throws {
    let decoded = try read(
      "deviceId,fixTime,latitude,longitude,speed,course\n7,1741615327,52.5,13.3,36,0\n")
    #expect(isNear(decoded.points.first?.fix.speed, 18.52, within: 1e-9))
    #expect(decoded.devices == ["7"])
  }

  // MARK: Times

  @Test(
    "numbers that are hardly seconds since 1970 are errors with advice",
    arguments: [
      ("45361.3333333333", "days of a spreadsheet"), ("45361.33333", "days of a spreadsheet"),
      ("20240310", "a day alone"), ("2403100800", "yyMMddHHmm"),
      ("03/13/2024 08:00", "day or the month"), ("13-03-2024 08:00", "day or the month"),
    ])
  func noTimes(time: String, advice: String) throws {
    for header in ["time,latitude,longitude", "timestamp,lat,lon", "date,lat,lon"] {
      let decoded = try read("\(header)\n\(time),1,2\n")
      #expect(decoded.issues.count == 1 && decoded.points.map(\.fix.time) == [nil])
      #expect(decoded.issues.first?.message.contains(advice) == true, "\(decoded.issues)")
    }
  }

  @Test("a decimal comma changes nothing about the days of a spreadsheet")
  func serialComma() throws {
    let decoded = try read("time;lat;lon\n45361,3333333333;52,5;13,3\n")
    #expect(decoded.issues.first?.message.contains("days of a spreadsheet") == true)
  }

  @Test(
    "seconds since a start stay times, with a note",
    arguments: [
      "0", "0.5", "45361", "45361.3", "45361.125", "28800.1234", "61000.123456", "20241310",
      "3600.123456789", "315532799",
    ])
  func seconds(time: String) throws {
    for header in ["time,latitude,longitude", "timestamp,lat,lon"] {
      let decoded = try read("\(header)\n\(time),1,2\n")
      #expect(decoded.issues.isEmpty && decoded.points.first?.fix.time != nil)
      #expect(decoded.marks.count { $0.contains("times are before 1980") } == 1)
    }
  }

  @Test(
    "times since 1970 are what they were", arguments: ["315532800", "2199999999", "2499999999"])
  func usual(time: String) throws {
    let decoded = try read("time,latitude,longitude\n\(time),1,2\n")
    #expect(decoded.marks.isEmpty && decoded.points.first?.fix.time != nil)
  }

  // MARK: Devices

  @Test(
    "vehicles have many names",
    arguments: [
      "Vehicle Name", "Vehicle Number", "Asset", "Asset Name", "Unit Name", "License Plate",
      "Registration", "Truck", "IMEI number", "tag-local-identifier", "taxi_id", "icao24",
    ])
  func vehicles(name: String) throws {
    let decoded = try read("\(name),time,lat,lon\na,1741615327,1,2\nb,1741615327,3,4\n")
    #expect(decoded.devices == ["a", "b"] && decoded.points.map(\.device) == [0, 1])
  }

  // MARK: Headers between rows

  @Test("a line that repeats the header is skipped and counted")
  func repeatedHeader() throws {
    let rows = "1741615327,52.5,13.3\n"
    let text = "time,lat,lon\n\(rows)time,lat,lon\n\(rows)Time,Lat,Lon\n\(rows)"
    let decoded = try read(text)
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [2, 4, 6])
    #expect(decoded.marks.count { $0.hasSuffix("otherRecord") } == 2)
    #expect(decoded.marks.count { $0.contains("line 3 repeats the header") } == 1)
    for cut in 0...text.utf8.count {
      #expect(decode(text, with: CSVDecoder(), pieces: [cut]) == decoded, "cut at \(cut)")
    }
  }

  @Test("another header holds for the rows below it")
  func otherHeader() throws {
    let decoded = try read(
      "time,lat,lon,speed\n1741615327,52.5,13.3,1\ntime,lon,lat,speed (km/h)\n"
        + "1741615328,13.4,52.6,36\n")
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [2, 4])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [52.5, 52.6])
    #expect(decoded.points.map(\.fix.speed) == [1, 10])
    #expect(decoded.marks.contains { $0.contains("line 3 is another header") })
  }

  @Test("another header that cannot be used ends the reading")
  func unusableHeader() throws {
    let decoded = try read("time,lat,lon\n1741615327,52.5,13.3\nlon,lat,x\n13.4,52.6,1\n")
    #expect(decoded.points.map(\.line) == [2] && decoded.issues.map(\.line) == [3])
    #expect(decoded.issues.first?.message.contains("the rows above it were read") == true)
    // A row with a word for its latitude is a bad row.
    let word = try read("time,lat,lon\n1741615327,north,13.3\n1741615328,52.6,13.4\n")
    #expect(word.points.map(\.line) == [3] && word.issues.map(\.line) == [2])
  }

  // MARK: Thousands

  @Test("points that may separate thousands are errors beside decimal commas")
  func thousands() throws {
    let decoded = try read(
      "time;lat;lon;speed (km/h);alt\n1741615327;52,5163;13,3777;1.036;-1.234\n"
        + "1741615328;52,5163;13,3777;36.5;0.034\n1741615329;52.5163;13.3777;1.036;1.234\n")
    #expect(decoded.issues.map(\.line) == [2, 2] && decoded.points.count == 3)
    #expect(decoded.issues.first?.message.contains("may separate thousands") == true)
    #expect(decoded.points.map(\.fix.altitude) == [nil, 0.034, 1.234])
    #expect(decoded.points[0].fix.speed == nil)
  }

  // MARK: Unknown headers

  @Test("a table of unknown columns is said to be one, with its header")
  func foreignTables() {
    let text = "Fahrzeug;Datum;Breite;L\u{E4}nge\nB-1;10.03.2025;52,5;13,3\n"
    #expect(
      ForeignTable.description(of: Array(text.utf8)[...])
        == "the format is not known; it looks like a table with the columns Fahrzeug, Datum, "
        + "Breite, L\u{E4}nge; name those of a track: --columns time=COLUMN,latitude=COLUMN,"
        + "longitude=COLUMN, and date=COLUMN for a day beside a time of day")
    for other in ["", "Hello\n", "a,b,c", "a,b,c\n1,2\n", "1,2,3\n4,5,6\n"] {
      #expect(ForeignTable.description(of: Array(other.utf8)[...]) == nil, "\(other)")
    }
  }
}
