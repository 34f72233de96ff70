@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Text
@testable import Traces
import Tracking

/// The first point of a table, which has no problem.
private func first(
  _ text: String, _ options: ReadingOptions = ReadingOptions()
) throws -> (fix: Fix, device: String?, notes: [String]) {
  let decoded = decode(text, with: CSVDecoder(options))
  #expect(decoded.issues.map(\.shown) == [])
  let point = try #require(decoded.points.first)
  return (point.fix, point.device.map { decoded.devices[Int($0)] }, decoded.marks)
}

private func options(_ columns: String, zone: Int? = nil) throws -> ReadingOptions {
  var options = ReadingOptions()
  if !columns.isEmpty { options.columns = try ColumnChoice(parsing: columns) }
  options.zone = zone.map { seconds in LocalZone(name: "Test/Zone") { _ in seconds } }
  return options
}

/// 2025-03-10T14:02:07Z.
private let noon = Timestamp(nanoseconds: 1_741_615_327_000_000_000)

@Suite("CSV as other programs write it")
struct CSVInTheWildTests {
  @Test(
    "columns are recognised by their other names",
    arguments: [
      "timestamp,lat,lon", "datetime,Lat,Lng", "fixTime,latitude,long", "Time (UTC),y,x",
      "gps_time,gps_latitude,gps_longitude", "\"timestamp\",\"location-lat\",\"location-long\"",
      "BaseDateTime,LAT,LON", "ts;lat;lon", "Date Time\tLatitude (deg)\tLongitude [deg]",
      "#time,lat,lon", "time_utc,lat_deg,lon_deg", "TIME,LATITUDE N/S,LONGITUDE E/W",
      // Motorola MotoActv.
      "\"timestamp_epoch\",\"LATITUDE\",\"LONGITUDE\"",
    ])
  func aliases(header: String) throws {
    let separator = header.contains(";") ? ";" : header.contains("\t") ? "\t" : ","
    let row = ["2025-03-10T14:02:07Z", "52.5", "13.25"].joined(separator: separator)
    let found = try first("\(header)\n\(row)\n")
    #expect(found.fix.time == noon)
    #expect(found.fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.25))
    #expect(found.notes.count == 1 && found.notes[0].contains("columns: time = `"))
  }

  @Test(
    "units stand in a name or in brackets",
    arguments: [
      ("speed_kmh", 36.0, 10.0), ("Speed (km/h)", 36, 10), ("speed [kn]", 36, 18.52),
      ("Speed in mph", 10, 4.4704), ("speed_mps", 10, 10), ("Ground Speed (m/s)", 10, 10),
      ("SOG", 36, 18.52), ("velocity", 10, 10),
    ])
  func speeds(column: String, number: Double, speed: Double) throws {
    let found = try first("time,lat,lon,\(column)\n0,1,2,\(number)\n")
    #expect(isNear(found.fix.speed, speed, within: 1e-12))
  }

  @Test("lengths may be feet, and coordinates integers of 1e-7 degrees")
  func lengths() throws {
    let found = try first(
      "timestampMs,latitudeE7,longitudeE7,Altitude (ft),accuracy_m\n"
        + "1741615327000,525163000,-133777001,1000,5\n")
    #expect(found.fix.coordinate == Coordinate(latitude: 52.5163, longitude: -13.3777001))
    #expect(isNear(found.fix.altitude, 304.8, within: 1e-9))
    #expect(found.fix.horizontalAccuracy == 5 && found.fix.time == noon)
  }

  @Test("an unknown unit leaves the column unread, and says so")
  func unknownUnit() throws {
    let found = try first("time,lat,lon,speed (furlongs)\n0,1,2,3\n")
    #expect(found.fix.speed == nil)
    #expect(found.notes.contains("0: note(\"columns that are not read: speed (furlongs)\")"))
  }

