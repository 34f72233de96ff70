@testable import Formats
import Glibc
import TestSupport
import Testing
@testable import Traces
import Tracking

/// Decodes without the shapes of points, by the scanner alone.
private func decodeByScanner(_ bytes: [UInt8]) -> DecodedGPX {
  var decoder = GPXDecoder()
  decoder.usesShapes = false
  var batch = TraceBatch()
  var decoded = DecodedGPX()
  _ = decoder.decode(bytes.span, isFinal: true, into: &batch)
  decoded.take(&batch)
  return decoded
}

/// Documents whose points are alike, or nearly.
private struct DocumentMaker {
  var random: SeededGenerator

  mutating func document() -> [UInt8] {
    let kinds = (0..<1 + below(3)).map { _ in Layout(&random) }
    let creator = ["GPSD 3.22", "OsmAnd 4.7", "x", "x"][below(4)]
    var text = "<gpx creator='\(creator)' xmlns:wm='urn:waymark:gpx:1'>"
    text += "<trk><extensions><wm:device>d</wm:device></extensions><trkseg>"
    for number in 0..<20 + below(40) {
      text += point(kinds[below(kinds.count)], number)
      if below(25) == 0 { text += ["</trkseg><trkseg>", "<!-- - -->", "<?a b?>", "é"][below(4)] }
      if below(60) == 0 { text += "</trkseg></trk>\n<trk><name>n</name><trkseg/><trkseg>" }
    }
    return Array((text + "</trkseg></trk></gpx>\n").utf8)
  }

  /// How a program writes points.
  private struct Layout {
    let gap: String
    let quote: String
    let isLongitudeFirst: Bool
    let optional: Int
    let prefix: String
    let extra: String

    init(_ random: inout SeededGenerator) {
      gap = ["", "\n", "\n  ", "\r\n\t", "  \n"][random.below(5)]
      quote = ["'", "\""][random.below(2)]
      isLongitudeFirst = random.below(3) == 0
      optional = random.below(256)
      prefix = ["", "x:", "ns3:"][random.below(3)]
      extra = ["", " id='7'", " x:lat=\"3\"", " a='é'", "\n b=\"]\""][random.below(5)]
    }
  }

  private mutating func point(_ layout: Layout, _ number: Int) -> String {
    let (gap, quote, prefix) = (layout.gap, layout.quote, layout.prefix)
    let places = [
      "lat=\(quote)\(decimal())\(quote)", "lon=\(quote)\(decimal())\(quote)",
    ]
    let place =
      layout.isLongitudeFirst ? places[1] + " " + places[0] : places.joined(separator: " ")
    // Now and then a point lacks what the others have.
    let optional = below(6) == 0 ? below(256) : layout.optional
    var text = "\(gap)<trkpt \(place)\(layout.extra)"
    if optional == 0 { return text + "/>" }
    text += ">"
    if optional & 1 > 0 { text += "\(gap)<ele>\(decimal())</ele>" }
    if optional & 2 > 0 { text += "\(gap)<time>\(time(number))</time>" }
    if optional & 4 > 0 {
      text += "\(gap)<name>\(["a", "é", "a&amp;b", " ", "]"][below(5)])</name>"
    }
    if optional & 8 > 0 { text += "\(gap)<fix>\(["2d", "3d", "dgps", "4d"][below(4)])</fix>" }
    if optional & 16 > 0 { text += "<sat>\(below(20))</sat><hdop>\(decimal())</hdop>" }
    if optional & 96 > 0 {
      text += "\(gap)<extensions>\(gap)<\(prefix)T>"
      if optional & 32 > 0 { text += "\(gap)<\(prefix)hr>\(below(200))</\(prefix)hr>" }
      if optional & 64 > 0 { text += "\(gap)<\(prefix)speed>\(decimal())</\(prefix)speed>" }
      text += "\(gap)</\(prefix)T></extensions>"
    }
    if optional & 128 > 0 { text += "<link href='a\(number)'><text>b</text></link>" }
    return text + "\(gap)</trkpt>"
  }

  private mutating func decimal() -> String {
    switch below(12) {
    case 0: "\(below(90))"
    case 1: "-\(below(90)).\(below(1_000_000_000))\(below(1_000_000_000))\(below(1_000_000_000))"
    case 2: ["", " 5 ", "+5", "5.", ".5", "1e1", "x", "-"][below(8)]
    default: "\(below(90)).\(below(10_000_000))"
    }
  }

  private mutating func time(_ number: Int) -> String {
    let stamp = "2026-03-0\(1 + below(9))T1\(below(10)):\(10 + below(50)):\(10 + below(50))"
    return switch below(10) {
    case 0: stamp + ["", "+02:00", ".1234567890123Z", ".Z", ".123", "z"][below(6)]
    case 1: stamp + ".\(below(1_000_000_000))Z"
    default: stamp + "Z"
    }
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }
}

