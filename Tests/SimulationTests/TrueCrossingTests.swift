import Geodesy
import Simulation
import Testing
import Tracking

@Suite struct TrueCrossingTests {
  /// East at 10 m/s for 2 km.
  private func eastward() -> TruePath {
    let end = berlin.destination(bearing: 90, distance: 2000)
    let places = [(noon, berlin), (noon.advanced(bySeconds: 200), end)]
    return TruePath(joining: places.map { (time: $0.0, coordinate: $0.1) })
      ?? TruePath(Plan(start: noon, at: berlin))
  }

  private func seconds(_ crossings: [TrueCrossing]) -> [Double] {
    crossings.map { $0.time.seconds(since: noon) }
  }

  private func expect(_ found: [Double], near wanted: [Double], within tolerance: Double) {
    #expect(found.count == wanted.count, "\(found)")
    for (a, b) in zip(found, wanted) { #expect(abs(a - b) < tolerance, "\(a) is not \(b)") }
  }

  @Test("a circle on the path is crossed at its radius from its centre")
  func circle() {
    let center = berlin.destination(bearing: 90, distance: 1000)
    let fence = ReferenceFence(id: "c", area: .circle(center: center, radius: 150))
    let found = eastward().crossings(of: [fence])
    #expect(found.map(\.kind) == [.enter, .exit])
    expect(seconds(found), near: [85, 115], within: 1e-4)
  }

  @Test("starting inside is not an enter, and neither is meeting only the box of a circle")
  func insideAndBeside() {
    let home = ReferenceFence(id: "home", area: .circle(center: berlin, radius: 100))
    let aside = berlin.destination(bearing: 90, distance: 1000)
      .destination(bearing: 0, distance: 200)
    let beside = ReferenceFence(id: "beside", area: .circle(center: aside, radius: 199))
    let found = eastward().crossings(of: [home, beside])
    #expect(found.map(\.kind) == [.exit] && found.map(\.fence) == ["home"])
    expect(seconds(found), near: [10], within: 1e-4)
  }

  @Test("a square with a hole is entered twice and left twice")
  func hole() {
    let at = { (east: Double, north: Double) in
      berlin.destination(bearing: 90, distance: east)
        .destination(bearing: north > 0 ? 0 : 180, distance: abs(north))
    }
    let square = { (from: Double, to: Double) in
      [at(from, -300), at(to, -300), at(to, 300), at(from, 300)]
    }
    let rings = ReferenceArea.Rings(outer: square(500, 1500), holes: [square(900, 1200)])
    let found = eastward().crossings(of: [ReferenceFence(id: "p", area: .polygons([rings]))])
    #expect(found.map(\.kind) == [.enter, .exit, .enter, .exit])
    expect(seconds(found), near: [50, 90, 120, 150], within: 0.01)
  }

  @Test("a dwell is due after an enter that lasts, and not after a shorter one")
  func dwell() {
    let center = berlin.destination(bearing: 90, distance: 1000)
    let area = ReferenceArea.circle(center: center, radius: 150)
    let short = eastward().crossings(of: [ReferenceFence(id: "c", area: area, dwell: 31)])
    let long = eastward().crossings(of: [ReferenceFence(id: "c", area: area, dwell: 20)])
    #expect(short.map(\.kind) == [.enter, .exit])
    #expect(long.map(\.kind) == [.enter, .dwell, .exit])
    expect(seconds(long), near: [85, 105, 115], within: 1e-4)
  }

  @Test("a ring round the pole contains the pole, and one over the antimeridian its middle")
  func specialPlaces() {
    let at = { Coordinate(latitude: $0, longitude: $1) }
    let ring = stride(from: -180.0, to: 180, by: 30).map { at(89, $0) }
    let polar = ReferenceArea.polygons([.init(outer: ring)])
    #expect(polar.contains(at(89.9, 77)) && polar.contains(at(89.2, -15)))
    #expect(!polar.contains(at(88.8, 77)) && !polar.contains(at(0, 0)))
    let fiji = ReferenceArea.polygons([
      .init(outer: [at(-17, 179), at(-17, -179), at(-16, -179), at(-16, 179)])
    ])
    #expect(fiji.contains(at(-16.5, 180)) && fiji.contains(at(-16.5, -179.5)))
    #expect(!fiji.contains(at(-16.5, 178.9)) && !fiji.contains(at(-16.5, 0)))
  }

  @Test("skipping ahead finds the same crossings as sampling every instant")
  func skipping() {
    var random = SeededGenerator(seed: 17)
    let path = eastward()
    for round in 0..<12 {
      let corners = (0..<5).map { corner in
        berlin.destination(bearing: 90, distance: random.uniform(600...1400))
          .destination(bearing: Double(corner % 2) * 180, distance: random.uniform(20...400))
      }
      let area = ReferenceArea.polygons([.init(outer: corners)])
      let looks = stride(from: 0.0, through: 200, by: 0.1).map { second in
        path.state(at: second).map { area.contains($0.coordinate) } ?? false
      }
      let changes = zip(looks, looks.dropFirst()).count { $0 != $1 }
      let found = path.crossings(of: [ReferenceFence(id: "p", area: area)])
      #expect(found.count == changes, "seed 17, round \(round)")
    }
  }
}
