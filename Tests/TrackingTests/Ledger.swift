import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// What a consumer knows of a device's fences from the events alone, and whether each event fits.
struct Ledger {
  /// On which side the device was said to be.
  private(set) var sides: [String: Containment] = [:]
  private var dwelt: Set<String> = []
  /// Fences in which the device was when its side became unknown: their exit may follow.
  private var lost: Set<String> = []
  private var dwells: [String: Double] = [:]

  init(_ rules: Rules) {
    for fence in rules.fences { dwells[fence.id] = fence.dwell.map { Double($0) / 1e9 } }
  }

  mutating func add(_ event: Event, _ comment: Comment) {
    switch event.statement {
    case .state(let fence, .unknown, _):
      // At first sight, or after a long silence inside; not twice.
      #expect(sides[fence] == nil || sides[fence] == .inside, comment)
      if sides[fence] == .inside { lost.insert(fence) }
      sides[fence] = .unknown
    case .state(let fence, let side, _):
      #expect(sides[fence] == nil || sides[fence] == .unknown, comment)
      #expect(side == .inside || !lost.contains(fence), comment)
      sides[fence] = side
    case .enter(let fence, _):
      #expect(sides[fence] == .outside, comment)
      sides[fence] = .inside
    case .dwell(let fence, let seconds):
      #expect(sides[fence] == .inside && !dwelt.contains(fence), comment)
      #expect(seconds == dwells[fence], comment)
      dwelt.insert(fence)
    case .exit(let fence, _, let seconds):
      #expect(sides[fence] == .inside || lost.contains(fence), comment)
      #expect(seconds >= 0, comment)
      // Nothing is said of a dwell that was full while nobody knew where the device was.
      if let dwell = dwells[fence], lost.remove(fence) == nil {
        #expect((seconds >= dwell) == dwelt.contains(fence), comment)
      }
      (sides[fence], dwelt) = (.outside, dwelt.subtracting([fence]))
    case .visit, .significantChange: break
    }
  }
}
