import EventLog
import Geodesy
import TestSupport
import Testing
import Tracking

@testable import Reporting

@Suite("The map of a report as a picture")
struct ReportMapTests {
  private static func view(_ latitude: Double, _ longitude: Double) -> MapView {
    var box = Box(Coordinate(latitude: latitude, longitude: longitude))
    box = box.expanded(byMetres: 10_000)
    return MapView(box, width: 1_200, height: 800)
  }

  /// Whether a pixel is in an odd number of rings.
  private static func isInside(_ pixel: Pixel, _ rings: [[Pixel]]) -> Bool {
    rings.reduce(false) { inside, ring in
      let crossed = ring.indices.count { index in
        let (a, b) = (ring[index], ring[(index + 1) % ring.count])
        guard (a.y > pixel.y) != (b.y > pixel.y) else { return false }
        return pixel.x < a.x + (pixel.y - a.y) / (b.y - a.y) * (b.x - a.x)
      }
      return inside != (crossed % 2 == 1)
    }
  }

  @Test(
    "has land where land is, on every meridian",
    arguments: [
      (60.35, 25.0, true), (59.8, 25.0, false), (52.5, 13.4, true), (65.0, -150.0, true),
      (-17.8, 178.0, true), (-18.5, -179.0, false), (68.0, 179.8, true), (68.0, -179.8, true),
      (0.0, 0.0, false), (64.0, -21.0, true), (-84.0, 100.0, true), (40.0, -40.0, false),
    ])
  func land(latitude: Double, longitude: Double, isLand: Bool) {
    let view = Self.view(latitude, longitude)
    var rings: [[Pixel]] = []
    BaseMapFile.forEachRing { rings += view.outlines(of: $0) }
    #expect(Self.isInside(Pixel(x: 600.3, y: 400.3), rings) == isLand)
    let all = rings.joined()
    #expect(all.allSatisfy { (-21...1_221).contains($0.x) && (-21...821).contains($0.y) })
  }

  @Test("shows a fence around a pole along the whole edge of the map")
  func pole() {
    let box = Box(south: 80, west: -170, north: 89, east: 170)
    let view = MapView(box, width: 1_200, height: 800)
    let ring = (0..<96).map { Coordinate(latitude: 83, longitude: Double($0) * 3.75 - 180) }
    let outlines = view.outlines(of: ring)
    for x in stride(from: 1.0, to: 1_200, by: 50) {
      let edge = view.place(Coordinate(latitude: 85, longitude: 0)).y
      let beyond = view.place(Coordinate(latitude: 82, longitude: 0)).y
      #expect(Self.isInside(Pixel(x: x, y: edge), outlines))
      #expect(!Self.isInside(Pixel(x: x, y: beyond), outlines))
    }
  }

  /// 3.3 km to the north.
  private static func walk(_ accuracy: Double) -> Walk {
    Walk(
      places: (0..<60).map { Coordinate(latitude: 52 + Double($0) * 0.0005, longitude: 13) },
      accuracy: accuracy)
  }

  /// The widths of the strokes in the group of the band.
  private static func band(_ picture: String) throws -> [Int] {
    let group = try #require(picture.firstMatch(of: /<g opacity=".16">\n([\s\S]*?)<\/g>/)?.1)
    return group.matches(of: /stroke-width="(\d+)"/).compactMap { Int($0.1) }
  }

  @Test("has the band of the estimate as wide as its accuracy, and none that the track hides")
  func band() throws {
    let widths = try Self.band(Self.walk(100).picture())
    #expect(!widths.isEmpty)
    #expect(widths.allSatisfy { $0 >= 4 })
    // On 720 pixels.
    #expect(try #require(widths.max()) < 2 * 100 * 720 / 3_300 + 2)
    #expect(try Self.band(Self.walk(1).picture()).isEmpty)
  }

  @Test("has a legend of speeds, signs and the estimate")
  func legend() throws {
    let picture = try Self.walk(10).picture()
    for name in ["standing", "≥ 2 km/h", "≥ 90 km/h", "enter", "exit", "visit", "estimate, 68 %"] {
      #expect(picture.contains(">\(name)</text>"))
    }
    let later = try Self.walk(10).picture(hindsight: true)
    #expect(later.contains(">estimate in hindsight, 68 %</text>"))
  }

  @Test("draws a silence as a dashed line")
  func silence() throws {
    var walk = Walk(
      places: [0, 0.001, 0.01, 0.011].map { Coordinate(latitude: 52, longitude: 13 + $0) },
      accuracy: 5)
    #expect(try !walk.picture().contains("stroke-dasharray"))
    walk.every = 700
    #expect(try walk.picture().matches(of: /stroke-dasharray/).count == 1)
  }

  /// The longest step from point to point of the strokes, pixels.
  private static func longestStep(_ picture: String) throws -> Double {
    let paths = picture.matches(of: /fill="none"[^>]* d="M([^"]*)"/).map(\.1)
    try #require(!paths.isEmpty)
    return paths.flatMap { path in
      let xs = path.split(separator: "L").map { Double($0.split(separator: " ")[0]) ?? .nan }
      return zip(xs, xs.dropFirst()).map { abs($0 - $1) }
    }.max() ?? 0
  }

  @Test("goes on over the antimeridian, and never across the whole picture")
  func antimeridian() throws {
    let walk = Walk(
      places: (0..<60).map {
        Coordinate(latitude: -17, longitude: Angle.wrapped(179.99 + Double($0) * 0.0005))
      }, accuracy: 5)
    let home = Fence(
      id: "home",
      area: .circle(Circle(center: Coordinate(latitude: -17, longitude: 180), radius: 500)))
    let picture = try walk.picture(fences: [home])
    #expect(try Self.longestStep(picture) < 40)
    // The fence is in the middle of the picture, in one piece.
    let fence = try #require(
      picture.firstMatch(of: /fill-rule="evenodd" d="M([^"Z]*)Z"\/>\n<text/)?.1)
    let xs = fence.split(separator: "L").compactMap { Double($0.split(separator: " ")[0]) }
    #expect(try #require(xs.min()) > 0)
    #expect(try #require(xs.max()) < 1_200)
  }

  @Test("draws a track around a pole in pieces, on the edge of the map")
  func polarTrack() throws {
    let around = Walk(
      places: (0..<120).map {
        Coordinate(latitude: 89, longitude: Angle.wrapped(Double($0) * 7))
      }, accuracy: 20)
    let picture = try around.picture()
    #expect(try Self.longestStep(picture) < 600)
    #expect(!picture.contains("nan") && !picture.contains("inf"))
  }
}
