import Geodesy
import TestSupport
import Testing

import class Foundation.JSONDecoder
import class Foundation.JSONEncoder
import func Foundation.pow

@testable import Fences

@Suite("FenceSet")
struct FenceSetTests {
  @Test("a set gives back its fences, in order and by id")
  func collection() throws {
    var fences = (0..<100).map { number in
      Fence(
        id: "fence with the number \(number)",
        area: .circle(Circle(center: place(52, Double(number) / 10), radius: 100)))
    }
    fences[3].dwell = 5_000_000_000
    fences[3].notifications = [.dwell]
    fences[4].initial = .none
    fences[5].initial = .enter
    for (index, decision) in Decision.allCases.enumerated() { fences[index].decision = decision }
    fences[7].area = .polygons([try rectangle(10, 20, 11, 22), try rectangle(12, 20, 13, 22)])
    fences[8].id = ""
    let set = try FenceSet(fences)
    #expect(Array(set) == fences)
    #expect(set.count == 100 && set.indices == 0..<100)
    for (index, fence) in fences.enumerated() {
      #expect(set.index(ofID: fence.id) == index && set.id(at: index) == fence.id)
    }
    #expect(set.index(ofID: "nobody") == nil)
    #expect(try set == FenceSet(fences))
    #expect(try set != FenceSet(fences.dropLast()))
    #expect(try set != FenceSet(fences.reversed()))
    #expect(try set.hashValue == FenceSet(fences).hashValue)
  }

  @Test("an empty set has nothing and finds nothing")
  func empty() throws {
    for set in [FenceSet(), try FenceSet([])] {
      #expect(set.isEmpty && set.index(ofID: "") == nil)
      #expect(near(set, .world).isEmpty && containing(set, place(0, 0)).isEmpty)
    }
    #expect(try FenceSet() == FenceSet([]))
  }

  @Test("fences of one id and a fence without an area are refused")
  func refused() throws {
    let fence = Fence(id: "a", area: .circle(Circle(center: place(0, 0), radius: 1)))
    #expect(throws: FenceSetError.duplicateID("a")) { try FenceSet([fence, fence]) }
    let none = Fence(id: "b", area: .polygons([]))
    #expect(throws: FenceSetError.emptyArea("b")) { try FenceSet([none]) }
  }

  @Test("an invalid position is in no fence", arguments: [Double.nan, .infinity, 91, -1e300])
  func invalid(number: Double) throws {
    let world = Fence(id: "world", area: .circle(Circle(center: place(0, 0), radius: 3e7)))
    let set = try FenceSet([world])
    #expect(containing(set, place(number, 0)).isEmpty)
    #expect(containing(set, place(0, number * 2)).isEmpty)
    #expect(near(set, Box(place(number, 0))).isEmpty)
    #expect(near(set, Box(place(0, number * 2))).isEmpty)
    #expect(containing(set, place(0, 0)) == [0])
  }

  @Test(
    "a circle whose radius is not above 0 contains nothing",
    arguments: [0, -0.0, -1, -1e300, -Double.infinity])
  func noRadius(_ radius: Double) throws {
    let center = place(52.5, 13.4)
    let set = try FenceSet([
      Fence(id: "none", area: .circle(Circle(center: center, radius: radius))),
      Fence(id: "some", area: .circle(Circle(center: center, radius: 1))),
    ])
    #expect(containing(set, center) == [1])
    #expect(set.map(\.id) == ["none", "some"])
  }

  @Test("a circle around no place is refused", arguments: [Double.nan, .infinity, 91, -1e300])
  func noCenter(_ number: Double) throws {
    for center in [place(number, 0), place(0, number * 2)] {
      let fence = Fence(id: "a", area: .circle(Circle(center: center, radius: 9)))
      #expect(throws: FenceSetError.noCircle("a")) { try FenceSet([fence]) }
    }
  }

  @Test("a circle whose radius is no number is refused, and one without end is everywhere")
  func radiusIsNumber() throws {
    func set(_ radius: Double) throws -> FenceSet {
      try FenceSet([Fence(id: "a", area: .circle(Circle(center: place(52, 13), radius: radius)))])
    }
    #expect(throws: FenceSetError.noCircle("a")) { try set(.nan) }
    for radius in [.infinity, .greatestFiniteMagnitude, 1e18] {
      #expect(try containing(set(radius), place(-52, -167)) == [0])
    }
  }

  @Test("the index finds what asking every fence finds", arguments: 1...12)
  func differential(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kind = FenceKind.allCases[Int(seed) % FenceKind.allCases.count]
    let fences = (0..<300).map { kind.fence($0, &random) }
    let set = try FenceSet(fences)
    for round in 0..<4_000 {
      let place = kind.hardPlace(fences, &random)
      let wanted = fences.indices.filter { fences[$0].area.contains(place) }
      #expect(containing(set, place) == wanted, "seed \(seed), round \(round), \(place)")
      let box = box(at: place, &random)
      let met = fences.indices.filter { set[$0].area.boundingBox?.intersects(box) ?? false }
      #expect(near(set, box) == met, "seed \(seed), round \(round), \(box)")
      #expect(met.allSatisfy { set.isNear($0, box) })
    }
  }

