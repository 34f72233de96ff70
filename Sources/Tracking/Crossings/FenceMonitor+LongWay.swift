internal import Geodesy

/// The fences of a long way, such as a flight or the first fix after a silence: a box around it holds
/// many that it does not touch.
extension FenceMonitor {
  /// Degrees of latitude or longitude from which a way is long.
  private static var long: Double { 0.2 }
  /// Metres of a piece of it, and most pieces.
  private static var piece: Double { 1_000 }
  private static var mostPieces: Int { 4_096 }

  /// Whether a box is so large that it is searched along the way only.
  ///
  /// A box over the antimeridian counts as one.
  static func isLong(_ reach: Box) -> Bool {
    reach.north - reach.south > long || reach.west > reach.east || reach.east - reach.west > long
  }

  /// The fences that meet the way and may change their state, ascending: those around its end, those
  /// with a state, and, where a passage may be reported, those that the way itself leads through.
  ///
  /// No device comes into a fence that probably does not hold it, and after hours without a fix the place may
  /// be known to 20 km.
  /// - Complexity: O(length of the way) searches, at most ``mostPieces``.
  func fencesOnLongWay(_ update: FilterUpdate, _ rules: Rules) -> [Int] {
    let set = rules.fences
    var found: [Int] = []
    for stay in stays where set.isNear(stay.fence, update.reach) { found.append(stay.fence) }
    for edge in edges where set.isNear(edge.fence, update.reach) { found.append(edge.fence) }
    func search(_ box: Box) { set.forEachFence(near: box) { found.append($0) } }
    let around = Box(update.estimate.coordinate)
      .expanded(byMetres: update.positions.probableReach)
    set.forEachFence(near: around) {
      let size = set.member($0).area.approximateSize
      if update.positions.isProbable(inSize: size) { found.append($0) }
    }
    search(Box(update.fix.coordinate))
    if let step = update.step, step.duration <= rules.passageGap {
      Self.forEachPiece(from: step.from.coordinate, to: step.to.coordinate, search)
    }
    if let before = update.before, Bridge(update) != nil {
      Self.forEachPiece(from: before.coordinate, to: update.estimate.coordinate, search)
    }
    found.sort()
    var last = -1
    found.removeAll { fence in
      defer { last = fence }
      return fence == last
    }
    return found
  }

  /// Calls `body` with boxes that together hold a geodesic.
  private static func forEachPiece(
    from start: Coordinate, to end: Coordinate, _ body: (Box) -> Void
  ) {
    let line = GeodesicLine(from: start, to: end)
    let count = min(max(Int((line.length / piece).rounded(.up)), 1), mostPieces)
    var place = start
    for number in 1...count {
      let next = line.coordinate(atFraction: Double(number) / Double(count))
      body(Box(pathFrom: place, to: next))
      place = next
    }
  }
}
