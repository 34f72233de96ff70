internal import EventLog
internal import Geodesy
package import Settings
internal import Tracking

/// A crossing of a fence, for coverage.
struct FenceCrossing: Hashable {
  /// The number of the fence in its set.
  var fence: Int
  var isEnter: Bool
  var edge: FenceEdge

  /// Nil for an event that is none.
  init?(_ entry: LogEntry, _ fences: FenceSet) {
    guard let event = entry.event, event.statement.crossing != nil,
      let fence = event.statement.fence.flatMap(fences.index(ofID:))
    else { return nil }
    self.fence = fence
    isEnter = entry.kind == .enter
    edge = FenceEdge.nearest(to: event.coordinate, of: fences[fence].area)
  }
}

/// An edge of a polygon, from one corner to the next; a circle has one edge.
struct FenceEdge: Hashable {
  var polygon = 0
  /// 0 for the outer ring, then the holes.
  var ring = 0
  var corner = 0

  /// Such as `corner [2]`, counted as in the config.
  var words: String {
    let part = polygon == 0 ? "" : " of polygon [\(polygon)]"
    return "[\(corner)]" + (ring == 0 ? "" : " of hole [\(ring - 1)]") + part
  }

  static func all(of area: Area) -> [FenceEdge] {
    guard case .polygons(let polygons) = area else { return [FenceEdge()] }
    return polygons.enumerated().flatMap { polygon, shape in
      ([shape.exterior] + shape.holes).enumerated().flatMap { ring, corners in
        corners.indices.map { FenceEdge(polygon: polygon, ring: ring, corner: $0) }
      }
    }
  }

  static func nearest(to coordinate: Coordinate, of area: Area) -> FenceEdge {
    guard case .polygons(let polygons) = area else { return FenceEdge() }
    let frame = LocalFrame(origin: coordinate)
    let edges = all(of: area).map { edge in
      let polygon = polygons[edge.polygon]
      let ring = edge.ring == 0 ? polygon.exterior : polygon.holes[edge.ring - 1]
      let (start, end) = (ring[edge.corner], ring[(edge.corner + 1) % ring.count])
      return (edge: edge, distance: frame.originDistance(from: start, end))
    }
    return edges.min { $0.distance < $1.distance }?.edge ?? FenceEdge()
  }
}

extension LocalFrame {
  /// Metres from the origin to a straight edge.
  fileprivate func originDistance(from start: Coordinate, _ end: Coordinate) -> Double {
    let (a, b) = (vector(to: start), vector(to: end))
    let way = Vector(x: b.x - a.x, y: b.y - a.y)
    let length = way.x * way.x + way.y * way.y
    let share = length > 0 ? min(max(-(a.x * way.x + a.y * way.y) / length, 0), 1) : 0
    let (x, y) = (a.x + share * way.x, a.y + share * way.y)
    return (x * x + y * y).squareRoot()
  }
}

/// The fences, and edges of fences, that no test crossed.
package struct FenceCoverage: Sendable {
  /// What is missing of one fence.
  package struct Gap: Sendable {
    /// The fence in its config; the config for a compiled fence.
    package var place: ConfigurationPlace
    package var text: String
  }

  package private(set) var fences = 0
  package private(set) var crossedFences = 0
  package private(set) var edges = 0
  package private(set) var crossedEdges = 0
  package private(set) var gaps: [Gap] = []

  /// The most edges that are listed of one fence.
  private static let listedEdges = 5

  /// Adds the fences of a file's config.
  mutating func add(_ file: FenceTestFile, _ crossings: Set<FenceCrossing>) {
    let byFence = Dictionary(grouping: crossings, by: \.fence)
    for (index, fence) in file.rules.fences.enumerated() {
      let own = byFence[index] ?? []
      let all = FenceEdge.all(of: fence.area)
      let crossed = Set(own.map(\.edge))
      fences += 1
      crossedFences += own.isEmpty ? 0 : 1
      edges += all.count
      crossedEdges += crossed.count
      guard let text = Self.gap(fence, own, all.filter { !crossed.contains($0) }) else { continue }
      let place = index < file.entries.count ? file.entries[index].place : nil
      gaps.append(Gap(place: place ?? ConfigurationPlace(file: file.path), text: text))
    }
  }

  private static func gap(
    _ fence: Fence, _ crossings: [FenceCrossing], _ missing: [FenceEdge]
  ) -> String? {
    if crossings.isEmpty { return "\(fence.id): never crossed" }
    var texts: [String] = []
    for (kind, isEnter) in [(Fence.Notifications.enter, true), (.exit, false)]
    where fence.notifications.contains(kind)
      && !crossings.contains(where: { $0.isEnter == isEnter })
    {
      texts.append(isEnter ? "never entered" : "never left")
    }
    if !missing.isEmpty {
      let rest = missing.count - listedEdges
      texts.append(
        "never crossed at the edges from corner "
          + missing.prefix(listedEdges).map(\.words).joined(separator: ", ")
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    return texts.isEmpty ? nil : "\(fence.id): " + texts.joined(separator: ", ")
  }

  /// Such as `3 of 4 fences and 3 of 4 edges were crossed`.
  package var summary: String {
    "\(crossedFences) of \(fences) fences and \(crossedEdges) of \(edges) edges were crossed"
  }
}
