@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private func read(
  _ text: String, _ options: ReadingOptions = ReadingOptions(), pieces: [Int] = []
) -> Decoded {
  decode(text, with: JSONTraceDecoder(JSONTable(options)), pieces: pieces)
}

private func detect(_ text: String) -> TraceFormat.Detection {
  TraceFormat.detect(Array(text.utf8)[...], isFinal: true)
}

/// As Polarsteps exports the positions of a trip.
private let polarsteps = """
  {
    "locations": [
      {"lat": 51.510618, "lon": -0.101005, "time": 1735693261.25},
      {"lat": 51.51011, "lon": -0.102718, "time": 1735693262.0}
    ]
  }
  """

/// As Expo and React Native give positions.
private let expo = """
  [{"mocked":false,"timestamp":1617121013162,"coords":{"altitude":51.5,"heading":-1,"latitude":51.04,
  "longitude":3.72,"altitudeAccuracy":3,"speed":-1,"accuracy":27.375}},
  {"timestamp":1617121014162.5,"coords":{"altitude":null,"heading":90,"latitude":51.05,
  "longitude":3.73,"altitudeAccuracy":null,"speed":1.5,"accuracy":5}}]
  """

@Suite("Records of JSON by the names of columns")
struct JSONTableTests {
  @Test("an array in an object, as Polarsteps writes it")
  func polarstepsLocations() {
    let decoded = read(polarsteps)
    #expect(detect(polarsteps) == .format(.jsonTable))
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds) == [
        1_735_693_261_250_000_000, 1_735_693_262_000_000_000,
      ])
    #expect(
      decoded.points.map(\.fix.coordinate) == [
        Coordinate(latitude: 51.510618, longitude: -0.101005),
        Coordinate(latitude: 51.51011, longitude: -0.102718),
      ])
    #expect(decoded.points.map(\.line) == [3, 4])
    #expect(
      decoded.marks == [
        #"2: note("members: latitude = `lat`, longitude = `lon`, time = `time`")"#
      ])
  }

  @Test("positions in an object of a record, as Expo gives them; below 0 is unknown")
  func expoLocations() throws {
    let decoded = read(expo)
    #expect(detect(expo) == .format(.jsonTable))
    try #require(decoded.points.count == 2)
    let (first, second) = (decoded.points[0].fix, decoded.points[1].fix)
    #expect(first.time?.nanoseconds == 1_617_121_013_162_000_000)
    #expect(first.coordinate == Coordinate(latitude: 51.04, longitude: 3.72))
    #expect(first.horizontalAccuracy == 27.375 && first.verticalAccuracy == 3)
    #expect(first.altitude == 51.5 && first.speed == nil && first.course == nil)
    #expect(second.time?.nanoseconds == 1_617_121_014_162_500_000)
    #expect(second.speed == 1.5 && second.course == 90 && second.altitude == nil)
    #expect(decoded.issues.isEmpty)
    #expect(
      decoded.marks == [
        "2: note(\"members: time = `timestamp`, altitude = `coords.altitude`, course = "
          + "`coords.heading`, latitude = `coords.latitude`, longitude = `coords.longitude`, "
          + "verticalAccuracy = `coords.altitudeAccuracy`, speed = `coords.speed`, accuracy = "
          + "`coords.accuracy`\")",
        #"2: note("members that are not read: mocked")"#,
      ])
  }

  @Test(
    "a record a line, also with the names of our own formats but for the time",
    arguments: [
      #"{"timestamp":"2025-03-10T14:02:07Z","latitude":1,"longitude":2}"#,
      #"{"type":"location","timestamp":"2025-03-10T14:02:07Z","latitude":1,"longitude":2}"#,
      #"{"ts":1741615327000,"lat":"1.0","lng":"2.0","acc":5}"#,
      #"{"timestamp":1741615327000,"coords":{"latitude":1,"longitude":2}}"#,
      #"{"location":{"timestamp":1741615327000,"coords":{"latitude":1,"longitude":2}}}"#,
      #"{"day":1,"date":"2025-03-10","time":"14:02:07","latitude":1,"longitude":2}"#,
      #"{"ts":1.741615327E9,"lat":1.0E0,"lng":2}"#, #"{"ts":1.741615327E12,"lat":1,"lng":2}"#,
      #"{"time":"140207","latitudeE7":10000000,"date":"20250310","lon":2}"#,
    ])
  func lines(line: String) {
    let text = "\(line)\n\(line)\n"
    // A record with degrees E7 is taken for one of Google.
    if !line.contains("E7") { #expect(detect(text) == .format(.jsonTable)) }
    let decoded = read(text)
    #expect(decoded.issues.isEmpty && decoded.points.map(\.line) == [1, 2])
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds)
        == [1_741_615_327_000_000_000, 1_741_615_327_000_000_000])
    #expect(decoded.points[0].fix.coordinate == Coordinate(latitude: 1, longitude: 2))
  }

  @Test(
    "an array up to two levels down, and an array in an array",
    arguments: [
      #"[{"lat":1,"lon":2,"ts":1741615327}]"#, #"{"points":[{"lat":1,"lon":2,"ts":1741615327}]}"#,
      #"{"ok":1,"data":{"n":1,"points":[{"lat":1,"lon":2,"ts":1741615327}]},"next":[]}"#,
      #"[{"ERROR":false},[{"LATITUDE":1,"LONGITUDE":2,"TIME":"2025-03-10 14:02:07 GMT"}]]"#,
    ])
  func levels(text: String) {
    #expect(detect(text) == .format(.jsonTable))
    let decoded = read(text)
    #expect(decoded.issues.isEmpty && decoded.points.count == 1)
    #expect(decoded.points.first?.fix.time?.nanoseconds == 1_741_615_327_000_000_000)
  }

  @Test("a device of the document is that of the records below it, and a name not used is listed")
  func documentDevice() {
    let text =
      #"{"user":"anna","points":[{"lat":1,"lon":2,"ts":1741615327,"created_at":"x"},"#
      + #"{"ts":1741615329,"time":1741615328,"lat":1,"lon":2,"imei":7}],"user":"bert"}"#
    let decoded = read(text)
    #expect(decoded.devices == ["anna", "7"] && decoded.points.map(\.device) == [0, 1])
    #expect(
      decoded.marks.last == #"2: note("members that are not read: created_at")"#, "\(decoded.marks)"
    )
  }

  @Test("a second array of positions is not mixed with the first")
  func twoArrays() {
    let text = """
      {"track":[{"lat":1,"lon":2,"time":1741615327}],
      "places":[{"lat":3,"lon":4,"time":1741615328},
      {"lat":5,"lon":6,"time":1741615329}]}
      """
    let decoded = read(text)
    #expect(decoded.points.count == 1)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 2:1 the document holds positions in `places` as well as in `track`; only the "
          + "latter are read, put each into a file of its own"
      ])
  }

  @Test("the best of several names is read, whatever their order; a null counts as absent")
  func ranks() {
    let decoded = read(
      """
      [{"created_at":5,"time":null,"timestamp":1741615327,"lat":1,"latitude":2,"lon":3},
      {"timestamp":1741615328,"created_at":5,"latitude":2,"lat":1,"lon":3}]
      """)
    #expect(decoded.points.map(\.fix.coordinate.latitude) == [2, 2])
    #expect(
      decoded.points.map(\.fix.time?.nanoseconds)
        == [1_741_615_327_000_000_000, 1_741_615_328_000_000_000])
  }

  @Test("values that are not valid are reported at their place, units are converted")
  func values() {
    let decoded = read(
      """
      [{"time":"noon","lat":1,"lon":2,"speed_kmh":36,"altitude_ft":"100","user":"anna"},
      {"time":1741615327,"lat":"north","lon":2},
      {"time":1741615327,"lat":1},
      {"time":1741615327},
      7,
      {"time":"14:02","lat":1,"lon":{"a":[1]}},
      {"time":"14:02","lat":1,"lon":"2"}]
      """)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:10 time is \"noon\", where \(FixField.time.expectation) was expected; it is left "
          + "out",
        "record 2:26 lat is \"north\", where a number of decimal degrees was expected; it is left "
          + "out",
        "record 3:27 the record has no longitude; it is left out",
        "record 6:31 lon is an object, where a text or a number was expected; it is left out",
        "record 6:40 the record has no longitude; it is left out",
        "record 7:34 the record has a time of day and no date",
      ])
    #expect(decoded.points.count == 2 && decoded.devices == ["anna"])
    #expect(decoded.points.first?.fix.speed == 10)
    #expect(isNear(decoded.points.first?.fix.altitude, 30.48, within: 1e-9))
    #expect(decoded.points.allSatisfy { $0.fix.time == nil })
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 2)
  }

  @Test("letters of hemispheres beside a position, as in a table, whatever their order")
  func hemispheres() {
    let decoded = read(
      """
      [{"ts":1741615327,"N/S":"S","lat":33.5,"lon":70.25,"E/W":"W"},
      {"ts":1741615328,"lat":33.5,"N/S":" north ","lon":70.25,"E/W":"west"},
      {"ts":1741615329,"lat":"33.5","N/S":"s","lon":"70.25","E/W":""},
      {"ts":1741615330,"lat":-33.5,"lon":-70.25,"N/S":null,"E/W":"-"},
      {"ts":1741615331,"coords":{"latitude":33.5,"longitude":70.25,"ns":"S","ew":"E"}},
      {"ts":1741615332,"lat":33.5,"N/S":250,"lon":70.25,"E/W":"W"}]
      """)
    #expect(
      decoded.points.map(\.fix.coordinate) == [
        Coordinate(latitude: -33.5, longitude: -70.25),
        Coordinate(latitude: 33.5, longitude: -70.25),
        Coordinate(latitude: -33.5, longitude: 70.25),
        Coordinate(latitude: -33.5, longitude: -70.25),
        Coordinate(latitude: -33.5, longitude: 70.25),
        Coordinate(latitude: 33.5, longitude: -70.25),
      ])
    #expect(decoded.issues.isEmpty)
    #expect(!decoded.marks.contains { $0.contains("not read") }, "\(decoded.marks)")
  }

  @Test(
    "letters have the names that they have in tables, also those that degrees may have",
    arguments: [
      ("lat_dir", "lon_dir"), ("LatitudeRef", "LongitudeRef"),
      ("GPSLatitudeRef", "GPSLongitudeRef"),
      ("north_south", "east_west"), ("lat_ns", "lon_ew"), ("latitude_hemisphere", "lngHemi"),
    ])
  func namesOfLetters(latitude: String, longitude: String) {
    let letters = #""\#(latitude)":"S","\#(longitude)":"W""#
    for text in [
      #"[{"ts":1741615327,"lat":33.5,"lon":70.25,\#(letters)}]"#,
      #"[{\#(letters),"ts":1741615327,"lat":33.5,"lon":70.25}]"#,
    ] {
      let decoded = read(text)
      #expect(
        decoded.points.map(\.fix.coordinate) == [Coordinate(latitude: -33.5, longitude: -70.25)])
      #expect(decoded.issues.isEmpty && !decoded.marks.contains { $0.contains("not read") })
    }
  }

  @Test("our own names with letters are records, not lines of an event log")
  func ownNamesWithLetters() {
    let text = #"{"time":1741615327,"latitude":33.5,"longitude":70.25,"N/S":"S","E/W":"W"}"#
    #expect(detect(text) == .format(.jsonTable))
    let decoded = read(text + "\n" + text)
    #expect(
      decoded.points.map(\.fix.coordinate)
        == Array(repeating: Coordinate(latitude: -33.5, longitude: -70.25), count: 2))
  }

  @Test("another letter and a sign beside one are errors; the letter of one alone is not read")
  func wrongHemispheres() {
    let decoded = read(
      """
      [{"ts":1741615327,"lat":33.5,"N/S":"W","lon":70.25,"E/W":"W"},
      {"ts":1741615328,"lat":33.5,"N/S":"N","lon":-70.25,"E/W":"W"},
      {"ts":1741615329,"lat":33.5,"N/S":"S","lon":70.25,"E/W":"E"},
      {"ts":1741615330,"N/S":"x","E/W":"W"}]
      """)
    #expect(decoded.points.map(\.fix.coordinate) == [Coordinate(latitude: -33.5, longitude: 70.25)])
    #expect(
      decoded.issues.map(\.shown) == [
        "record 1:61 the letter of the latitude is \"W\", where N or S was expected; the record is "
          + "left out",
        "record 2:61 the longitude has a sign beside the letter W, where one of both was expected; "
          + "the record is left out",
      ])
    let alone = read(#"[{"ts":1741615327,"lat":33.5,"N/S":"S","lon":70.25}]"#)
    #expect(alone.points.first?.fix.coordinate == Coordinate(latitude: 33.5, longitude: 70.25))
    #expect(alone.marks.contains { $0.contains("members that are not read: N/S") })
  }

  @Test("a record whose device is neither a text nor a number is reported and not used")
  func unreadableDevice() {
    let devices = [
      #""imei":true"#, #""imei":[1]"#, #""imei":{"id":1}"#, #""imei":7.0"#, #""imei":7"#,
      #""imei":null"#, #""user":{"id":1},"imei":8"#, #""imei":"8""#,
    ]
    let records = devices.map { #"{"lat":1,"lon":2,"ts":1741615327,\#($0)}"# }
    for text in ["[" + records.joined(separator: ",") + "]", records.joined(separator: "\n")] {
      let decoded = read(text)
      #expect(decoded.devices == ["7", "8"] && decoded.issues.count == 4, "\(decoded.marks)")
      #expect(decoded.points.map(\.device) == [0, 0, nil, 1, 1])
    }
  }

  @Test("positions without a time are waypoints, courses and speeds of AIS may be unknown")
  func waypointsAndShips() {
    let towns = read(#"[{"name":"Berlin","lat":52.5,"lng":13.4}]"#)
    #expect(towns.points.isEmpty && towns.marks.first?.contains("waypoint") == true)
    let ships = read(
      #"[{"mmsi":211234560,"lat":54,"lon":10,"cog":360,"sog":102.3,"ts":1741615327}]"#)
    #expect(ships.devices == ["211234560"])
    #expect(ships.points.first?.fix.course == nil && ships.points.first?.fix.speed == nil)
  }

  @Test("a speed beside an MMSI whose name states no unit is left out, whatever the order")
  func unclearSpeeds() throws {
    let text = """
      [{"SPEED":"125","COURSE":"90","MMSI":"367000001","LAT":"29.5","LON":"-90.5","ts":1741615327},
      {"MMSI":367000001,"LAT":29.5,"LON":-90.5,"SPEED":130,"COURSE":91,"ts":1741615328}]
      """
    let decoded = read(text)
    #expect(decoded.points.map(\.fix.speed) == [nil, nil] && decoded.issues.isEmpty)
    #expect(decoded.points.map(\.fix.course) == [90, 91])
    let notes = decoded.marks.filter { $0.contains("`SPEED` is left out: beside an MMSI") }
    #expect(notes.count == 1 && decoded.marks.contains { $0.contains("not read: SPEED") })
    var options = ReadingOptions()
    try options.columns.add("speed", column: "SPEED")
    for (text, options, speed) in [
      (text, options, 125.0),
      (text.replacing("SPEED", with: "speed_kmh"), ReadingOptions(), 125 / 3.6),
      (text.replacing("MMSI", with: "imei"), ReadingOptions(), 125.0),
    ] {
      let clear = read(text, options)
      #expect(isNear(clear.points.first?.fix.speed, speed, within: 1e-9))
      #expect(!clear.marks.contains { $0.contains("left out") })
    }
  }

  @Test("times without a zone are of the zone that is given, and columns may be named")
  func options() throws {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Europe/Berlin") { _ in 3_600 }
    try options.columns.add("latitude", column: "n")
    try options.columns.add("longitude", column: "e")
    let text = #"[{"t":1,"n":1,"e":2,"time":"2025-03-10 15:02:07"}]"#
    let decoded = read(text, options)
    #expect(decoded.points.first?.fix.time?.nanoseconds == 1_741_615_327_000_000_000)
    #expect(decoded.marks.last == #"1: note("times without a zone are read as Europe/Berlin")"#)
    #expect(
      TraceFormat.detect(Array(text.utf8)[...], options, isFinal: true) == .format(.jsonTable))
    #expect(detect(text) == .unknown)
  }

  @Test(
    "of an hour that comes twice, the second begins where the times step back",
    arguments: ["", #""date":"2023-10-29","#])
  func repeatedHour(date: String) {
    var options = ReadingOptions()
    options.zone = LocalZone(name: "Europe/Berlin") { $0 < 1_698_541_200 ? 7_200 : 3_600 }
    let times = ["2023-10-29 02:50:00", "2023-10-29 02:10:00", "2023-10-29 03:00:00"]
    let records = times.map { #"{\#(date)"lat":1,"lon":2,"time":"\#($0)"}"# }
    let decoded = read("[\(records.joined(separator: ","))]", options)
    #expect(
      decoded.points.map { $0.fix.time.map { $0.nanoseconds / 1_000_000_000 } }
        == [1_698_540_600, 1_698_541_800, 1_698_544_800])
    for note in ["shows some times twice", "without a zone are read as Europe/Berlin"] {
      #expect(decoded.marks.count { $0.contains(note) } == 1)
    }
  }

  @Test("cut at any byte, the same is read", arguments: [polarsteps, expo])
  func cuts(text: String) {
    let whole = read(text)
    for cut in 0...text.utf8.count { #expect(read(text, pieces: [cut]) == whole, "\(cut)") }
    #expect(read(text, pieces: Array(repeating: 1, count: text.utf8.count)) == whole)
  }

  @Test("more bytes never change the format", arguments: [polarsteps, expo])
  func prefixes(text: String) {
    for count in 0..<text.utf8.count {
      let part = TraceFormat.detect(Array(text.utf8.prefix(count))[...])
      #expect(part == .undecided || part == .format(.jsonTable), "\(count)")
    }
  }

  @Test(
    "other documents are not taken for records of positions",
    arguments: [
      (#"[{"time":1,"x":1,"y":2,"z":3}]"#, TraceFormat.Detection.unknown),
      (#"[{"time":1741615327,"location":[13.4,52.5]}]"#, .unknown),
      (#"{"locations":[{"name":"Berlin","lat":52.5,"lng":13.4}]}"#, .unknown),
      (#"[{"lat":1,"lon":2,"time":null},{"lat":1,"lon":2,"time":3}]"#, .format(.jsonTable)),
      (#"{"a":{"b":{"c":[{"lat":1,"lon":2,"time":3}]}}}"#, .unknown),
      (#"{"time":"2025-03-10T14:02:07Z","latitude":1,"longitude":2}"#, .format(.ndjson)),
      (#"{"type":"fix","time":1,"latitude":1,"longitude":2}"#, .format(.ndjson)),
      (#"{"class":"TPV","lat":1,"lon":2,"time":3}"#, .format(.gpsd)),
      (#"{"locations":[{"timestamp":"x"}]}"#, .format(.googleRecords)),
      (#"{"lat":1,"lon":2,"time":3,"class":"TPV"}"#, .format(.gpsd)),
    ])
  func others(text: String, found: TraceFormat.Detection) { #expect(detect(text) == found) }

  @Test("a document whose positions are lists says why it is refused")
  func lists() {
    let text = #"[{"time":1741615327,"location":[13.4,52.5]}]"#
    #expect(
      ForeignFile.description(of: Array(text.utf8)[...], path: "a.json")
        == "a JSON document whose positions are lists of numbers, and which of them is the "
        + "latitude is not certain; write latitude and longitude by their names")
  }

  @Test("a document of places without times is no track, unless a member is said to be one")
  func untimed() throws {
    let text = #"{"all_steps":[{"start_time":1735693269.0,"location":{"lat":51.5,"lon":-0.12}}]}"#
    #expect(
      ForeignFile.description(of: Array(text.utf8)[...], path: "trip.json")
        == "a JSON document of positions without times; --columns time=NAME names a member that has "
        + "them")
    var options = ReadingOptions()
    try options.columns.add("time", column: "start_time")
    #expect(
      TraceFormat.detect(Array(text.utf8)[...], options, isFinal: true) == .format(.jsonTable))
    #expect(read(text, options).points.count == 1)
  }

  @Test("every role has its place")
  func places() { #expect(CSVRole.allCases.map(\.place) == Array(CSVRole.allCases.indices)) }

  @Test("names without end and nesting cost no memory")
  func bounds() {
    let names = (0..<5_000).map { #""name\#($0)":1"# }.joined(separator: ",")
    let decoded = read(#"[{\#(names)},{"lat":1,"lon":2,"time":1741615327}]"#)
    #expect(decoded.points.count == 1 && decoded.marks.count == 3)
    let long = String(repeating: "n", count: 100_000)
    #expect(read(#"[{"\#(long)":1,"lat":1,"lon":2,"time":1741615327}]"#).points.count == 1)
    let deep = String(repeating: "[", count: 100_000)
    #expect(read(deep).issues.count == 1)
  }
}
