import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("What a device need not ask again")
struct NeighbourhoodTests {
  private static let corners = [
    Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: -16.8, longitude: 179.98),
    Coordinate(latitude: 89.99, longitude: 0), Coordinate(latitude: -33.9, longitude: -179.999),
  ]

  private func place(_ center: Coordinate, _ reach: Double, _ random: inout SeededGenerator)
    -> Coordinate
  {
    center.destination(
      bearing: .random(in: 0...360, using: &random),
      distance: .random(in: 0...reach, using: &random))
  }

  private func triangle(_ center: Coordinate, _ size: Double) throws -> Area {
    let corners = [0.0, 120, 240, 0].map { center.destination(bearing: $0, distance: size) }
    return .polygons([try Polygon(exterior: corners)])
  }

  /// Circles and triangles around a place.
  private func fences(
    _ center: Coordinate, _ random: inout SeededGenerator
  ) throws -> [Fence] {
    try (0..<400).map { number in
      let (place, size) = (
        place(center, 3_000, &random), Double.random(in: 10...300, using: &random)
      )
      let isRound = number % 4 > 0 || abs(center.latitude) > 80
      return Fence(
        id: "\(number)",
        area: isRound ? .circle(Circle(center: place, radius: size)) : try triangle(place, size))
    }
  }

  @Test("the fences found before are those that the set finds", arguments: corners)
  func remembered(center: Coordinate) throws {
    var random = SeededGenerator(seed: 41)
    let set = try FenceSet(fences(center, &random))
    var neighbourhood = Neighbourhood()
    var (here, remembered) = (center, 0)
    for step in 0..<3_000 {
      let before = here
      here = place(step % 97 == 0 ? center : here, step % 31 == 0 ? 2_000 : 15, &random)
      let reach = Box(pathFrom: before, to: here).expanded(
        byMetres: .random(in: 1...40, using: &random))
      var searched: [Int] = []
      set.forEachFence(near: reach) { searched.append($0) }
      guard neighbourhood.cover(reach, set) else { continue }
      remembered += 1
      let found = neighbourhood.indices.compactMap { neighbourhood.fence(at: $0, near: reach) }
      #expect(found == searched, "seed 41, step \(step)")
    }
    // Of a pole nothing is kept.
    #expect(abs(center.latitude) > 80 ? remembered == 0 : remembered > 1_000)
  }

  @Test("a device that gives one fix only is not asked for more")
  func once() throws {
    var random = SeededGenerator(seed: 42)
    let center = Self.corners[0]
    let set = try FenceSet(fences(center, &random))
    var neighbourhood = Neighbourhood()
    let reach = Box(center).expanded(byMetres: 20)
    var answers = (0..<2).map { _ in neighbourhood.cover(reach, set) }
    neighbourhood.clear()
    answers.append(neighbourhood.cover(reach, set))
    #expect(answers == [false, true, false])
  }

  @Test("a device in a crowd of fences asks the set")
  func crowd() throws {
    let center = Self.corners[0]
    let fences = (0..<300).map {
      Fence(id: "\($0)", area: .circle(Circle(center: center, radius: 50)))
    }
    let set = try FenceSet(fences)
    var neighbourhood = Neighbourhood()
    let reach = Box(center).expanded(byMetres: 20)
    var answers = (0..<5).map { _ in neighbourhood.cover(reach, set) }
    answers.append(neighbourhood.cover(Box(center).expanded(byMetres: 5_000), set))
    #expect(!answers.contains(true))
  }

  @Test("where no crossing is looked for there is none", arguments: corners)
  func crossings(center: Coordinate) throws {
    var random = SeededGenerator(seed: 43)
    let areas = try fences(center, &random).map(\.area)
    var (passedOver, crossed) = (0, 0)
    for step in 0..<20_000 {
      let area = areas[step % areas.count]
      let a = place(center, 3_000, &random)
      let b = place(a, step % 2 == 0 ? 30 : 1_000, &random)
      var fractions: [Double] = []
      area.crossings(from: a, to: b, into: &fractions)
      crossed += fractions.isEmpty ? 0 : 1
      if !FenceMonitor.mayCross(edgeAt: area.signedDistance(to: b), from: a, to: b) {
        passedOver += 1
        #expect(fractions.isEmpty, "seed 43, step \(step)")
      }
    }
    #expect(crossed > 100)
    #expect(abs(center.latitude) > 80 ? passedOver == 0 : passedOver > 10_000)
  }
}