  @Test("a circle holds whom the exact geodesic says, on its very edge")
  func exactEdges() throws {
    var random = SeededGenerator(seed: 77)
    for round in 0..<600 {
      let center = Coordinate(
        latitude: .random(in: -89.9...89.9, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let edge = center.destination(
        bearing: .random(in: 0...360, using: &random),
        distance: exponential(1, 300_000, &random))
      // The radius is the very distance, or a hair less.
      let distance = center.distance(to: edge)
      let fences = [distance, distance.nextDown, distance * (1 - 1e-12)].map { radius in
        Fence(id: "\(radius)", area: .circle(Circle(center: center, radius: radius)))
      }
      let set = try FenceSet(fences)
      #expect(containing(set, edge) == [0], "round \(round) at \(center) to \(edge)")
    }
  }

  @Test("presence tells who came in and who went out", arguments: 1...6)
  func presence(seed: UInt64) throws {
    var random = SeededGenerator(seed: 300 + seed)
    let fences = (0..<400).map { FenceKind.city.fence($0, &random) }
    let set = try FenceSet(fences)
    var presence = FencePresence()
    var inside: Set<Int> = []
    for round in 0..<500 {
      let place = FenceKind.city.hardPlace(fences, &random)
      var changes: [FencePresence.Change] = []
      presence.move(to: place, in: set, into: &changes)
      let now = Set(fences.indices.filter { fences[$0].area.contains(place) })
      let wanted = now.symmetricDifference(inside).sorted().map {
        FencePresence.Change(fence: $0, isEntry: now.contains($0))
      }
      #expect(changes == wanted, "seed \(seed), round \(round)")
      #expect(Array(presence.inside) == now.sorted())
      inside = now
    }
    var changes: [FencePresence.Change] = []
    presence.move(to: place(.nan, 0), in: set, into: &changes)
    #expect(changes.count == inside.count && changes.allSatisfy { !$0.isEntry })
  }

  @Test("presence on a walk is what asking every fence says", arguments: 1...18)
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: 500 + seed)
    let kind = FenceKind.allCases[Int(seed) % FenceKind.allCases.count]
    let fences = (0..<60).map { kind.fence($0, &random) }
    let set = try FenceSet(fences)
    var presence = FencePresence()
    var changes: [FencePresence.Change] = []
    for start in 0..<40 {
      var place = kind.hardPlace(fences, &random)
      var bearing = Double.random(in: 0..<360, using: &random)
      let step = exponential(1e-3, 3e3, &random)
      for round in 0..<100 {
        presence.move(to: place, in: set, into: &changes)
        let wanted = fences.indices.filter { fences[$0].area.contains(place) }
        #expect(
          Array(presence.inside) == wanted, "seed \(seed), walk \(start), round \(round), \(place)")
        bearing += .random(in: -20...20, using: &random)
        place = place.destination(
          bearing: bearing, distance: step * .random(in: 0...2, using: &random))
      }
    }
    #expect(!changes.isEmpty, "seed \(seed)")
  }

  @Test("where a device was may be kept, and gone on from")
  func presenceCoding() throws {
    let circle = Circle(center: place(10, 20), radius: 100)
    let set = try FenceSet([Fence(id: "a", area: .circle(circle))])
    var presence = FencePresence()
    var changes: [FencePresence.Change] = []
    presence.move(to: place(10, 20), in: set, into: &changes)
    let kept = try JSONEncoder().encode(presence)
    var other = try JSONDecoder().decode(FencePresence.self, from: kept)
    #expect(other == presence && other.hashValue == presence.hashValue)
    #expect(try JSONEncoder().encode(other) == kept)
    other.move(to: place(10.1, 20), in: set, into: &changes)
    #expect(changes.map(\.isEntry) == [true, false])
    #expect(other == FencePresence())
  }

  @Test("a place in more fences than the stack has room for is found in all of them")
  func stacked() throws {
    let fences = (0..<1_000).map { number in
      Fence(
        id: "\(number)",
        area: .circle(Circle(center: place(10, 20), radius: 100 + Double(number))))
    }
    let set = try FenceSet(fences)
    #expect(containing(set, place(10, 20)) == Array(0..<1_000))
    #expect(near(set, Box(place(10, 20)).expanded(byMetres: 5_000)) == Array(0..<1_000))
    var presence = FencePresence()
    var changes: [FencePresence.Change] = []
    presence.move(to: place(10, 20), in: set, into: &changes)
    #expect(Array(presence.inside) == Array(0..<1_000) && changes.count == 1_000)
  }

  private func box(at place: Coordinate, _ random: inout SeededGenerator) -> Box {
    let size = exponential(0.1, 3e6, &random)
    return Box(place).expanded(byMetres: Bool.random(using: &random) ? size : 50)
  }
}

