import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite("Areas")
struct AreaTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  private func square(_ west: Double, _ south: Double, _ size: Double) throws -> Area {
    .polygons([try Polygon(exterior: rectangle(west, south, west + size, south + size))])
  }

  @Test("the size is a circle's radius or half the smaller side")
  func size() throws {
    let circle = Area.circle(Circle(center: place(50, 8), radius: 77))
    #expect(circle.approximateSize == 77)
    let unit = try square(0, -0.5, 1)
    #expect(abs(unit.approximateSize - 55_287) < 100)
    let flat = Area.polygons([try Polygon(exterior: rectangle(0, 59.9, 10, 60.1))])
    #expect(abs(flat.approximateSize - 11_141) < 20)
    #expect(Area.polygons([]).approximateSize == 0)
  }

  @Test("the box contains all parts, and is nil without parts")
  func box() throws {
    let two = Area.polygons([
      try Polygon(exterior: rectangle(170, 0, 175, 1)),
      try Polygon(exterior: rectangle(-175, 3, -170, 4)),
    ])
    #expect(two.boundingBox == Box(south: 0, west: 170, north: 4, east: -170))
    #expect(Area.polygons([]).boundingBox == nil)
    let circle = Circle(center: place(50, 8), radius: 77)
    #expect(Area.circle(circle).boundingBox == circle.boundingBox)
  }

  @Test("the signed distance to a circle is exact")
  func circleDistance() {
    let circle = Circle(center: place(50, 8), radius: 1000)
    let inside = circle.center.destination(bearing: 30, distance: 400)
    #expect(abs(Area.circle(circle).signedDistance(to: inside) + 600) < 1e-7)
    let outside = circle.center.destination(bearing: 30, distance: 4e6)
    #expect(abs(Area.circle(circle).signedDistance(to: outside) - 3_999_000) < 1e-7)
  }

  @Test("the signed distance to a polygon is that to the nearest of many points of its edge")
  func polygonDistance() throws {
    var random = SeededGenerator(seed: 61)
    for round in 0..<60 {
      let corner = place(random.number(-75...75), random.number(-180...180))
      let vertices = [(0.0, 0.0), (0.1, 0.02), (0.06, 0.09)].map {
        PlanePoint(x: corner.longitude + $0.0, y: corner.latitude + $0.1)
      }
      let area = Area.polygons([try Polygon(exterior: vertices.map(\.coordinate))])
      let probe = PlanePoint(
        x: corner.longitude + random.number(-0.1...0.2),
        y: corner.latitude + random.number(-0.1...0.2)
      ).coordinate
      var least = Double.infinity
      for index in 0..<3 {
        for step in 0..<2000 {
          let point = vertices[index].interpolated(
            to: vertices[(index + 1) % 3], Double(step) / 2000)
          least = min(least, probe.distance(to: point.coordinate))
        }
      }
      let distance = area.signedDistance(to: probe)
      #expect((distance <= 0) == area.contains(probe), "seed 61, round \(round)")
      #expect(abs(abs(distance) - least) < 0.02 + 2e-5 * least + 25 / max(least, 1), "\(round)")
    }
    #expect(Area.polygons([]).signedDistance(to: place(0, 0)) == .infinity)
  }

  @Test("the seam of two parts is not an edge, nor that of a band round the Earth")
  func seams() throws {
    let area = Area.polygons([
      try Polygon(exterior: rectangle(179, -1, 180, 1)),
      try Polygon(exterior: rectangle(-180, -1, -179, 1)),
    ])
    #expect(abs(area.signedDistance(to: place(0, 180)) + 110_574) < 1)
    #expect(abs(area.signedDistance(to: place(0.9, -179.99)) + 11_057) < 1)
    let band = Area.polygons([try Polygon(exterior: rectangle(-180, -1, 180, 1))])
    #expect(abs(band.signedDistance(to: place(0, 180)) + 110_574) < 1)
    let world = Area.polygons([try Polygon(exterior: rectangle(-180, -90, 180, 90))])
    #expect(world.contains(place(90, 0)) && world.contains(place(0, 180)))
  }

  @Test("areas overlap when they share a point")
  func overlaps() throws {
    let circle = { (latitude: Double, longitude: Double, radius: Double) in
      Area.circle(Circle(center: self.place(latitude, longitude), radius: radius))
    }
    let unit = try square(0, 0, 1)
    let pairs: [(Area, Area, Bool)] = [
      (circle(0, 0, 1000), circle(0, 0.01, 200), true),
      (circle(0, 0, 1000), circle(0, 0.02, 200), false),
      (unit, circle(0.5, 0.5, 10), true),
      (unit, circle(0.5, 1.001, 200), true),
      (unit, circle(0.5, 1.001, 100), false),
      (unit, circle(0.5, 20, 100), false),
      (unit, circle(5, 5, 4e6), true),
      (unit, try square(1, 1, 1), true),
      (unit, try square(1.0001, 1.0001, 1), false),
      (unit, try square(0.4, 0.4, 0.1), true),
      (unit, try square(0.9, -0.5, 1), true),
      (unit, .polygons([]), false),
      (try square(179, 0, 1), try Self.behindTheSeam, true),
    ]
    for (a, b, expected) in pairs {
      #expect(a.overlaps(b) == expected, "\(a), \(b)")
      #expect(b.overlaps(a) == expected, "\(b), \(a)")
    }
  }

  private static var behindTheSeam: Area {
    get throws { .polygons([try Polygon(exterior: rectangle(-180, 0.5, -179, 2))]) }
  }

  @Test("a polygon in the hole of another does not overlap it; two caps share the pole")
  func holesAndCaps() throws {
    let frame = Area.polygons([
      try Polygon(exterior: rectangle(0, 0, 10, 10), holes: [rectangle(2, 2, 8, 8)])
    ])
    let (within, across) = (try square(4, 4, 1), try square(7, 7, 1))
    #expect(!frame.overlaps(within) && frame.overlaps(across))
    #expect(!frame.overlaps(.circle(Circle(center: place(5, 5), radius: 1000))))
    let a = Area.polygons([try Polygon(exterior: ring([(0, 85), (40, 85), (20, 90)]))])
    let b = Area.polygons([try Polygon(exterior: ring([(100, 85), (140, 85), (120, 90)]))])
    #expect(a.overlaps(b) && b.overlaps(a))
  }

  @Test("an area goes through JSON")
  func coding() throws {
    for area in [Area.circle(Circle(center: place(1, 2), radius: 3)), try square(0, 0, 1)] {
      let data = try JSONEncoder().encode(area)
      #expect(try JSONDecoder().decode(Area.self, from: data) == area)
    }
  }

  @Test("validity is finite numbers in range, the ends included")
  func validity() {
    #expect(place(-90, 180).isValid && place(90, -180).isValid)
    for (latitude, longitude) in [(90.1, 0), (0, 180.1), (.nan, 0), (0, .infinity)] {
      #expect(!place(latitude, longitude).isValid)
    }
  }
}