  @Test("a decimal comma is read where commas do not separate cells")
  func decimalComma() throws {
    let found = try first("Zeit;time;Lat;Lon;ele\na;0;52,5163;-13,3777;34,5\n")
    #expect(found.fix.coordinate == Coordinate(latitude: 52.5163, longitude: -13.3777))
    #expect(found.fix.altitude == 34.5)
    #expect(decode("time,lat,lon\n0,\"1,5\",2\n", with: CSVDecoder()).issues.count == 1)
  }

  @Test(
    "N, S, E and W are signs",
    arguments: [
      ("52.5N", "13.25E", 52.5, 13.25), ("52.5 S", "13.25 W", -52.5, -13.25),
      ("s52.5", "w 13.25", -52.5, -13.25),
    ])
  func hemispheres(latitude: String, longitude: String, north: Double, east: Double) throws {
    let found = try first("time,lat,lon\n0,\(latitude),\(longitude)\n")
    #expect(found.fix.coordinate == Coordinate(latitude: north, longitude: east))
    for row in ["0,52E,13E", "0,-52N,13E", "0,N,13E", "0,52NN,13E"] {
      #expect(decode("time,lat,lon\n\(row)\n", with: CSVDecoder()).issues.count == 1, "\(row)")
    }
  }

  @Test(
    "times without a zone, seconds or hyphens are read",
    arguments: [
      "2025-03-10 14:02:07", "2025/03/10 14:02:07", "10.03.2025 14:02:07", "20250310T140207",
      "2025-03-10T14:02:07.000", "2025-03-10 14:02:07 UTC", "2025-03-10 15:02:07+01:00",
      "1741615327", "1741615327000", "1741615327000000", "1741615327000000000", "1741615327.0",
    ])
  func times(text: String) throws {
    let found = try first("time,latitude,longitude\n\(text),1,2\n")
    #expect(found.fix.time == noon)
    let isAssumed = !text.hasPrefix("17") && !text.contains("UTC") && !text.contains("+")
    #expect(found.notes.contains { $0.contains("--csv-time-zone") } == isAssumed, "\(found.notes)")
    let away = try first("time,latitude,longitude\n\(text),1,2\n", options("", zone: 3_600))
    #expect(away.fix.time?.seconds(since: noon) == (isAssumed ? -3_600 : 0))
    #expect(away.notes.contains { $0.contains("read as Test/Zone") } == isAssumed)
  }

  @Test("a time without seconds is on the minute, a date alone is none")
  func minutes() throws {
    let found = try first("time,latitude,longitude\n2025-03-10 14:02,1,2\n")
    #expect(found.fix.time?.seconds(since: noon) == -7)
    for time in ["2025-03-10", "03/10/2025 14:02", "14:02", "2025-13-10 14:02", "2025-03-10 25:02"]
    {
      let decoded = decode("time,latitude,longitude\n\(time),1,2\n", with: CSVDecoder())
      #expect(decoded.issues.count == 1 && decoded.points.first?.fix.time == nil, "\(time)")
    }
  }

  @Test("a date and a time may be columns of their own")
  func dateAndTime() throws {
    let found = try first("lat,lon,Date,Time\n1,2,2025-03-10,14:02:07\n")
    #expect(found.fix.time == noon)
    #expect(try first("date,lat,lon\n2025-03-10T14:02:07Z,1,2\n").fix.time == noon)
    #expect(try first("date,time,lat,lon\n2025-03-10,2025-03-10T14:02:07Z,1,2\n").fix.time == noon)
  }

  @Test("words for no value are no errors")
  func absent() throws {
    let found = try first(
      "time,lat,lon,acc,speed,ele\nNaT,1,2,NaN,null,-\n".replacing("NaT", with: "NA"))
    #expect(found.fix.time == nil && found.fix.horizontalAccuracy == nil && found.fix.speed == nil)
  }

