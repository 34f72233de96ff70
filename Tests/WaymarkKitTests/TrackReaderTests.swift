import Foundation
import TestSupport
import Testing
import WaymarkFoundation
import WaymarkKit

@Suite("Tracks as a sequence of fixes")
struct TrackReaderTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func reader(_ name: String, _ text: String) throws -> TrackReader {
    try folder.write(name, text)
    return try TrackReader(folder.file(name))
  }

  @Test("a loop gives the fixes of a file, whatever its format")
  func formats() throws {
    let files = [
      "walk.gpx": """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="1.5" lon="2"><time>2026-05-02T06:31:00Z</time></trkpt>
      <trkpt lat="1.25" lon="2"><time>2026-05-02T06:31:01Z</time></trkpt>
      </trkseg></trk></gpx>
      """,
      "walk.csv": """
      time,latitude,longitude
      2026-05-02T06:31:00Z,1.5,2
      2026-05-02T06:31:01Z,1.25,2

      """,
      "walk.jsonl": """
      {"type":"fix","time":"2026-05-02T06:31:00Z","latitude":1.5,"longitude":2}
      {"type":"fix","time":"2026-05-02T06:31:01Z","latitude":1.25,"longitude":2}

      """,
    ]
    for (name, text) in files {
      let track = try reader(name, text)
      #expect(track.map(\.coordinate.latitude) == [1.5, 1.25], "\(name)")
      #expect(track.problems.isEmpty && track.devices == ["walk"], "\(name)")
      try track.finish()
      #expect(track.next() == nil, "\(name)")
    }
  }

  @Test("points have their device, file and line")
  func points() throws {
    let track = try reader(
      "two.csv", "device,time,latitude,longitude\nvan,1,1,2\nbus,2,3,4\nvan,3,5,6\n")
    let points = Array(track.points)
    #expect(points.map(\.device) == ["van", "bus", "van"])
    #expect(points.map(\.line) == [2, 3, 4])
    #expect(points.allSatisfy { $0.path == folder.file("two.csv") })
    #expect(track.devices == ["van", "bus"])
  }

  @Test("a device given by the caller names the fixes of a file without names")
  func givenDevice() throws {
    try folder.write("a.csv", "time,latitude,longitude\n1,1,2\n")
    let track = try TrackReader(folder.file("a.csv"), device: "mara")
    #expect(track.points.map(\.device) == ["mara"])
  }

  @Test("several files are merged by time, and a fix that two have is given once")
  func merged() throws {
    try folder.write("a.csv", "time,latitude,longitude\n1,1,2\n3,3,2\n")
    try folder.write("b.csv", "time,latitude,longitude\n2,2,2\n3,3,2\n")
    let track = try TrackReader(["a.csv", "b.csv"].map(folder.file), device: "mara")
    #expect(track.map(\.coordinate.latitude) == [1, 2, 3])
    #expect(track.contents.duplicates == 1)
  }

  @Test("bad records are left out, each with its code and place, and the others are read")
  func badRecords() throws {
    let track = try reader(
      "bad.csv",
      """
      time,latitude,longitude,speed
      1,1,2,3
      2,north,2,3
      3,3,,3
      4,4,2,fast
      yesterday,5,2,3
      6,"6,2,3
      7,7
      8,8,2,3

      """)
    #expect(track.map(\.coordinate.latitude) == [1, 4, 5, 8])
    #expect(
      track.problems.map(\.code) == [
        .wrongNumber, .missingPosition, .wrongNumber, .wrongTime, .unclosedQuote, .unknownRecord,
      ])
    #expect(track.problems.map(\.line) == [3, 4, 5, 6, 7, 8])
    #expect(track.problems.map(\.column) == [3, 5, 7, 1, 3, 1])
    #expect(track.problems.allSatisfy { !$0.endsReading && $0.path == folder.file("bad.csv") })
    #expect(track.problemCount == 6)
    // None of them ends reading.
    try track.finish()
  }

  @Test("what cannot be read further ends the loop, keeps what was good, and finish() throws it")
  func malformed() throws {
    let track = try reader(
      "cut.gpx",
      """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="1.5" lon="2"><time>2026-05-02T06:31:00Z</time></trkpt>
      <trkpt lat="1.25" lon="2"></trkseg>
      """)
    #expect(track.map(\.coordinate.latitude) == [1.5])
    let problem = #expect(throws: TrackProblem.self) { try track.finish() }
    #expect(problem?.code == .syntax && problem?.line == 3 && problem?.endsReading == true)
    #expect(track.problems == [problem].compactMap(\.self))
  }

  @Test("a file that was cut short says so")
  func truncated() throws {
    let track = try reader(
      "cut.gpx", "<gpx><trk><trkseg><trkpt lat=\"1.5\" lon=\"2\"></trkpt><trkpt lat=\"1\"")
    #expect(track.map(\.coordinate.latitude) == [1.5])
    #expect(throws: TrackProblem.self) { try track.finish() }
    #expect(track.problems.map(\.code) == [.truncated])
  }

  @Test("a loop that was left early is no problem, and a second one goes on")
  func leftEarly() throws {
    let track = try reader("a.csv", "time,latitude,longitude\n1,1,2\n2,2,2\n3,3,2\n")
    for fix in track where fix.coordinate.latitude == 1 { break }
    try track.finish()
    #expect(track.map(\.coordinate.latitude) == [2, 3])
  }

  @Test("what cannot be opened throws with its code")
  func unopened() throws {
    try folder.write("empty", "")
    try folder.write("letter.txt", "Dear reader,\nthis is no track.\n")
    let codes: [(String, TrackProblem.Code)] = [
      ("absent.gpx", .notFound), ("empty", .unknownFormat), ("letter.txt", .unknownFormat),
    ]
    for (name, code) in codes {
      let problem = #expect(throws: TrackProblem.self) { try TrackReader(folder.file(name)) }
      #expect(problem?.code == code && problem?.endsReading == true, "\(name)")
      #expect(problem?.line == nil && problem?.path == folder.file(name), "\(name)")
      #expect(problem?.description.hasPrefix(folder.file(name) + ": ") == true, "\(name)")
    }
  }

  @Test("problems beyond the limit are counted")
  func many() throws {
    let rows = (0..<250).map { "\($0),x,2\n" }.joined()
    let track = try reader("many.csv", "time,latitude,longitude\n" + rows)
    #expect(track.next() == nil)
    #expect(track.problems.count == TrackReader.keptProblems)
    #expect(track.problemCount == 250)
    try track.finish()
  }

  @Test("an end behind more problems than are kept is thrown")
  func lateEnd() throws {
    let points = String(repeating: "<trkpt lat=\"x\" lon=\"2\"/>", count: 150)
    let track = try reader("late.gpx", "<gpx><trk><trkseg>\(points)")
    #expect(track.next() == nil && track.problemCount == 151)
    let problem = #expect(throws: TrackProblem.self) { try track.finish() }
    #expect(problem?.code == .truncated)
  }

  @Test("what a file has besides its fixes is counted")
  func contents() throws {
    let track = try reader(
      "all.gpx",
      """
      <gpx version="1.1"><wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte>
      <trk><trkseg><trkpt lat="1" lon="2"/></trkseg><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>
      </gpx>
      """)
    #expect(Array(track).count == 2)
    #expect(track.contents.waypoints == 1 && track.contents.routePoints == 1)
    #expect(track.contents.tracks == 1 && track.contents.segments == 2)
  }

  @Test("files with positions but no track have an end that says so", arguments: ["gpx", "kml"])
  func noTrack(format: String) throws {
    let text =
      format == "gpx"
      ? "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"/></gpx>"
      : "<kml><Placemark><Point><coordinates>2,1</coordinates></Point></Placemark></kml>"
    let track = try reader("places.\(format)", text)
    // Nothing is known before the end.
    if format == "gpx" { try track.finish() }
    #expect(track.next() == nil && track.contents.waypoints == 1)
    let problem = #expect(throws: TrackProblem.self) { try track.finish() }
    #expect(problem?.code == .noTrack)
    #expect(problem?.message == "there is no track, only 1 waypoint and 0 route points")
    // Beside a track it is no error, nor is a track that is empty.
    try folder.write("a.csv", "time,latitude,longitude\n1,1,2\n")
    let both = try TrackReader([folder.file("places.\(format)"), folder.file("a.csv")])
    #expect(Array(both).count == 1)
    try both.finish()
    let empty = try reader("empty.gpx", "<gpx version=\"1.1\"><trk><trkseg/></trk></gpx>")
    #expect(empty.next() == nil)
    try empty.finish()
  }

  @Test("columns with names of their own, and none at all, are given as options")
  func columns() throws {
    var options = TrackOptions()
    options.columns = [.time: "ts", .latitude: "north", .longitude: "east", .device: "who"]
    try folder.write("own.csv", "who,ts,east,north\nvan,1,2,1\n")
    let track = try TrackReader(folder.file("own.csv"), options: options)
    let point = try #require(track.points.first { _ in true })
    #expect(point.device == "van" && point.fix.time == Timestamp("1"))
    #expect(point.fix.coordinate == Coordinate(latitude: 1, longitude: 2))
    options.columns = [.time: "1", .latitude: "2", .longitude: "3"]
    try folder.write("bare.csv", "1777703460,48.5163,8.2577\n1777703461,48.5164,8.2577\n")
    let bare = try TrackReader(folder.file("bare.csv"), options: options)
    #expect(bare.map(\.coordinate.latitude) == [48.5163, 48.5164])
    options.columns = [.time: " "]
    let problem = #expect(throws: TrackProblem.self) {
      try TrackReader(folder.file("bare.csv"), options: options)
    }
    #expect(problem?.code == .wrongOption && problem?.path == folder.file("bare.csv"))
    #expect(problem?.message.hasPrefix("the column of time is empty") == true)
  }

  @Test("every field of a fix can be given a column")
  func fields() throws {
    let fields = TrackOptions.Field.allCases.filter { $0 != .date }
    var options = TrackOptions()
    for field in fields { options.columns[field] = "my " + field.rawValue }
    let values = fields.map { field in
      switch field {
      case .device: "van"
      case .time: "2026-05-02T06:31:00Z"
      case .satellites: "7"
      default: "\(fields.firstIndex(of: field) ?? 0).5"
      }
    }
    let header = fields.map { "my " + $0.rawValue }.joined(separator: ",")
    try folder.write("all.csv", header + "\n" + values.joined(separator: ",") + "\n")
    let track = try TrackReader(folder.file("all.csv"), options: options)
    let fix = try #require(track.next())
    // The one note says which column is which.
    #expect(track.problems.isEmpty && track.notes.count == 1)
    #expect(fix.coordinate == Coordinate(latitude: 2.5, longitude: 3.5))
    #expect(fix.horizontalAccuracy == 4.5 && fix.speed == 5.5 && fix.course == 6.5)
    #expect(fix.altitude == 7.5 && fix.ellipsoidalAltitude == 8.5 && fix.verticalAccuracy == 9.5)
    #expect(fix.speedAccuracy == 10.5 && fix.courseAccuracy == 11.5)
    #expect(fix.hdop == 12.5 && fix.vdop == 13.5 && fix.pdop == 14.5 && fix.satellites == 7)
  }

  @Test("times without a zone are those of the zone that is given")
  func zones() throws {
    try folder.write(
      "local.csv",
      """
      time,latitude,longitude
      2026-01-02 06:31:00,1,2
      2026-07-02 06:31:00,1,2

      """)
    func times(_ zone: TrackZone?) throws -> [Timestamp?] {
      var options = TrackOptions()
      options.zone = zone
      return try TrackReader(folder.file("local.csv"), options: options).map(\.time)
    }
    #expect(
      try times(nil) == [Timestamp("2026-01-02T06:31:00Z"), Timestamp("2026-07-02T06:31:00Z")])
    #expect(
      try times(TrackZone(name: "+2") { _ in 7_200 })
        == [Timestamp("2026-01-02T04:31:00Z"), Timestamp("2026-07-02T04:31:00Z")])
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(
      try times(TrackZone(berlin))
        == [Timestamp("2026-01-02T05:31:00Z"), Timestamp("2026-07-02T04:31:00Z")])
    let url = URL(fileURLWithPath: folder.file("local.csv"))
    var options = TrackOptions()
    options.zone = TrackZone(berlin)
    let track = try TrackReader(contentsOf: url, options: options)
    #expect(track.next()?.time == Timestamp("2026-01-02T05:31:00Z"))
  }
}