/// Sorts of fences that are hard in different ways.
private enum FenceKind: CaseIterable {
  case city, world, poles, antimeridian, polygons, mixed

  func fence(_ number: Int, _ random: inout SeededGenerator) -> Fence {
    Fence(id: "\(number)", area: area(&random))
  }

  private func area(_ random: inout SeededGenerator) -> Area {
    let center = center(&random)
    let radius = radius(&random)
    let isPolygon = self == .polygons || (self == .mixed && Bool.random(using: &random))
    guard isPolygon else { return .circle(Circle(center: center, radius: radius)) }
    let ring = (0..<Int.random(in: 3...40, using: &random)).map { _ in
      Double.random(in: 0..<360, using: &random)
    }.sorted().map { bearing in
      center.destination(bearing: bearing, distance: radius * .random(in: 0.3...1, using: &random))
    }
    let hole = [0.0, 120, 240].map { center.destination(bearing: $0, distance: radius / 10) }
    let holes = Bool.random(using: &random) ? [hole] : []
    guard let polygon = try? Polygon(exterior: ring, holes: holes) else {
      return .circle(Circle(center: center, radius: radius))
    }
    return .polygons([polygon])
  }

  private func center(_ random: inout SeededGenerator) -> Coordinate {
    let longitude = Double.random(in: -180...180, using: &random)
    switch self {
    case .city:
      return place(
        .random(in: 59.9...60.1, using: &random), .random(in: 9.8...10.2, using: &random))
    case .world, .mixed: return place(.random(in: -88...88, using: &random), longitude)
    case .poles:
      let latitude = 90 - exponential(1e-5, 8, &random)
      return place(Bool.random(using: &random) ? latitude : -latitude, longitude)
    case .antimeridian:
      let away = 180 - exponential(1e-6, 1, &random)
      return place(
        .random(in: -0.5...0.5, using: &random), Bool.random(using: &random) ? away : -away)
    case .polygons:
      return place(.random(in: -70...70, using: &random), .random(in: 175...180, using: &random))
    }
  }

  private func radius(_ random: inout SeededGenerator) -> Double {
    switch self {
    case .city: .random(in: 30...500, using: &random)
    case .world: exponential(1, 9e6, &random)
    case .poles: exponential(1, 4e5, &random)
    case .antimeridian, .polygons: exponential(10, 2e5, &random)
    case .mixed: exponential(1, 5e5, &random)
    }
  }

  /// A place where it is hard to tell: at an edge, a pole, the antimeridian or the edge of a cell.
  func hardPlace(_ fences: [Fence], _ random: inout SeededGenerator) -> Coordinate {
    guard let fence = fences.randomElement(using: &random),
      Int.random(in: 0..<8, using: &random) > 0
    else { return center(&random) }
    var place = center(&random)
    if case .circle(let circle) = fence.area {
      let near = 1 + exponential(1e-12, 1, &random) * (Bool.random(using: &random) ? 1 : -1)
      place = circle.center.destination(
        bearing: .random(in: 0...360, using: &random), distance: circle.radius * near)
    } else if case .polygons(let polygons) = fence.area,
      let vertex = polygons.first?.exterior.randomElement(using: &random)
    {
      place = vertex.destination(
        bearing: .random(in: 0...360, using: &random), distance: exponential(1e-6, 1e3, &random))
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: place.latitude = (place.latitude * 200).rounded() / 200
    case 1: place.longitude = (place.longitude * 200).rounded() / 200
    case 2: place.longitude = place.longitude < 0 ? -180 : 180
    case 3: place.latitude = place.latitude < 0 ? -90 : 90
    default: break
    }
    return place
  }
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

private func rectangle(
  _ south: Double, _ west: Double, _ north: Double, _ east: Double
) throws -> Polygon {
  try Polygon(exterior: [
    place(south, west), place(south, east), place(north, east), place(north, west),
  ])
}

/// A number whose logarithm is evenly spread.
private func exponential(
  _ low: Double, _ high: Double, _ random: inout SeededGenerator
) -> Double {
  low * pow(high / low, .random(in: 0...1, using: &random))
}

private func containing(_ set: FenceSet, _ place: Coordinate) -> [Int] {
  var found: [Int] = []
  set.forEachFence(containing: place) { found.append($0) }
  return found
}

private func near(_ set: FenceSet, _ box: Box) -> [Int] {
  var found: [Int] = []
  set.forEachFence(near: box) { found.append($0) }
  return found
}