  @Test("HDOP gives an accuracy where there is no other")
  func hdop() throws {
    #expect(
      try first("time,lat,lon,hdop\n0,1,2,1.5\n").fix.horizontalAccuracy
        == Accuracy.radius(hdop: 1.5))
    #expect(try first("time,lat,lon,hdop,acc\n0,1,2,1.5,4\n").fix.horizontalAccuracy == 4)
  }

  @Test("a clock that is set back shows an hour twice, and the first is taken")
  func clockChange() {
    // At 3,600,000 the clock goes back by an hour, and at 7,200,000 forward again.
    var zone = LocalZone(name: "Test/Change") {
      $0 < 3_600_000 ? 7_200 : $0 < 7_200_000 ? 3_600 : 7_200
    }
    #expect(zone.offset(atLocal: 3_600_000 + 3_600 - 1) == 7_200)
    #expect(zone.offset(atLocal: 3_600_000 + 7_199) == 7_200)
    #expect(zone.offset(atLocal: 3_600_000 + 7_200) == 3_600)
    #expect(zone.offset(atLocal: 7_200_000 + 3_599) == 3_600)
    #expect(zone.offset(atLocal: 7_200_000 + 7_200) == 7_200)
  }
}

@Suite("CSV of known programs")
struct CSVProducerTests {
  @Test("GPSLogger")
  func gpsLogger() throws {
    let found = try first(
      """
      time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,ageofdgpsdata,dgpsid,activity,battery,annotation,timestamp_ms,time_offset,distance,starttimestamp_ms,profile_name,battery_charging
      2025-03-10T14:02:07.000Z,52.5163,13.3777,34.5,5.0,270.0,1.5,9,gps,0.8,,,,,,,78,,1741615327000,2025-03-10T15:02:07.000+01:00,12.5,1741615000000,Default Profile,false

      """)
    #expect(found.fix.time == noon && found.fix.horizontalAccuracy == 5)
    #expect(found.fix.course == 270 && found.fix.speed == 1.5 && found.fix.altitude == 34.5)
    #expect(found.fix.satellites == 9 && isNear(found.fix.hdop, 0.8, within: 1e-6))
  }

