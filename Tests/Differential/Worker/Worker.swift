import Formats
import GPSD
import Geodesy
import Glibc
import Receivers
import TestSupport
import Text
import Traces
import Tracking

/// Answers what the project's own code makes of inputs, for `differential.py`, which asks others too.
///
/// A request is a line with a name and a number of bytes, and those bytes; the answer is a line of
/// JSON. Numbers are written so that they are read back as the same.
@main
enum Worker {
  static func main() {
    while let header = line() {
      let words = header.split(separator: " ")
      guard words.count == 2, let count = Int(words[1]), let body = read(count) else {
        exit(1)
      }
      print(answer(String(words[0]), body))
      fflush(nil)
    }
  }

  /// The bytes up to an end of line; nil at the end of the input.
  private static func line() -> String? {
    var bytes: [UInt8] = []
    while let byte = read(1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// So many bytes of standard input.
  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = bytes[filled...].withUnsafeMutableBytes {
        Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      guard more > 0 else { return nil }
      filled += more
    }
    return bytes
  }

  private static func answer(_ name: String, _ body: [UInt8]) -> String {
    if let format = TraceFormat.allCases.first(where: { name == "trace-\($0)" }) {
      return TraceAnswer.of(body, format)
    }
    return switch name {
    case "geojson": ShapeAnswer.geoJSON(body)
    case "inverse": ShapeAnswer.inverse(body)
    case "direct": ShapeAnswer.direct(body)
    case "fences": ShapeAnswer.fences(body)
    case "crossings": ShapeAnswer.crossings(body)
    case "gpsd": ReportAnswer.of(body)
    default: "null"
    }
  }
}

/// What a decoder reads: points, visits that the trace reports, and issues.
enum TraceAnswer {
  static func of(_ bytes: [UInt8], _ format: TraceFormat) -> String {
    var decoder = format.decoder(ReadingOptions(), isConverted: false)
    var batch = TraceBatch()
    _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
    let points = batch.points.map { point in
      let fix = point.fix
      let numbers = [
        fix.coordinate.latitude, fix.coordinate.longitude, fix.altitude, fix.speed, fix.course,
        fix.horizontalAccuracy,
      ]
      let device = point.device.map { JSON.text(batch.devices[Int($0)]) } ?? "null"
      return JSON.list([JSON.time(fix.time)] + numbers.map(JSON.number) + [device])
    }
    let visits = batch.marks.compactMap { mark -> String? in
      guard case .reportedVisit(let visit) = mark.mark else { return nil }
      let place = [visit.coordinate.latitude, visit.coordinate.longitude]
      return JSON.list([visit.arrival, visit.departure].map(JSON.time) + place.map(JSON.number))
    }
    let issues = batch.marks.compactMap { mark -> String? in
      guard case .issue(let issue) = mark.mark else { return nil }
      return "[\"\(issue.kind)\",\(issue.line),\(issue.column),\(JSON.text(issue.message))]"
    }
    return "{\"points\":\(JSON.list(points)),\"visits\":\(JSON.list(visits)),"
      + "\"issues\":\(JSON.list(issues))}"
  }
}

/// What the shapes of the Earth and on it are.
enum ShapeAnswer {
  /// GeoJSON, a NUL, and places: which of them are in its fences.
  static func geoJSON(_ body: [UInt8]) -> String {
    let end = body.firstIndex(of: 0) ?? body.count
    let text = Array(body[..<end])
    do throws(TraceError) {
      let fences = try GeoJSON.fences(in: text.span, path: "f")
      let places = rows(body.dropFirst(end + 1)).map(place)
      let inside = fences.map { fence in
        JSON.list(places.map { fence.area.contains($0) ? "1" : "0" })
      }
      return "{\"inside\":\(JSON.list(inside))}"
    } catch {
      return "{\"error\":\(JSON.text(error.description))}"
    }
  }

  /// Pairs of places: distances, and bearings at the first.
  static func inverse(_ body: [UInt8]) -> String {
    JSON.list(
      rows(body[...]).map { row in
        let (from, to) = (place(row), place(Array(row.dropFirst(2))))
        return JSON.list([from.distance(to: to), from.bearing(to: to)].map(JSON.number))
      })
  }

  /// Places, bearings and distances: where they lead.
  static func direct(_ body: [UInt8]) -> String {
    JSON.list(
      rows(body[...]).map { row in
        let end = place(row).destination(bearing: row[2], distance: row[3])
        return JSON.list([end.latitude, end.longitude].map(JSON.number))
      })
  }

