internal import Foundation
internal import GRDB
internal import Geodesy
internal import Text
internal import Tracking

/// The fixes of each device as lines, for a map.
///
/// A line has at most ``mostPoints`` points, so a live fix rewrites little. The next line begins with the
/// last point of the one before, unless the device was silent in between. A fix that comes late is a point
/// of its layer, and of no line.
struct StoreTracks {
  /// The line of a device that may still grow.
  private struct Line {
    var row: Int64?
    var points: [Coordinate]
    var begin: Timestamp
    var end: Timestamp
    var isChanged: Bool
  }

  private var lines: [ExactText: Line] = [:]

  static let mostPoints = 500
  /// The lines of more devices are not remembered; they are read again.
  private static let mostDevices = 1_000
  /// A silence of so many seconds ends a line.
  static let silence = 600.0

  /// Adds new fixes; ``write(_:)`` stores them.
  mutating func add(_ fix: Fix, of device: String, _ db: Database) throws {
    guard let time = fix.time, fix.coordinate.isValid else { return }
    let name = ExactText(device)
    guard var line = try lines[name] ?? Self.last(of: device, db) else {
      lines[name] = Self.line(from: fix.coordinate, at: time)
      return
    }
    guard time > line.end else { return }
    let isSilent = time.seconds(since: line.end) > Self.silence
    if isSilent || line.points.count >= Self.mostPoints {
      try Self.write(line, of: device, db)
      let (last, end) = (line.points.last ?? fix.coordinate, line.end)
      line = Self.line(from: isSilent ? fix.coordinate : last, at: isSilent ? time : end)
    }
    if time > line.end {
      line.points.append(fix.coordinate)
      line.end = time
    }
    line.isChanged = true
    lines[name] = line
  }

  /// Stores the lines that have changed.
  mutating func write(_ db: Database) throws {
    for (name, line) in lines.sorted(by: { $0.key < $1.key }) where line.isChanged {
      lines[name]?.row = try Self.write(line, of: name.text, db)
      lines[name]?.isChanged = false
    }
    if lines.count > Self.mostDevices { lines.removeAll() }
  }

  private static func time(_ text: String) -> Timestamp? { TimeText.parse(Array(text.utf8).span) }

  private static func line(from point: Coordinate, at time: Timestamp) -> Line {
    Line(row: nil, points: [point], begin: time, end: time, isChanged: true)
  }

  @discardableResult
  private static func write(_ line: Line, of device: String, _ db: Database) throws -> Int64? {
    guard line.isChanged else { return line.row }
    try db.cachedStatement(
      sql: """
        INSERT INTO tracks (fid, geom, device, begin, end, points) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (fid) DO UPDATE SET geom = ?2, end = ?5, points = ?6
        """
    ).execute(arguments: [
      line.row, GeoPackageGeometry.line(line.points), device, StoreRows.text(line.begin),
      StoreRows.text(line.end), line.points.count,
    ])
    return line.row ?? db.lastInsertedRowID
  }

  /// The last line of a device, as an earlier run left it; nil when there is none.
  private static func last(of device: String, _ db: Database) throws -> Line? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT fid, begin, end FROM tracks WHERE device = ? ORDER BY end DESC, fid DESC LIMIT 1
        """)
    guard let row = try Row.fetchOne(statement, arguments: [device]),
      let begin = (row["begin"] as String?).flatMap(time),
      let end = (row["end"] as String?).flatMap(time)
    else { return nil }
    // The fixes have the points, in the order of time.
    let points = try db.cachedStatement(
      sql: """
        SELECT latitude, longitude FROM fixes WHERE device = ? AND time BETWEEN ? AND ?
        ORDER BY time, fid
        """)
    let coordinates = try Row.fetchAll(points, arguments: [device, row["begin"], row["end"]])
      .map { Coordinate(latitude: $0[0], longitude: $0[1]) }
    guard !coordinates.isEmpty else { return nil }
    return Line(
      row: row["fid"], points: coordinates, begin: begin, end: end, isChanged: false)
  }
}
