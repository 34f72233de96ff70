import Foundation
import TestSupport
import Testing

/// `waymark convert`: what other programs, and Waymark itself, read back.
@Suite("waymark convert", .timeLimit(.minutes(90)))
struct ConvertTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// Times to the nanosecond, places to a hundredth of a millimetre, every field that a fix has.
  private static let fixes = """
    {"type":"fix","device":"van <b>&\\"1\\"","time":"2026-03-01T08:00:00.000Z","latitude":52.516300001,"longitude":13.3777,"accuracy":4.5,"speed":1.25,"course":359.9999,"altitude":34.1,"verticalAccuracy":6,"speedAccuracy":0.5,"courseAccuracy":10,"hdop":0.9,"vdop":1.2,"pdop":1.5,"ellipsoidalAltitude":77.25,"satellites":9,"mode":"3d"}
    {"type":"fix","device":"van <b>&\\"1\\"","time":"2026-03-01T08:00:01.123456789Z","latitude":52.516400002,"longitude":13.3778,"accuracy":4.5,"altitude":34.25,"mode":"2d"}
    {"type":"fix","device":"van <b>&\\"1\\"","time":"2026-03-01T08:00:02.500Z","latitude":-0.0001,"longitude":-179.5,"altitude":-3}

    """

  private func convert(_ input: String, _ output: String, _ more: String = "") throws -> String {
    let run = try runner.waymark(["convert", input, "-o", output] + more.words)
    #expect(run.code == 0, "\(run.errors)")
    return run.errors
  }

  private func shell(_ line: String) throws -> String {
    let run = try runner.shell(line)
    #expect(run.code == 0, "\(line)\n\(run.errors)")
    return run.output
  }

  @Test("keeps every value of a fix in GPX and NDJSON", arguments: ["gpx", "ndjson"])
  func exact(_ format: String) throws {
    try runner.write("in.ndjson", Self.fixes)
    #expect(
      try convert("in.ndjson", "out.\(format)")
        == "waymark: 1 device, 3 fixes, 3 written\n")
    _ = try convert("out.\(format)", "back.ndjson")
    #expect(try runner.read("back.ndjson") == Self.fixes)
  }

  @Test("keeps place, time and motion in CSV, and the other values in columns of their own")
  func table() throws {
    try runner.write("in.ndjson", Self.fixes)
    _ = try convert("in.ndjson", "out.csv")
    let lines = try runner.read("out.csv").split(separator: "\n").map(String.init)
    let wanted: [String] = [
      "device,time,latitude,longitude,accuracy,speed,course,altitude,verticalAccuracy,speedAccuracy,"
        + "courseAccuracy,hdop,vdop,pdop,ellipsoidalAltitude,satellites,mode",
      #""van <b>&""1""",2026-03-01T08:00:00.000Z,52.516300001,13.3777,4.5,1.25,359.9999,"#
        + "34.1,6,0.5,10,0.9,1.2,1.5,77.25,9,3d",
      #""van <b>&""1""",2026-03-01T08:00:01.123456789Z,52.516400002,13.3778,4.5,,,34.25,,,,,,,,,2d"#,
    ]
    #expect(Array(lines.prefix(3)) == wanted)
    let replay = "--format jsonl --include fix".words
    let (a, b) = (
      try runner.waymark(["replay", "in.ndjson"] + replay),
      try runner.waymark(["replay", "out.csv"] + replay)
    )
    #expect(a.output.split(separator: "\n").count == b.output.split(separator: "\n").count)
    #expect(!b.errors.contains("not read"))
  }

  @Test("gives the events of the same track, whatever the format is", arguments: ["gpx", "csv"])
  func events(_ format: String) throws {
    let story = "traces/out-and-back"
    _ = try convert("\(story)/track.gpx", "out.\(format)")
    let rules = "--config \(story)/waymark.yaml --format jsonl".words
    let device = ["--device", "van"]
    let (a, b) = (
      try runner.waymark(["replay", "\(story)/track.gpx"] + rules + device),
      try runner.waymark(["replay", "out.\(format)"] + rules + device)
    )
    #expect(!a.output.isEmpty)
    let name = try #require(b.output.firstMatch(of: /"device":"([^"]*)"/)?.1)
    // Tables name their device.
    let renamed = a.output.replacing(/"device":"[^"]*"/, with: "\"device\":\"\(name)\"")
      .replacing(/"id":"[^"]*",/, with: "")
    #expect(b.output.replacing(/"id":"[^"]*",/, with: "") == renamed)
  }

  @Test(
    "names each device so that it is read back",
    arguments: ["gpx", "geojson", "kml", "csv", "ndjson"])
  func devices(_ format: String) throws {
    let fleet = "traces/fleet"
    _ = try convert("\(fleet)/track.csv", "out.\(format)")
    let rules = "--config \(fleet)/waymark.yaml --format jsonl".words
    let (a, b) = (
      try runner.waymark(["replay", "\(fleet)/track.csv"] + rules),
      try runner.waymark(["replay", "out.\(format)"] + rules)
    )
    #expect(!a.output.isEmpty)
    // A file of tracks has one device after the other.
    #expect(b.output.split(separator: "\n").sorted() == a.output.split(separator: "\n").sorted())
    _ = try convert("traces/dwell/track.gpx", "one.\(format)", "--device jane")
    let one = try runner.waymark("convert one.\(format) -o - --format ndjson".words)
    let names = one.output.matches(of: /"device":"([^"]*)"/).map { String($0.1) }
    #expect(Set(names) == ["jane"])
  }

  @Test("keeps tracks and segments, and says what it leaves out")
  func segments() throws {
    try runner.write(
      "in.gpx",
      """
      <gpx version="1.1" creator="x"><wpt lat="1" lon="2"><name>w</name></wpt>
      <rte><rtept lat="1" lon="2"/></rte>
      <trk><name>out</name><trkseg><trkpt lat="1" lon="2"><time>2026-03-01T08:00:00Z</time></trkpt>
      <trkpt lat="1.001" lon="2"><time>2026-03-01T08:01:00Z</time></trkpt></trkseg>
      <trkseg><trkpt lat="1.002" lon="2"><time>2026-03-01T09:00:00Z</time></trkpt></trkseg></trk>
      <trk><name>back</name><trkseg><trkpt lat="1.003" lon="2"/><trkpt lat="91" lon="2"/></trkseg>
      </trk></gpx>
      """)
    let run = try runner.waymark("convert in.gpx -o out.gpx".words)
    #expect(
      run.errors == """
        waymark: 1 device, 5 fixes, 4 written
        waymark: 1 fix not written: coordinates that are not on Earth (first at in.gpx:6); are latitude and longitude swapped?
        waymark: 1 route point not written
        waymark: 1 waypoint not written

        """)
    #expect(
      try peer("out.gpx") == """
        track out
        segment
        1.0 2.0 None 2026-03-01T08:00:00.000000
        1.001 2.0 None 2026-03-01T08:01:00.000000
        segment
        1.002 2.0 None 2026-03-01T09:00:00.000000
        track back
        segment
        1.003 2.0 None None

        """)
    _ = try runner.waymark("convert in.gpx -o out.geojson".words)
    let features = try features(in: "out.geojson")
    #expect(features.map { $0.type } == ["LineString", "Point", "Point"])
    #expect(features.map { $0.properties["segment"] as? Int } == [1, 2, 1])
    #expect(features.map { $0.properties["name"] as? String } == ["out", "out", "back"])
    #expect(features[2].properties["coordTimes"] == nil)
  }

  /// What gpxpy reads.
  private func peer(_ file: String) throws -> String {
    let python = Built.package(".build/peers/bin/python").path
    let script = Built.package("Tests/Peers/read-gpx.py").path
    return try shell("'\(python)' '\(script)' \(file)")
  }

  private func features(
    in file: String
  ) throws -> [(type: String, coordinates: Any, properties: [String: Any])] {
    let text = try runner.read(file)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let features = try #require(document["features"] as? [[String: Any]])
    return try features.map { feature in
      let geometry = try #require(feature["geometry"] as? [String: Any])
      return (
        try #require(geometry["type"] as? String), try #require(geometry["coordinates"]),
        try #require(feature["properties"] as? [String: Any])
      )
    }
  }

  @Test("is read by gpxpy as it was written")
  func gpxpy() throws {
    try runner.write("in.ndjson", Self.fixes)
    _ = try convert("in.ndjson", "out.gpx")
    #expect(
      try peer("out.gpx") == """
        track van <b>&"1"
        segment
        52.516300001 13.3777 34.1 2026-03-01T08:00:00.000000
        52.516400002 13.3778 34.25 2026-03-01T08:00:01.123456
        -0.0001 -179.5 -3.0 2026-03-01T08:00:02.500000

        """)
  }

  @Test("is read by gpsbabel as it was written", arguments: ["gpx", "kml"])
  func gpsbabel(_ format: String) throws {
    try runner.write("in.ndjson", Self.fixes)
    _ = try convert("in.ndjson", "out.\(format)")
    _ = try shell("gpsbabel -i \(format) -f out.\(format) -o gpx -F back.gpx")
    #expect(
      try peer("back.gpx").split(separator: "\n").dropFirst(2) == [
        "52.516300001 13.3777 34.1 2026-03-01T08:00:00.000000",
        // gpsbabel keeps milliseconds.
        "52.516400002 13.3778 34.25 2026-03-01T08:00:01.123000",
        "-0.0001 -179.5 -3.0 2026-03-01T08:00:02.500000",
      ])
  }

  /// KML and GeoJSON have a line, cut at the antimeridian in GeoJSON; a GeoPackage has points.
  @Test("is read by ogr2ogr as it was written", arguments: ["geojson", "kml", "gpkg"])
  func ogr(_ format: String) throws {
    try runner.write("in.ndjson", Self.fixes)
    _ = try convert("in.ndjson", "out.\(format)")
    let layer = format == "gpkg" ? "fixes" : ""
    _ = try shell(
      "ogr2ogr -f GeoJSON -lco COORDINATE_PRECISION=9 back.json out.\(format) \(layer)")
    let points = try features(in: "back.json").flatMap { feature in
      if let line = feature.coordinates as? [[Double]] { return line }
      return [try #require(feature.coordinates as? [Double])]
    }
    let wanted = [
      [13.3777, 52.516300001, 34.1], [13.3778, 52.516400002, 34.25],
      [-179.5, -0.0001, -3],
    ]
    #expect(points.map { Array($0.prefix(2)) } == wanted.map { Array($0.prefix(2)) })
    if format != "gpkg" { #expect(points == wanted) }
  }

  /// KML's driver gives the first and the last time of a track, and GeoPackage has milliseconds.
  @Test(
    "has its times for ogr2ogr, as exactly as the format holds them",
    arguments: [
      (
        "geojson",
        [
          "2026-03-01T08:00:00.000Z", "2026-03-01T08:00:01.123456789Z", "2026-03-01T08:00:02.500Z",
        ]
      ),
      ("kml", ["2026-03-01T08:00:00Z", "2026-03-01T08:00:02.500Z"]),
      ("gpkg", ["2026-03-01T08:00:00Z", "2026-03-01T08:00:01.123Z", "2026-03-01T08:00:02.500Z"]),
    ])
  func times(_ format: String, _ wanted: [String]) throws {
    try runner.write("in.ndjson", Self.fixes)
    _ = try convert("in.ndjson", "out.\(format)")
    _ = try shell(
      "ogr2ogr -f GeoJSON back.json out.\(format) \(format == "gpkg" ? "fixes" : "")")
    let found = try runner.read("back.json").matches(of: /"(20[0-9-]+T[0-9:.]+Z)"/)
    #expect(found.map { String($0.1) } == wanted)
  }

  @Test(
    "writes the same estimates in every format",
    arguments: ["gpx", "geojson", "kml", "gpkg", "csv"])
  func cleanFormats(_ format: String) throws {
    let track = "traces/out-and-back/track.gpx"
    _ = try convert(track, "clean.ndjson", "--clean")
    _ = try convert(track, "out.\(format)", "--clean")
    let wanted = try runner.read("clean.ndjson")
      .matches(of: /"latitude":([0-9.-]+),"longitude":([0-9.-]+)/)
      .map { [Double($0.2) ?? .nan, Double($0.1) ?? .nan] }
    #expect(wanted.count > 100)
    let layer = ["gpkg": "fixes", "gpx": "track_points"][format] ?? ""
    let columns = "-oo X_POSSIBLE_NAMES=longitude -oo Y_POSSIBLE_NAMES=latitude"
    _ = try shell(
      "ogr2ogr -f GeoJSON -lco COORDINATE_PRECISION=9 \(format == "csv" ? columns : "") "
        + "back.json out.\(format) \(layer)")
    let found = try features(in: "back.json").flatMap { feature in
      if let line = feature.coordinates as? [[Double]] { return line }
      return [try #require(feature.coordinates as? [Double])]
    }
    try #require(found.count == wanted.count)
    for (place, other) in zip(found, wanted) {
      #expect(abs(place[0] - other[0]) <= 1e-9 && abs(place[1] - other[1]) <= 1e-9)
    }
  }

  @Test("has the fixes as a layer and as a line in a GeoPackage, which is written once")
  func geoPackage() throws {
    _ = try convert("traces/commute/track.gpx", "out.gpkg")
    let layers = try shell("ogrinfo -so out.gpkg")
    #expect(layers.contains("fixes") && layers.contains("tracks"))
    #expect(try shell("ogrinfo -so out.gpkg fixes").contains("Feature Count: 2074"))
    let again = try runner.waymark("convert traces/commute/track.gpx -o out.gpkg".words)
    #expect(again.code == 64)
    #expect(again.errors.contains("'out.gpkg' exists"))
  }

  @Test("writes the events of a recording", arguments: ["geojson", "gpx", "kml", "csv", "ndjson"])
  func story(_ format: String) throws {
    let story = "traces/commute"
    let log = try runner.waymark(
      "replay \(story)/track.gpx --config \(story)/waymark.yaml --format csv".words)
    _ = try convert(
      "\(story)/track.gpx", "out.\(format)", "--events --config \(story)/waymark.yaml")
    let text = try runner.read("out.\(format)")
    let ids = log.output.split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst().first }
    #expect(ids.count > 10)
    for id in Set(ids) { #expect(text.contains(id)) }
    switch format {
    case "csv": #expect(text == log.output)
    case "ndjson": #expect(text.split(separator: "\n").count == ids.count)
    case "gpx":
      // A visit that is over is there once.
      #expect(text.matches(of: /<wpt\b/).count == Set(ids).count)
      #expect(
        try peer("out.gpx").split(separator: "\n").allSatisfy { $0.hasPrefix("waypoint ") })
    default:
      _ = try shell("ogr2ogr -f GeoJSON back.json out.\(format)")
      #expect(try features(in: "back.json").count == Set(ids).count)
    }
  }

  @Test("has the same bytes as replay in a format for maps", arguments: ["geojson", "gpx", "kml"])
  func replay(_ format: String) throws {
    let story = ["traces/commute/track.gpx", "--config", "traces/commute/waymark.yaml"]
    let log = try runner.waymark(["replay"] + story + ["--format", format])
    let map = try runner.waymark(
      ["convert"] + story + ["--events", "-o", "-", "--format", format])
    #expect(log.code == 0 && !log.output.isEmpty)
    #expect(map.output == log.output)
  }

  @Test("leaves out fixes on a straight line, and counts them")
  func simplified() throws {
    let rows = (0...100).map { index in
      "2026-03-01T08:\(index / 60 < 1 ? "00" : "01"):\(String(100 + index % 60).dropFirst())Z,0,"
        + "\(Double(index) / 10_000)"
    }
    try runner.write("in.csv", "time,latitude,longitude\n\(rows.joined(separator: "\n"))\n")
    #expect(
      try convert("in.csv", "out.csv", "--simplify 1m") == """
        waymark: 1 device, 101 fixes, 2 written
        waymark: 99 fixes left out, close to the simplified line

        """)
  }

  @Test(
    "writes the estimates of the engine, closer together than the fixes, and counts what it drops")
  func clean() throws {
    var rows = "time,latitude,longitude,accuracy\n"
    var random = SeededGenerator(seed: 5)
    for second in 0..<600 {
      let stamp = String(format: "2026-03-01T08:%02d:%02dZ", second / 60, second % 60)
      // A rest with an error of some metres, and one jump.
      let (north, east) = (
        Double.random(in: -5...5, using: &random), Double.random(in: -5...5, using: &random)
      )
      let jump = second == 300 ? 1.0 : 0
      rows += "\(stamp),\(50 + jump + north / 111_000),\(8 + east / 71_000),5\n"
    }
    try runner.write("in.csv", rows)
    #expect(
      try convert("in.csv", "out.csv", "--clean") == """
        waymark: 1 device, 600 fixes, 599 written
        waymark: 1 fix that the engine did not use, not written

        """)
    let clean = try runner.read("out.csv").split(separator: "\n").dropFirst().suffix(200)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    for cells in clean {
      #expect(abs((Double(cells[2]) ?? 0) - 50) * 111_000 < 2)
      #expect(abs((Double(cells[3]) ?? 0) - 8) * 71_000 < 2)
      #expect((Double(cells[4]) ?? 99) < 5)
      #expect(cells[5] == "0")
    }
  }

  @Test("puts fixes in the order of time, those of several devices and files too")
  func sortedRows() throws {
    let header = "device,time,latitude,longitude\n"
    try runner.write(
      "a.csv", header + "b,2026-03-01T08:04:00Z,1,2\na,2026-03-01T08:02:00Z,1,2\nb,,1,3\n")
    try runner.write("b.csv", header + "b,2026-03-01T08:03:00Z,1,2\nb,2026-03-01T08:01:00Z,1,2\n")
    let run = try runner.waymark("convert a.csv b.csv -o - --format ndjson --sort".words)
    #expect(run.code == 0 && run.errors == "waymark: 2 devices, 5 fixes, 5 written\n")
    let lines = run.output.split(separator: "\n")
    let times = lines.map { $0.firstMatch(of: /08:(0.):00/).map { String($0.1) } }
    // The fix without a time goes with the one before it in its file.
    #expect(times == ["01", "02", nil, "03", "04"])
    #expect(lines.map { $0.contains(#""device":"a""#) } == [false, true, false, false, false])
  }

  @Test("puts tracks and their segments in the order of time")
  func sortedTracks() throws {
    let point = { (time: String) in
      #"<trkpt lat="1" lon="2"><time>2026-03-01T\#(time)Z</time></trkpt>"#
    }
    try runner.write(
      "in.gpx",
      #"<gpx version="1.1" creator="x"><trk><name>late</name><trkseg>"# + point("11:00:00")
        + point("10:59:00") + "</trkseg><trkseg>" + point("10:00:00") + "</trkseg></trk>"
        + "<trk><name>early</name><trkseg>" + point("08:00:00") + "</trkseg></trk></gpx>")
    _ = try convert("in.gpx", "out.gpx", "--sort")
    #expect(
      try peer("out.gpx") == """
        track early
        segment
        1.0 2.0 None 2026-03-01T08:00:00.000000
        track late
        segment
        1.0 2.0 None 2026-03-01T10:00:00.000000
        segment
        1.0 2.0 None 2026-03-01T10:59:00.000000
        1.0 2.0 None 2026-03-01T11:00:00.000000

        """)
  }

  @Test("a recording that runs backwards is sorted before the engine cleans it")
  func sortedAndCleaned() throws {
    let rows = (10..<40).reversed().map { "2026-03-01T08:\($0):00Z,50,8,5\n" }.joined()
    try runner.write("in.csv", "time,latitude,longitude,accuracy\n" + rows)
    #expect(
      try convert("in.csv", "out.csv", "--clean --sort")
        == "waymark: 1 device, 30 fixes, 30 written\n")
    let replay = try runner.waymark("replay out.csv".words)
    #expect(replay.errors.contains("30 fixes, 30 used") && !replay.errors.contains("dropped"))
  }

  @Test("reads a table as the config and the options say")
  func configuredTable() throws {
    try runner.write("in.csv", "zeit,y,x\n2026-05-04 10:00:00,52.5,13.4\n")
    // A fence that fixes place does not matter.
    try runner.write(
      "c.yaml",
      """
      device: van
      fences: [{id: anchor, center: here, radius: 40}]
      csv: {columns: {time: zeit, latitude: y, longitude: x}, time-zone: Europe/Berlin}

      """)
    let configured = try convert("in.csv", "a.ndjson", "--config c.yaml")
    let chosen = try convert(
      "in.csv", "b.ndjson",
      "--columns time=zeit,latitude=y,longitude=x --csv-time-zone Europe/Berlin --device van")
    #expect(configured == chosen)
    let fix =
      #"{"type":"fix","device":"van","time":"2026-05-04T08:00:00.000Z","latitude":52.5,"#
      + #""longitude":13.4}"# + "\n"
    #expect(try runner.read("a.ndjson") == fix)
    #expect(try runner.read("b.ndjson") == fix)
  }

  @Test("converts what can be read of a damaged file, and says so")
  func damaged() throws {
    try runner.write("in.csv", "time,latitude,longitude\n2026-03-01T08:00:00Z,1,2\nx,1,2\n")
    let run = try runner.waymark("convert in.csv -o - --format ndjson".words)
    #expect(run.code == 65)
    // The place of the second fix is good.
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.errors.contains("in.csv:3:1"))
    #expect(run.errors.contains("1 problem in the input; all that could be read was written"))
    #expect(try runner.waymark("convert none.gpx -o out.gpx".words).code == 66)
  }

  @Test(
    "a file without a fix on Earth is an error, which says where and what it may be",
    arguments: [
      ("525000000,133000000", "latitudeE7 and longitudeE7"), ("133.5,52.5", "swapped?"),
      ("5230.1234N,01318.5E", "ddmm.mmmm"), ("99,199", ""),
    ])
  func notOnEarth(row: String, hint: String) throws {
    try runner.write(
      "in.csv",
      "time,latitude,longitude\n2026-03-01T08:00:00Z,\(row)\n2026-03-01T08:00:01Z,\(row)\n")
    let run = try runner.waymark("convert in.csv -o - --format ndjson".words)
    #expect(run.code == 65 && run.output.isEmpty)
    #expect(
      run.errors.contains(
        "2 fixes not written: coordinates that are not on Earth (first at in.csv:2)"))
    #expect(run.errors.contains(hint) || hint.isEmpty, "\(run.errors)")
    try runner.write(
      "some.csv",
      "time,latitude,longitude\n2026-03-01T08:00:00Z,\(row)\n2026-03-01T08:00:01Z,1,2\n")
    #expect(try runner.waymark("convert some.csv -o - --format ndjson".words).code == 0)
  }

  @Test(
    "refuses what cannot be meant",
    arguments: [
      ("in.csv -o out.xyz", "the ending of 'out.xyz' names no format"),
      ("in.csv -o out", "the ending of 'out' names no format"),
      ("in.csv -o - --format gpkg", "a GeoPackage is a database"),
      ("in.csv -o in.csv", "both use 'in.csv'"),
      ("in.csv -o a.gpx --simplify 5m --events", "--simplify is for fixes"),
      ("in.csv -o a.gpx --hindsight", "--hindsight is for events"),
      ("in.csv -o a.gpx --fence home=1,2,3", "--fence is for events"),
      ("in.csv -o a.gpx --clean --events", "--clean is for fixes"),
      ("in.csv -o a.gpx --sort --events", "--sort is for fixes"),
      ("in.csv -o a.gpx --simplify 0", "'0' is not a length"),
    ])
  func misuse(_ line: String, _ says: String) throws {
    try runner.write("in.csv", "time,latitude,longitude\n2026-03-01T08:00:00Z,1,2\n")
    let run = try runner.waymark("convert \(line)".words)
    #expect(run.code == 64)
    #expect(run.errors.contains(says), "\(run.errors)")
    #expect(!runner.exists("a.gpx") && !runner.exists("out.xyz"))
  }
}