  @Test("Traccar, whose speeds are knots and whose unknown accuracy is 0")
  func traccar() throws {
    let header =
      "accuracy,address,altitude,batteryLevel,course,deviceId,deviceTime,fixTime,id,latitude,longitude,protocol,serverTime,speed,valid\n"
    let found = try first(
      header
        + "0.0,,34.5,78.0,270.0,7,2025-03-10T14:02:09.000+00:00,2025-03-10T14:02:07.000+00:00,1,52.5163,13.3777,osmand,2025-03-10T14:02:10.000+00:00,10.0,true\n"
    )
    #expect(found.fix.time == noon && found.device == "7" && found.fix.horizontalAccuracy == nil)
    #expect(isNear(found.fix.speed, 5.1444444444, within: 1e-9))
    #expect(
      found.notes.first
        == "0: note(\"columns: accuracy = `accuracy`, altitude = `altitude`, course = `course`, device = `deviceId`, time = `fixTime`, latitude = `latitude`, longitude = `longitude`, speed = `speed` in knots\")"
    )
  }

  @Test(
    "positions that Traccar calls invalid are counted, also as databases write it",
    arguments: ["false", "FALSE", "f", "0"])
  func invalidOfTraccar(word: String) {
    let text =
      "deviceId,deviceTime,fixTime,latitude,longitude,valid\n"
      + "7,2025-03-10T14:02:07Z,2025-03-10T14:02:07Z,52.5163,13.3777,\(word)\n"
      + "7,2025-03-10T14:02:08Z,2025-03-10T14:02:08Z,52.5163,13.3777,true\n"
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.points.map(\.line) == [3] && decoded.issues.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 1)
  }

  @Test(
    "positions in degrees, minutes and seconds",
    arguments: [
      (#"52°31'12.0"N"#, 52.52), (#""52°31'12.0""N""#, 52.52), ("52 31.2 N", 52.52),
      ("N52 31.200", 52.52), ("S 52° 31.2'", -52.52), ("52:31:12", 52.52), ("-52 31 12", -52.52),
      ("52°31′12″S", -52.52), ("52.52°", 52.52), ("52.52° N", 52.52),
      ("52º31'60.0''N", 52.533333333),
      ("52 60 N", 53),
    ])
  func sexagesimal(cell: String, latitude: Double) {
    let decoded = decode(
      "time,latitude,longitude\n2025-03-10T14:02:07Z,\(cell),E 013°22.662'\n", with: CSVDecoder())
    #expect(decoded.issues.isEmpty)
    #expect(isNear(decoded.points.first?.fix.coordinate.latitude, latitude, within: 1e-9))
    #expect(isNear(decoded.points.first?.fix.coordinate.longitude, 13.3777, within: 1e-9))
  }

  @Test("a decimal comma in minutes, where a comma separates no cells")
  func sexagesimalComma() {
    let decoded = decode(
      "time;latitude;longitude\n2025-03-10T14:02:07Z;52 31,2 N;13°22'39,72\" E\n",
      with: CSVDecoder())
    #expect(isNear(decoded.points.first?.fix.coordinate.latitude, 52.52, within: 1e-9))
    #expect(isNear(decoded.points.first?.fix.coordinate.longitude, 13.3777, within: 1e-9))
  }

  @Test(
    "what is no angle is rejected",
    arguments: [
      "52 61 N", "52 31 61 N", "91 0 N", "52.5 31 N", "52 31.5 12 N", "52 31 12 7 N", "52°31' E",
      "- 52 31", "52d31m12s", "52 31 x", "52°1", "52:31", "°", "52 -31 N", "1 2 3 4",
    ])
  func noAngles(cell: String) {
    let decoded = decode(
      "time,latitude,longitude\n2025-03-10T14:02:07Z,\(cell),1\n", with: CSVDecoder())
    #expect(decoded.points.isEmpty && decoded.issues.count == 1)
  }

  @Test("pandas, with its index")
  func pandas() throws {
    let found = try first(
      ",timestamp,lat,lng,speed\n0,2025-03-10 14:02:07+00:00,52.5163,13.3777,\n")
    #expect(found.fix.time == noon && found.fix.speed == nil)
    #expect(found.fix.coordinate.longitude == 13.3777)
  }

  @Test("Geolife's PLT, with altitudes in feet")
  func geolife() throws {
    let text = """
      Geolife trajectory\r
      WGS 84\r
      Altitude is in Feet\r
      Reserved 3\r
      0,2,255,My Track,0,0,2,8421376\r
      0\r
      39.984702,116.318417,0,492,39744.1201851852,2008-10-23,02:53:04\r
      39.984683,116.31845,0,-777,39744.1202546296,2008-10-23,02:53:10\r

      """
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [7, 8])
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds)
        == [1_224_730_384_000_000_000, 1_224_730_390_000_000_000])
    #expect(isNear(decoded.points[0].fix.altitude, 149.9616, within: 1e-9))
    #expect(decoded.points[1].fix.altitude == nil)
    for cut in 0...text.utf8.count {
      #expect(decode(text, with: CSVDecoder(), pieces: [cut]) == decoded, "cut at \(cut)")
    }
  }

  @Test(
    "OziExplorer's datum is noted when it is not WGS 84",
    arguments: [
      ("European 1950", true), ("NAD27 CONUS", true), ("WGS 84", false), ("NAD83", false),
    ])
  func datum(name: String, isNoted: Bool) {
    let text = """
      OziExplorer Track Point File Version 2.1\r
      \(name)\r
      Altitude is in Feet\r
      Reserved 3\r
      0,2,255,ACTIVE LOG,0,0,2,255\r
      1\r
        54.123456,  10.123456,1,-777.0,39743.1202546, 23-Oct-08, 2:53:10\r

      """
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty)
    let notes = decoded.marks.filter { $0.contains("the datum is \(name), not WGS 84; ") }
    #expect(notes.count == (isNoted ? 1 : 0))
    #expect(notes.allSatisfy { $0.contains("gpsbabel -t -i ozi") })
    for cut in 0...text.utf8.count {
      #expect(decode(text, with: CSVDecoder(), pieces: [cut]) == decoded, "cut at \(cut)")
    }
  }

  @Test("positions that Movebank does not show are counted")
  func movebank() {
    let text =
      "event-id,visible,timestamp,location-long,location-lat,individual-local-identifier\n"
      + "1,true,2025-03-10 14:02:07.000,11.5,48.1,\"Hans\"\n"
      + "2,false,2025-03-10 14:07:07.000,11.6,48.5,\"Hans\"\n"
      + "3,,2025-03-10 14:12:07.000,11.5,48.1,\"Hans\"\n"
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.points.map(\.line) == [2, 4] && decoded.issues.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 1)
    #expect(!decoded.marks.contains { $0.contains("visible") })
  }

  @Test("only tables that begin as our event logs do have rows that are events")
  func events() {
    let ours =
      "type,id,device,fence,time,decided,latitude,longitude\n"
      + "enter,1,van,a,2025-03-10T14:02:07Z,2025-03-10T14:02:07Z,48.5,11.5\n"
      + "fix,,van,,2025-03-10T14:02:08Z,,48.5,11.5\n"
    #expect(decode(ours, with: CSVDecoder()).points.map(\.line) == [3])
    let foreign = "type,time,lat,lon,fence\ngps,2025-03-10T14:02:07Z,48.5,11.5,a\n"
    #expect(decode(foreign, with: CSVDecoder()).points.map(\.line) == [2])
  }

  @Test("AIS of MarineCadastre, with speeds in knots")
  func ais() throws {
    let found = try first(
      "MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading\n367000001,2025-03-10T14:02:07,29.5,-94.5,10.0,90.5,91.0\n"
    )
    #expect(found.device == "367000001" && found.fix.course == 90.5 && found.fix.time == noon)
    #expect(isNear(found.fix.speed, 5.1444444444, within: 1e-9))
  }

  private static let unclear =
    "is left out: beside an MMSI speeds are in knots or in tenths of a knot, and the name states no "
    + "unit; rename it with its unit, as speed_kn, or give the unit with --columns"

  @Test(
    "a speed beside an MMSI whose name states no unit is left out, and its course stays",
    arguments: ["SPEED", "speed", "Velocity", "gps_speed", "speed over ground"])
  func unclearSpeed(name: String) throws {
    let found = try first(
      "MMSI,TIMESTAMP,LAT,LON,\(name),COURSE\n367000001,2025-03-10T14:02:07,29.5,-94.5,125,90\n")
    #expect(found.fix.speed == nil && found.fix.course == 90 && found.device == "367000001")
    #expect(found.notes.contains { $0.contains("`\(name)` \(Self.unclear)") })
    #expect(found.notes.contains { $0.contains("columns that are not read: \(name)") })
  }

  @Test(
    "a speed beside an MMSI is read where its unit is known",
    arguments: [
      ("speed_kn", 12.5, 6.430555555), ("SPEED (knots)", 12.5, 6.430555555),
      ("velocity [m/s]", 5.0, 5.0), ("speed_ms", 5.0, 5.0), ("speed_kmh", 36.0, 10.0),
      ("sog", 10.0, 5.144444444),
    ])
  func clearSpeed(name: String, value: Double, speed: Double) throws {
    let found = try first("mmsi,ts,lat,lon,\(name)\n367000001,1741615327,29.5,-94.5,\(value)\n")
    #expect(isNear(found.fix.speed, speed, within: 1e-6))
    #expect(!found.notes.contains { $0.contains("left out") })
    // Of two speeds the one with a unit is read.
    let both = try first(
      "mmsi,ts,lat,lon,speed,\(name)\n367000001,1741615327,29.5,-94.5,125,\(value)\n")
    #expect(isNear(both.fix.speed, speed, within: 1e-6))
    #expect(!both.notes.contains { $0.contains("left out") })
  }

  @Test("a speed that the user names is read in metres per second, also beside an MMSI")
  func chosenSpeed() throws {
    let found = try first(
      "mmsi,ts,lat,lon,speed\n367000001,1741615327,29.5,-94.5,5\n", options("speed=speed"))
    #expect(found.fix.speed == 5 && !found.notes.contains { $0.contains("left out") })
    #expect(try first("imei,ts,lat,lon,speed\n3,1741615327,29.5,-94.5,5\n").fix.speed == 5)
    let knots = try first(
      "mmsi,ts,lat,lon,speed\n367000001,1741615327,29.5,-94.5,10\n", options("speed=speed [kn]"))
    #expect(isNear(knots.fix.speed, 5.144444444, within: 1e-6))
    // A column says the unit of each row.
    let rows = try first(
      "mmsi,ts,lat,lon,speed,speed unit\n367000001,1741615327,29.5,-94.5,36,km/h\n")
    #expect(rows.fix.speed == 10 && !rows.notes.contains { $0.contains("left out") })
  }
}

