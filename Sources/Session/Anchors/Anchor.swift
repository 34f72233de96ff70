package import Geodesy
package import Tracking
internal import Traces
internal import Text

/// An anchor: the fence of a plan, and where it was set.
///
/// Only fixes and commands change it, so a recording places it where its session did.
package struct Anchor: Sendable, Hashable, Codable {
  package private(set) var plan: AnchorPlan
  /// Nil while it is not set.
  package private(set) var center: Coordinate?
  /// Metres; that of the plan unless a command gave another.
  package private(set) var radius: Double
  /// Whether it was taken up, until a command sets it again.
  package private(set) var isUp = false
  /// The greatest distance of the device from the centre since it was set, metres.
  package private(set) var reach = 0.0

  /// The positions of the settling time, and when it began.
  private var samples: [Coordinate] = []
  private var since: Timestamp?
  /// The fixes whose accuracy is above the radius; nil before the first.
  private var coarse: CoarseFixes?
  /// Since when the device is faster than ``AnchorPlan/UnderWay/speed``.
  private var fastSince: Timestamp?

  /// Fixes that are too coarse to place an anchor.
  private struct CoarseFixes: Sendable, Hashable, Codable {
    /// Since when no other fix came; nil after one.
    var since: Timestamp?
    var isReported = false
  }

  /// The most positions whose median is taken: ten a second for some seven minutes.
  private static let mostSamples = 4_096
  /// Degrees: the decimals of the event log, so that the centre that it shows is the one that is used.
  private static let grid = 1e7

  package init(_ plan: AnchorPlan) {
    (self.plan, radius) = (plan, plan.radius)
  }

  /// Takes the settings of a new plan for the same fence; its place stays.
  mutating func adopt(_ new: AnchorPlan) {
    if new != plan { (radius, coarse) = (new.radius, nil) }
    plan = new
  }

  /// The fence; nil while there is none.
  package var fence: Fence? {
    guard let center else { return nil }
    var fence = plan.fence
    fence.area = .circle(Circle(center: center, radius: radius))
    return fence
  }

  // MARK: Fixes

  /// Takes a fix that the engine used; returns what happened, or why nothing did, in words.
  mutating func take(_ fix: borrowing Fix, at time: Timestamp) -> String? {
    guard !isUp else { return nil }
    if let rule = plan.underWay, let message = watchSpeed(fix.speed, at: time, rule) {
      return message
    }
    guard center == nil else {
      noteReach(fix.coordinate)
      return nil
    }
    // A boat that sails is not where it will lie.
    guard fastSince == nil else { return nil }
    let accuracy = fix.horizontalAccuracy ?? 0
    guard accuracy <= radius else { return refuse(accuracy, at: time) }
    coarse?.since = nil
    return settle(fix.coordinate, at: time)
  }

  private mutating func watchSpeed(
    _ speed: Double?, at time: Timestamp, _ rule: AnchorPlan.UnderWay
  ) -> String? {
    guard let speed, speed > rule.speed else {
      fastSince = nil
      return nil
    }
    let start = min(fastSince ?? time, time)
    fastSince = start
    (samples, since) = ([], nil)
    coarse?.since = nil
    guard center != nil, time.seconds(since: start) >= rule.duration else { return nil }
    takeUp()
    return "up, as the device is under way (\(Readable.duration(rule.duration)) above "
      + "\(Readable.number(rule.speed, decimals: 1)) m/s)"
  }

  /// Notes a fix that is too coarse; returns why the anchor is not set, once, when it would have been.
  private mutating func refuse(_ accuracy: Double, at time: Timestamp) -> String? {
    var fixes = coarse ?? CoarseFixes()
    // A clock that was set back begins the time again.
    let start = min(fixes.since ?? time, time)
    let isDue = !fixes.isReported && time.seconds(since: start) >= plan.settle
    (fixes.since, fixes.isReported) = (start, fixes.isReported || isDue)
    coarse = fixes
    guard isDue else { return nil }
    return "not set: the accuracy of \(Readable.length(accuracy)) is above the radius of "
      + Readable.length(radius)
  }

  private mutating func noteReach(_ place: Coordinate) {
    if let center { reach = max(reach, center.distance(to: place)) }
  }

  private mutating func settle(_ place: Coordinate, at time: Timestamp) -> String? {
    // A clock that was set back begins the time again.
    let start = min(since ?? time, time)
    if start != since { samples.removeAll() }
    since = start
    if samples.count < Self.mostSamples { samples.append(place) }
    guard time.seconds(since: start) >= plan.settle else { return nil }
    let count = samples.count
    drop(at: Self.median(samples))
    return "set\(described), from \(count) \(count == 1 ? "fix" : "fixes")"
  }

  /// The point whose coordinates to the east and to the north are medians; there is at least one.
  private static func median(_ places: [Coordinate]) -> Coordinate {
    let frame = LocalFrame(origin: places[0])
    let vectors = places.map { frame.vector(to: $0) }
    let found = frame.coordinate(
      at: Vector(x: middle(vectors.map(\.x)), y: middle(vectors.map(\.y))))
    return Coordinate(
      latitude: (found.latitude * grid).rounded() / grid,
      longitude: (found.longitude * grid).rounded() / grid)
  }

  private static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  // MARK: Commands

  /// Obeys a command; returns what happened to the fence, in words, or why nothing did.
  mutating func obey(_ command: AnchorChange) -> (message: String, isObeyed: Bool) {
    if let radius = command.radius, !(radius > 0 && radius <= Measure.largestRadius) {
      return ("not changed: its radius must be above 0 m and up to 1000 km", false)
    }
    switch command.action {
    case .up:
      guard !isUp else { return ("already up", true) }
      takeUp()
      return ("up", true)
    case .set: return (set(command), true)
    case .move: return move(command)
    }
  }

  private mutating func set(_ command: AnchorChange) -> String {
    takeUp()
    isUp = false
    radius = command.radius ?? plan.radius
    guard let center = command.center else {
      return "is being set: the fixes of the next \(Readable.duration(plan.settle)) place it"
    }
    drop(at: center)
    return "set\(described)"
  }

  private mutating func move(_ command: AnchorChange) -> (message: String, isObeyed: Bool) {
    guard let center else {
      return ("not moved: it is not set\(isUp ? "; set it first" : " yet")", false)
    }
    radius = command.radius ?? radius
    if let new = command.center {
      drop(at: new)
    } else if let bearing = command.bearing, let distance = command.distance,
      bearing.isFinite, 0...Measure.largestRadius ~= distance
    {
      drop(at: center.destination(bearing: bearing, distance: distance))
    }
    return ("moved\(described)", true)
  }

  private mutating func drop(at center: Coordinate) {
    self.center = center
    reach = 0
    (samples, since, coarse) = ([], nil, nil)
  }

  private mutating func takeUp() {
    (isUp, center, reach, fastSince) = (true, nil, 0, nil)
    (samples, since, coarse) = ([], nil, nil)
  }

  private var described: String {
    guard let center else { return "" }
    let latitude = Readable.number(center.latitude, decimals: 7)
    let longitude = Readable.number(center.longitude, decimals: 7)
    return ": \(latitude),\(longitude), radius \(Readable.length(radius))"
  }
}
