import Geodesy
import Tracking

/// The map of every scenario; its fences have a radius of 100 m.
enum Scenario {
  static let frame = LocalFrame(origin: Coordinate(latitude: 52.52, longitude: 13.4))
  static let radius = 100.0

  /// A fence with its centre east of the origin, metres.
  static func fence(_ id: String, east: Double = 0, _ decision: Decision) -> Fence {
    let center = frame.coordinate(at: Vector(x: east, y: 0))
    var fence = Fence(id: id, area: .circle(Circle(center: center, radius: radius)))
    fence.decision = decision
    fence.initial = .none
    return fence
  }

  static func tracker(_ fences: [Fence]) throws -> Tracker {
    Tracker(rules: Rules(fences: try FenceSet(fences)))
  }

  /// The middle one; infinite when there is none.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .infinity }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension Event {
  /// Seconds of the scenario at which it happened.
  var second: Double { time.seconds(since: Receiver.epoch) }
  /// Seconds of the scenario at which it was decided.
  var decidedSecond: Double { decided.seconds(since: Receiver.epoch) }

  /// The fence that was entered.
  var entered: String? {
    if case .enter(let fence, _) = statement { fence } else { nil }
  }
  /// The fence that was left.
  var left: String? {
    if case .exit(let fence, _, _) = statement { fence } else { nil }
  }
}
