@testable import Formats
import Geodesy
import TestSupport
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

/// The forms of tables that programs write, with positions of our own.
@Suite("CSV in the forms of known programs")
struct CSVTableFormTests {
  @Test("Columbus: a date and a time of six digits, the year first, and speeds in km/h")
  func columbus() throws {
    let decoded = try read(
      "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX\n"
        + "1,T,250310,140207,52.516300N,13.377700W,34,36,90,\n")
    let fix = try #require(decoded.points.first?.fix)
    #expect(decoded.issues.isEmpty && fix.time == noon && fix.speed == 10)
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: -13.3777))
  }

  @Test("a day of six digits of another table is not certain, and no time is made of it")
  func unknownOrder() throws {
    let decoded = try read("Date,Time,Lat,Lon\n100325,140207,52.5,13.25\n")
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:1 date is \"100325\", expected a day as 2025-03-10, 20250310 or 10.03.2025"
      ])
    #expect(decoded.points.count == 1 && decoded.points[0].fix.time == nil)
  }

  @Test("six digits beside a date are a time of day, fewer are an error", arguments: ["", ".500"])
  func digits(fraction: String) throws {
    let decoded = try read("Date,Time,Lat,Lon\n20250310,140207\(fraction),52.5,13.25\n")
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.points.first?.fix.time?.seconds(since: noon) == (fraction.isEmpty ? 0 : 0.5))
    let short = try read("Date,Time,Lat,Lon\n20250310,40207,52.5,13.25\n")
    #expect(short.issues.map(\.column) == [10] && short.points.first?.fix.time == nil)
  }

  @Test(
    "AIS of the Danish Maritime Authority: the day comes first, and a comment names the columns")
  func danishAIS() throws {
    let decoded = try read(
      "# Timestamp,Type of mobile,MMSI,Latitude,Longitude,ROT,SOG,COG,Heading\n"
        + "10/03/2025 14:02:07,Class A,219000001,56.1,11.5,0.0,36,90.5,91\n"
        + "10/03/2025 14:02:08,Class A,219000001,56.1,11.5,,102.3,360,511\n")
    #expect(decoded.issues.isEmpty && decoded.devices == ["219000001"])
    let fixes = decoded.points.map(\.fix)
    #expect(fixes.map { $0.time?.seconds(since: noon) } == [0, 1])
    #expect(isNear(fixes[0].speed, 18.52, within: 1e-9) && fixes[0].course == 90.5)
    #expect(fixes[1].speed == nil && fixes[1].course == nil)
  }

  @Test("ForeFlight: a table of the flight comes first; altitudes are feet and speeds knots")
  func foreFlight() throws {
    let decoded = try read(
      """
      Pilot,Tail Number,Start Latitude,Start Longitude,Start Time,Device Model
      A,N1,41.1,-112.0,1741615327000.0,Tablet

      Timestamp,Latitude,Longitude,Altitude,Course,Speed,Bank,Pitch,Horizontal Error,Vertical Error
      1741615327.000,52.5163,13.3777,1000,90.0,36,1,2,5.0,3.0

      """)
    let point = try #require(decoded.points.first)
    #expect(decoded.issues.isEmpty && point.line == 5 && point.fix.time == noon)
    #expect(isNear(point.fix.altitude, 304.8, within: 1e-9))
    #expect(isNear(point.fix.speed, 18.52, within: 1e-9))
    #expect(point.fix.horizontalAccuracy == 5 && point.fix.verticalAccuracy == 3)
    #expect(decoded.marks.first == "0: note(\"2 lines before the header skipped\")")
  }

  @Test("TrackAddict: comments before, among and after the rows, and one value in two units")
  func trackAddict() throws {
    let decoded = try read(
      """
      # RaceRender Data: TrackAddict
      # User Settings: U1
      "Time","UTC Time","Lap","Latitude","Longitude","Altitude (ft)","Altitude (m)","Speed (MPH)","Accuracy (m)"
      0.000,1741615327.000,0,52.5163,13.3777,1000,304.8,10,5.0
      # Lap 1
      0.050,1741615328.000,1,52.5164,13.3777,1000,304.8,10,5.0
      # End

      """, columns: "")
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [4, 6])
    // Its `Time` counts from the start of the recording.
    #expect(decoded.points.map { $0.fix.time?.seconds(since: noon) } == [0, 1])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.altitude == 304.8 && isNear(fix.speed, 4.4704, within: 1e-9))
    #expect(decoded.marks.filter { $0.hasSuffix("otherRecord") }.count == 2)
  }

  @Test("RaceChrono: rows of units and of sources below the header")
  func raceChrono() throws {
    let decoded = try read(
      """
      This file is created using RaceChrono ( http://racechrono.com/ ).
      Format,3
      Track name,"X"

      timestamp,lap_number,accuracy,altitude,bearing,latitude,longitude,satellites,speed
      unix time,,m,m,deg,deg,deg,sats,km/h
      ,,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps
      1741615327,,3.0,100.5,270.1,52.5163,13.3777,12,36

      """)
    #expect(decoded.issues.isEmpty, "\(decoded.issues.map(\.shown))")
    let point = try #require(decoded.points.first)
    #expect(decoded.points.count == 1 && point.line == 8 && point.fix.time == noon)
    #expect(point.fix.speed == 10 && point.fix.satellites == 12)
    #expect(
      decoded.marks.contains("0: note(\"line 6 names units: speed in kilometres per hour\")"))
  }

  @Test("GnssLogger: only rows that begin with Fix are fixes, with heights above the ellipsoid")
  func gnssLogger() throws {
    let decoded = try read(
      """
      # Raw,utcTimeMillis,TimeNanos,LeapSecond,TimeUncertaintyNanos,FullBiasNanos,BiasNanos,DriftNanosPerSecond,Svid
      #
      # Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,BearingDegrees,UnixTimeMillis,SpeedAccuracyMps
      #
      # Nav,Svid,Type
      Raw,1741615327000,12.5,18,,-134,0.8,15000247.0,-27.6,39.8
      Fix,GPS,52.5163,13.3777,547.5,1.5,5.0,90.0,1741615327000,0.5
      Status,,1,2

      """)
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [7])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.time == noon && fix.ellipsoidalAltitude == 547.5 && fix.altitude == nil)
    #expect(fix.horizontalAccuracy == 5 && fix.speed == 1.5 && fix.speedAccuracy == 0.5)
  }

  @Test(
    "Qstarz and BT747: hemispheres have columns, cells have units, rows without a fix are counted")
  func mediaTek() throws {
    let decoded = try read(
      "INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HDOP,NSAT (USED/VIEW),\n"
        + "1,T,2025/03/10,14:02:06,No fix,52.5,S,13.25,W,150.000 M,0.000 km/h,99.99,0(9),\n"
        + "2,T,2025/03/10,14:02:07,SPS,52.5,S,13.25,W,150.000 M,36.000 km/h,2.23,3(9),\n"
        + "3,T,2025/03/10,14:02:08,SPS,52.5,N,13.25,E,150.5,36,2.23,3(9),\n"
        + "4,T,2025/03/10,14:02:09,SPS,52.5,N,13.25,E,150 ells,36 m/s,2.23,x(9),\n")
    #expect(decoded.points.map(\.line) == [3, 4, 5])
    let fixes = decoded.points.map(\.fix)
    #expect(fixes[0].time == noon && fixes[0].satellites == nil)
    #expect(fixes.map(\.coordinate.latitude) == [-52.5, 52.5, 52.5])
    #expect(fixes.map(\.coordinate.longitude) == [-13.25, 13.25, 13.25])
    #expect(fixes.map(\.speed) == [10, 10, 36] && fixes.map(\.altitude) == [150, 150.5, nil])
    #expect(decoded.issues.map(\.line) == [5])
    #expect(decoded.marks.filter { $0.hasSuffix("otherRecord") }.count == 1)
    let counts = try read("time,lat,lon,nsat\n1741615327,1,2,3(9)\n1741615328,1,2,3/9\n")
    #expect(counts.points.map(\.fix.satellites) == [3, nil] && counts.issues.map(\.line) == [3])
  }

  @Test("a decimal comma may stand in a time, and before a unit", arguments: [";", "\t"])
  func decimalCommas(separator: String) throws {
    func table(_ text: String) throws -> Decoded {
      try read(text.replacing(";", with: separator))
    }
    let decoded = try table(
      "time;lat;lon;speed;ele\n1741615327,5;52,5;13,25;36,0 km/h;100,5 ft\n"
        + "2025-03-10T14:02:07,250Z;52,5;13,25;36.0 km/h;100\n")
    #expect(decoded.issues.isEmpty)
    #expect(decoded.points.map { $0.fix.time?.seconds(since: noon) } == [0.5, 0.25])
    #expect(decoded.points.map(\.fix.speed) == [10, 10])
    #expect(isNear(decoded.points[0].fix.altitude, 30.6324, within: 1e-9))
    let days = try table("date;time;lat;lon\n20250310;140207,5;1;2\n")
    #expect(days.issues.isEmpty)
    #expect(days.points.map { $0.fix.time?.seconds(since: noon) } == [0.5])
    let units = try table("time_ms;lat;lon\n1741615327500,0;1;2\n")
    #expect(units.points.map { $0.fix.time?.seconds(since: noon) } == [0.5])
    let wrong = try table("time;lat;lon;speed\n1741615327;1;2;1,2,3 km/h\n")
    #expect(wrong.issues.map(\.column) == [16] && wrong.points[0].fix.speed == nil)
  }

  @Test("a sign beside a letter, and an unknown letter, are errors of their rows")
  func letters() throws {
    let rows = [
      "S,52.5,W,13.25", "S,-52.5,E,13.25", "N,52.5,W,-13.25", "X,52.5,E,13.25", "N,52.5,S,13.25",
      ",-52.5,-,-13.25", "s,52.5,w,13.25",
    ]
    let decoded = try read(
      "time,N/S,lat,E/W,lon\n" + rows.map { "1741615327,\($0)\n" }.joined())
    #expect(decoded.points.map(\.line) == [2, 7, 8])
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [-52.5, -52.5, -52.5])
    #expect(decoded.points.map(\.fix.coordinate.longitude) == [-13.25, -13.25, -13.25])
    #expect(
      decoded.issues.map(\.shown) == [
        #"record 3:14 latitude is "-52.5" beside the letter S, expected no sign"#,
        #"record 4:21 longitude is "-13.25" beside the letter W, expected no sign"#,
        #"record 5:12 the letter of the latitude is "X", expected N or S"#,
        #"record 6:19 the letter of the longitude is "S", expected E or W"#,
      ])
    for text in [
      "time,ns,lat,lon\n1741615327,123,-52.5,13.25\n",
      "time,ns,lat,lon\n1741615327,prod,-52.5,13.25\n",
      "time,lat,N/S,lon,E/W\n1741615327,52.5,South,13.25,EAST\n",
    ] {
      let other = try read(text)
      #expect(other.issues.isEmpty)
      #expect(other.points.map(\.fix.coordinate.latitude) == [-52.5])
    }
  }

  @Test("Flightradar24: the position is one cell, altitudes are feet and speeds knots")
  func flightradar() throws {
    let text =
      "Timestamp,UTC,Callsign,Position,Altitude,Speed,Direction\r\n"
      + "1741615327,2025-03-10T14:02:07Z,ABC1,\"52.5163,-13.3777\",1000,36,84\r\n"
      + "1741615328,2025-03-10T14:02:08Z,ABC1,\"52.5163\",1000,36,84\r\n"
    let decoded = try read(text)
    #expect(decoded.points.count == 1 && decoded.issues.map(\.line) == [3])
    let fix = try #require(decoded.points.first?.fix)
    #expect(fix.coordinate == Coordinate(latitude: 52.5163, longitude: -13.3777))
    #expect(fix.time == noon && fix.course == 84)
    #expect(isNear(fix.altitude, 304.8, within: 1e-9) && isNear(fix.speed, 18.52, within: 1e-9))
    #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.csv))
  }

  @Test("Wahoo: the header is below other tables, and times that count from the start are noted")
  func wahoo() throws {
    let decoded = try read(
      """
      Device,fisica,model,key,version,1
      Year,2025,Month,3,Day,10

      comments
      File created by an app.
      interval,starttime,gpsdist
      1,0.000000,10016.375977

      time,hr_heartrate,gps_altitude,gps_lat,gps_lon,gps_speed
      1,128,110.0,52.5163,13.3777,1.11

      """)
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [10])
    #expect(decoded.marks.contains { $0.contains("from the start of the recording") })
  }

  @Test("a spreadsheet's line for its separator is skipped, and rows of empty cells too")
  func spreadsheet() throws {
    let decoded = try read("sep=;\ntime;lat;lon\n2025-03-10T14:02:07Z;52,5;13,25\n;;\n")
    #expect(decoded.issues.isEmpty && decoded.points.count == 1)
    #expect(decoded.points.first?.fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.25))
  }

  @Test("lines may end with a carriage return alone", arguments: ["\r", "\r\r\n", "\r\n"])
  func lineEnds(end: String) throws {
    let text = [
      "time|lat|lon", "2025-03-10T14:02:07Z|52.5|13.25", "2025-03-10T14:02:08Z|\"52.5\"|\"13\"",
    ]
    let lines = text.map { $0 + end }.joined()
    let whole = try read(lines)
    #expect(whole.issues.isEmpty && whole.points.map(\.fix.coordinate.longitude) == [13.25, 13])
    #expect(whole.points.map(\.line) == [2, 3])
    for size in 1..<lines.utf8.count {
      let pieces = decode(lines, with: CSVDecoder(), pieces: [size])
      #expect(pieces == whole, "cut at \(size)")
    }
  }

  @Test(
    "forms of times of other programs",
    arguments: [
      "2025-03-10 14:02:07 +0000 UTC", "2025-03-10 15:02:07.000 +0100 UTC", "20250310140207",
      "2025:03:10 14:02:07", "10-Mar-2025 14:02:07", "10 mar 2025 14:02:07", "10-MAR-25 14:02:07",
      "2025-03-10 2:02:07 PM", "2025/03/10 02:02:07.0pm",
    ])
  func times(text: String) throws {
    let decoded = try read("time,latitude,longitude\n\(text),1,2\n")
    #expect(decoded.issues.isEmpty && decoded.points.first?.fix.time == noon)
  }

  @Test(
    "forms that are none",
    arguments: [
      "10-Mai-2025 14:02:07", "10-Mar 14:02:07", "2025-03-10 14:02:07 PM", "2025-03-10 0:02 AM",
      "202503101402", "Mar 10 2025 14:02:07",
    ])
  func wrongTimes(text: String) throws {
    let decoded = try read("time,latitude,longitude\n\(text),1,2\n")
    #expect(decoded.issues.map(\.line) == [2] && decoded.points.first?.fix.time == nil)
  }

  @Test("noon and midnight of twelve hours")
  func halves() throws {
    let rows = ["12:00 AM", "12:00 PM", "1:00 am"].map { "2025-03-10 \($0),1,2\n" }.joined()
    let decoded = try read("time,latitude,longitude\n" + rows)
    let hours = decoded.points.map { $0.fix.time.map { $0.seconds(since: noon) / 3600 } }
    let first = -14.0 - 127.0 / 3600
    #expect(decoded.issues.isEmpty)
    #expect(zip(hours, [first, first + 12, first + 1]).allSatisfy { isNear($0, $1, within: 1e-9) })
  }

  @Test("numbered columns mean that there is no header, unless the first row is one")
  func numbered() throws {
    let choice = "time=1,latitude=2,longitude=3"
    let bare = try read("1741615327,52.5,13\n1741615328,53,14\n", columns: choice)
    #expect(bare.issues.isEmpty && bare.points.map(\.line) == [1, 2])
    #expect(bare.points.map(\.fix.coordinate.latitude) == [52.5, 53])
    let named = try read("when;north;east\n1741615327;52,5;13\n", columns: choice)
    #expect(named.issues.isEmpty && named.points.map(\.line) == [2])
    let days = try read(
      "2025-03-10,140207,1,2\n", columns: "date=1,time=2,latitude=3,longitude=4")
    #expect(days.issues.isEmpty && days.points.map(\.fix.time) == [noon])
  }

  /// Local times of a zone whose clock changes by an hour at an instant, as seconds since 1970.
  private func local(
    _ times: [String], _ zone: @escaping @Sendable (Int64) -> Int, pieces: [Int] = []
  ) -> (decoded: Decoded, seconds: [Int64?]) {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Europe/Berlin", offset: zone)
    let text = "time,latitude,longitude\n" + times.map { "\($0),1,2\n" }.joined()
    let decoded = decode(text, with: CSVDecoder(options), pieces: pieces)
    return (decoded, decoded.points.map { $0.fix.time.map { $0.nanoseconds / 1_000_000_000 } })
  }

  /// At 2023-10-29T01:00:00Z it goes back from 03:00 to 02:00.
  private static let autumn: @Sendable (Int64) -> Int = { $0 < 1_698_541_200 ? 7_200 : 3_600 }

  @Test("of an hour that comes twice, the second begins where an ordered file steps back")
  func repeatedHour() {
    let times = [
      "2023-10-29 01:59:50", "2023-10-29 02:00:00", "2023-10-29 02:59:50", "2023-10-29 02:00:00",
      "2023-10-29 02:00:10", "2023-10-29 02:59:50", "2023-10-29 03:00:00",
    ]
    let whole = local(times, Self.autumn)
    #expect(
      whole.seconds == [
        1_698_537_590, 1_698_537_600, 1_698_541_190, 1_698_541_200, 1_698_541_210, 1_698_544_790,
        1_698_544_800,
      ])
    #expect(whole.decoded.marks.count { $0.contains("shows some times twice") } == 1)
    let length = 24 + times.count * 24
    for cut in 0...length {
      #expect(local(times, Self.autumn, pieces: [cut]).decoded == whole.decoded, "\(cut)")
    }
    let bytes = Array(repeating: 1, count: length)
    #expect(local(times, Self.autumn, pieces: bytes).decoded == whole.decoded)
  }

  @Test("rows that are a little late, and files without an order, do not begin the second hour")
  func noSecondHour() {
    let late = local(
      ["2023-10-29 02:30:00", "2023-10-29 02:29:50", "2023-10-29 02:31:00"], Self.autumn)
    #expect(late.seconds == [1_698_539_400, 1_698_539_390, 1_698_539_460])
    let mixed = local(
      ["2023-10-29 01:30:00", "2023-10-29 01:20:00", "2023-10-29 02:50:00", "2023-10-29 02:10:00"],
      Self.autumn)
    #expect(mixed.seconds == [1_698_535_800, 1_698_535_200, 1_698_540_600, 1_698_538_200])
    // The file of one device after that of another.
    let joined = local(
      ["2023-10-30 12:00:00", "2023-10-29 02:50:00", "2023-10-29 02:10:00"], Self.autumn)
    #expect(joined.seconds == [1_698_663_600, 1_698_540_600, 1_698_541_800])
  }

  @Test("a time that the clock skips is noted once, and read with the clock before the change")
  func skippedHour() {
    let found = local(["2024-03-31 02:30:00", "2024-03-31 02:30:10", "2024-03-31 03:30:20"]) {
      $0 < 1_711_846_800 ? 3_600 : 7_200
    }
    #expect(found.seconds == [1_711_848_600, 1_711_848_610, 1_711_848_620])
    #expect(found.decoded.marks.count { $0.contains("skips some times") } == 1)
    #expect(!found.decoded.marks.contains { $0.contains("twice") })
  }
}