/// Rounds of the comparison with the other reader; WAYMARK_FUZZ sets more.
private let rounds = getenv("WAYMARK_FUZZ").flatMap { Int(String(cString: $0)) } ?? 400

@Test("points read by their shapes equal those of the scanner", arguments: [1, 2, 3])
func shapesAgreeWithScanner(seed: UInt64) {
  var maker = DocumentMaker(random: SeededGenerator(seed: seed))
  for round in 0..<rounds {
    var bytes = maker.document()
    for _ in 0..<maker.below(4) where round % 2 == 1 {
      let offset = maker.below(bytes.count)
      switch maker.below(3) {
      case 0: bytes[offset] = UInt8(truncatingIfNeeded: maker.random.next())
      case 1: bytes.remove(at: offset)
      default: bytes.insert(Array("<>&;'\"/= \n\u{7F}9-.".utf8)[maker.below(14)], at: offset)
      }
    }
    let expected = decodeByScanner(bytes)
    guard decode(bytes) == expected, decode(bytes, chunk: 700 + maker.below(900)) == expected else {
      Issue.record("seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      return
    }
  }
}

@Test("similar points are read by their shape from the third on")
func shapesAreUsed() {
  let point = "\n<trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt>"
  let text = "<gpx><trk><trkseg>" + String(repeating: point, count: 4)
  let bytes = Array(text.utf8)
  var shapes = GPXPointShapes()
  let ends = (0...bytes.count).filter { bytes[..<$0].suffix(8).elementsEqual("</trkpt>".utf8) }
  var batch = TraceBatch()
  let start = GPXPointShapes.Stop(offset: ends[1], line: 3)
  #expect(
    shapes.read(bytes.span, from: start, after: GPXPoint(), into: &batch).offset == ends[1])
  shapes.learn(bytes.span, ends[0]..<ends[1])
  let stop = shapes.read(bytes.span, from: start, after: GPXPoint(), into: &batch)
  #expect(stop.offset == ends[3] && stop.line == 5)
  #expect(batch.points.map(\.line) == [4, 5] && batch.points.map(\.fix.altitude) == [3, 3])
}

@Test("a missing or duplicate attribute is detected, whatever shapes were learned")
func shapesKnowAttributes() {
  let points = [
    "<trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt>",
    "<trkpt lat=\"1\" lon=\"2\"><ele>3</ele></trkpt>",
    "<trkpt lon=\"1\" lat=\"2\"><ele>3</ele></trkpt>",
    "<trkpt lon=\"1\" lat=\"2\"><ele>3</ele></trkpt>",
  ]
  for last in ["<trkpt lat=\"1\"><ele>", "<trkpt lon=\"1\" lat=\"2\" lon=\"3\"><ele>"] {
    let text =
      "<gpx><trk><trkseg>" + points.joined() + last + "3</ele></trkpt>" + points[0]
      + "</trkseg></trk></gpx>"
    let bytes = Array(text.utf8)
    #expect(decode(bytes) == decodeByScanner(bytes))
    #expect(decode(bytes).issues.count == 1)
  }
}

@Test("a control character in a kind of fix is an error, whatever shapes were learned")
func shapesKnowControls() {
  let point = "<trkpt lat=\"1\" lon=\"2\"><fix>3d</fix></trkpt>"
  let wrong = point.replacing("3d", with: "3d\0")
  let text = "<gpx><trk><trkseg>" + point + point + wrong + point + "</trkseg></trk></gpx>"
  let bytes = Array(text.utf8)
  #expect(decode(bytes) == decodeByScanner(bytes))
  #expect(decode(bytes).issues.count == 1)
}
