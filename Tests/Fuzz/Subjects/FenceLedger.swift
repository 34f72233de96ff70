import Tracking

/// What a consumer knows of a device's fences from the events alone.
struct FenceLedger {
  private(set) var sides: [String: Containment] = [:]
  private var fences: [String: Fence] = [:]

  /// Forgets the fences that are gone or other ones now.
  mutating func adopt(_ set: [Fence]) {
    var next: [String: Fence] = [:]
    for fence in set { next[fence.id] = fence }
    sides = sides.filter { next[$0.key] == fences[$0.key] }
    fences = next
  }

  /// Takes an event, which must fit those before it.
  mutating func add(_ event: Event) throws {
    switch event.statement {
    case .state(let id, .unknown, _):
      // At first sight, or after a long silence.
      try expect(sides[id] != .unknown, event)
      sides[id] = .unknown
    case .state(let id, let side, _):
      try expect(sides[id] == nil || sides[id] == .unknown, event)
      sides[id] = side
    case .enter(let id, _):
      try expect(fence(id).notifications.contains(.enter) || fence(id).initial == .enter, event)
      try expect(sides[id] != .inside || !isFullyTold(id), event)
      sides[id] = .inside
    case .exit(let id, _, let inside):
      try expect(fence(id).notifications.contains(.exit) && inside >= 0, event)
      try expect(sides[id] != .outside || !isFullyTold(id), event)
      sides[id] = .outside
    case .dwell(let id, let inside):
      try expect(fence(id).notifications.contains(.dwell) && inside >= 0, event)
      try expect(sides[id] != .outside || !isFullyTold(id), event)
    case .visit(let visit):
      try expect(0...1 ~= visit.confidence, event)
      try expect(visit.departure.map { $0 >= visit.arrival } ?? true, event)
    case .significantChange: break
    }
  }

  /// Whether everything that is to be known of the fence is told.
  func isFullyTold(_ id: String) -> Bool {
    guard let fence = fences[id] else { return false }
    return fence.notifications.isSuperset(of: [.enter, .exit]) && fence.initial == .state
  }

  private func fence(_ id: String) throws -> Fence {
    guard let fence = fences[id] else {
      throw Violation(description: "violated: events are of fences that are there\n\(id)")
    }
    return fence
  }

  private func expect(_ condition: Bool, _ event: Event) throws {
    try hold("events of a fence fit each other", condition, "\(event)\n\(sides)")
  }
}