@Suite("Columns that only the user knows")
struct CSVColumnChoiceTests {
  @Test("a choice comes before what the header says, with the unit of the column's name")
  func choice() throws {
    let found = try first(
      "time,when,north,east,v_kmh\n5,2025-03-10T14:02:07Z,52.5,13.25,36\n",
      options("time=when, latitude=North ,longitude=east,speed=v_kmh"))
    #expect(found.fix.time == noon && isNear(found.fix.speed, 10, within: 1e-12))
    #expect(found.fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.25))
  }

  @Test("columns are numbers without a header")
  func numbers() throws {
    let found = try first(
      "a,52.5163,13.3777,1741615327\n", options("time=4,latitude=2,longitude=3,device=1"))
    #expect(found.fix.time == noon && found.device == "a")
    #expect(found.fix.coordinate == Coordinate(latitude: 52.5163, longitude: 13.3777))
  }

  @Test("without a header, only a longitude above 90 is certain")
  func certain() throws {
    for row in ["1741615327,39.984702,116.318417", "2025-03-10T14:02:07Z;116,318417;39,984702;1"] {
      let found = try first(row + "\n")
      #expect(found.fix.coordinate == Coordinate(latitude: 39.984702, longitude: 116.318417))
      #expect(found.fix.time == noon && found.notes[0].contains("there is no header"))
    }
    let decoded = decode("1741615327,52.5163,13.3777\n", with: CSVDecoder())
    #expect(
      decoded.issues.map(\.shown) == [
        "malformed 1:1 there is no header, and the columns are not certain; number them, as --columns time=1,latitude=2,longitude=3"
      ])
  }

  @Test(
    "a choice that cannot be is refused",
    arguments: [
      (
        "time",
        "'time' names no column, expected fields and columns such as time=ts,latitude=y,longitude=x"
      ),
      ("time=a,time=b", "time has two columns, expected one"),
      (
        "time=",
        "the column of time is empty, expected fields and columns such as time=ts,latitude=y,longitude=x"
      ),
    ])
  func invalid(text: String, message: String) {
    let failure = #expect(throws: ColumnChoice.Failure.self) { try ColumnChoice(parsing: text) }
    #expect(failure?.description == message)
  }

  @Test("a column that is not there is an error, and so is an unknown field")
  func missing() throws {
    let decoded = decode("time,lat,lon\n0,1,2\n", with: CSVDecoder(try options("time=ts")))
    #expect(
      decoded.issues.map(\.shown)
        == ["malformed 1:1 there is no column 'ts' for time, found time, lat, lon"])
    #expect(throws: ColumnChoice.Failure.self) { try ColumnChoice(parsing: "color=x") }
  }
}
