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
  /// - Complexity: O(length of the way) searches, at most ``mostPieces``.
  func fencesOnLongWay(_ update: FilterUpdate, _ rules: Rules) -> [Int] {
    let set = rules.fences
    let known = stays.map(\.fence) + edges.map(\.fence)
    var found = known.filter { set.isNear($0, update.reach) }
    func search(_ box: Box) { set.forEachFence(near: box) { found.append($0) } }
    let sigma = max(update.estimate.widest, update.before?.widest ?? 0)
    search(Box(update.estimate.coordinate).expanded(byMetres: 4 * sigma))
    search(Box(update.fix.coordinate))
    if let step = update.step, step.duration <= rules.passageGap {
      Self.pieces(from: step.from.coordinate, to: step.to.coordinate).forEach(search)
    }
    if let before = update.before, Bridge(update) != nil {
      Self.pieces(from: before.coordinate, to: update.estimate.coordinate).forEach(search)
    }
    found.sort()
    return found.enumerated().filter { $0 == 0 || found[$0 - 1] != $1 }.map(\.element)
  }

  /// Boxes that together hold a geodesic.
  private static func pieces(from start: Coordinate, to end: Coordinate) -> [Box] {
    let line = GeodesicLine(from: start, to: end)
    let count = min(max(Int((line.length / piece).rounded(.up)), 1), mostPieces)
    let places = (0...count).map { line.coordinate(atFraction: Double($0) / Double(count)) }
    return zip(places, places.dropFirst()).map { Box(pathFrom: $0, to: $1) }
  }
}