  /// Lines `c LAT LON RADIUS`, `p LAT LON …` (a ring) and, in the same order as they are asked,
  /// `q LAT LON` (a place), `d N` (take the fence N away): which fences hold each place, in memory
  /// and compiled.
  static func fences(_ body: [UInt8]) -> String {
    var fences: [Fence] = []
    var sets: [FenceSet] = []
    var answers: [String] = []
    for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
      let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
      switch line.first {
      case "c", "p":
        guard let area = area(line.first == "c", numbers) else { return "{\"error\":\"area\"}" }
        fences.append(Fence(id: "\(fences.count)", area: area))
      case "d":
        fences.removeAll { $0.id == "\(Int(numbers[0]))" }
        sets = []
      default:
        if sets.isEmpty { sets = twoSets(fences) }
        answers.append(JSON.list(sets.map { inside($0, place(numbers)) }))
      }
    }
    return JSON.list(answers)
  }

  /// A fence as in ``fences(_:)``, and ways `w LAT LON LAT LON`: whether each begins inside, and where it
  /// passes the edge.
  static func crossings(_ body: [UInt8]) -> String {
    var answers: [String] = []
    var area: Area?
    for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
      let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
      guard line.first == "w" else {
        area = Self.area(line.first == "c", numbers)
        continue
      }
      guard let area else { return "{\"error\":\"area\"}" }
      let (start, end) = (place(numbers), place(Array(numbers.dropFirst(2))))
      var fractions: [Double] = []
      area.crossings(from: start, to: end, into: &fractions)
      answers.append(
        JSON.list([area.contains(start) ? "1" : "0"] + fractions.map(JSON.number)))
    }
    return JSON.list(answers)
  }

  private static func area(_ isCircle: Bool, _ numbers: [Double]) -> Area? {
    if isCircle { return .circle(Circle(center: place(numbers), radius: numbers[2])) }
    let ring = stride(from: 0, to: numbers.count - 1, by: 2).map {
      Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    return (try? Polygon(exterior: ring)).map { .polygons([$0]) }
  }

  private static func twoSets(_ fences: [Fence]) -> [FenceSet] {
    guard let set = try? FenceSet(fences) else { return [] }
    var bytes: [UInt8] = []
    set.writeCompiled { bytes.append(contentsOf: $0) }
    guard let compiled = try? FenceSet(compiled: bytes) else { return [] }
    return [set, compiled]
  }

  private static func inside(_ set: FenceSet, _ place: Coordinate) -> String {
    var found: [String] = []
    set.forEachFence(containing: place) { found.append(set.id(at: $0)) }
    return JSON.list(found)
  }

  private static func rows(_ bytes: ArraySlice<UInt8>) -> [[Double]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
  }

  private static func place(_ row: [Double]) -> Coordinate {
    Coordinate(latitude: row[0], longitude: row[1])
  }
}

/// Whether libgps and our reader take mutated lines of gpsd's for the same.
enum ReportAnswer {
  /// A seed and a number of lines; the answer has how many were read by libgps itself, and those on
  /// which they differ.
  static func of(_ body: [UInt8]) -> String {
    let words = String(decoding: body, as: UTF8.self).split(separator: " ").compactMap {
      UInt64($0)
    }
    guard case .success(var libgps) = LibgpsReader.open() else { return "{\"read\":0}" }
    var (swift, mutator) = (SwiftGPSDReader(), GPSDMutator(seed: words[0]))
    var (read, different) = (0, [String]())
    for _ in 0..<words[1] {
      let line = mutator.next()
      let expected = Result { () throws(JSONError) in try swift.read(line.span) }
      let found = Result { () throws(JSONError) in try libgps.read(line.span) }
      let isAlike =
        switch (expected, found) {
        case (.success(let expected), .success(let found)): found.isIdentical(to: expected)
        case (.failure(let expected), .failure(let found)): found == expected
        default: false
        }
      if case .success = found { read += 1 }
      if !isAlike { different.append(JSON.text(String(decoding: line, as: UTF8.self))) }
    }
    return "{\"read\":\(read),\"different\":\(JSON.list(different))}"
  }
}

/// JSON as it is written here.
enum JSON {
  static func time(_ time: Timestamp?) -> String { time.map { "\($0.nanoseconds)" } ?? "null" }

  static func number(_ value: Double?) -> String {
    value.map { $0.isFinite ? "\($0)" : "\"\($0)\"" } ?? "null"
  }

  static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

  static func text(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
