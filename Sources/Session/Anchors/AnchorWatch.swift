internal import Tracking
package import Traces

/// The anchors of a run: which fixes and commands place them.
///
/// The first device whose fix is used places all of them.
package struct AnchorWatch: Sendable, Hashable, Codable {
  package private(set) var anchors: [Anchor] = []
  private var device: Int?
  /// What happened, in words, until ``takeMessages()``.
  private var messages: [String] = []

  private enum CodingKeys: CodingKey { case anchors, device }

  package init() {}

  /// Takes the plans of a config; an anchor of the same id stays where it is.
  mutating func adopt(_ plans: [AnchorPlan]) {
    anchors = plans.map { plan in
      guard var known = anchors.first(where: { $0.plan.fence.id == plan.fence.id }) else {
        return Anchor(plan)
      }
      known.adopt(plan)
      return known
    }
  }

  /// Takes a fix that the engine used; returns whether a fence came, moved or went.
  mutating func take(_ fix: borrowing Fix, at time: Timestamp, of device: Int) -> Bool {
    guard (self.device ?? device) == device else { return false }
    self.device = device
    var hasChange = false
    for index in anchors.indices {
      let wasSet = anchors[index].center != nil
      guard let message = anchors[index].take(fix, at: time) else { continue }
      note(message, index)
      if (anchors[index].center != nil) != wasSet { hasChange = true }
    }
    return hasChange
  }

  /// Obeys a command; returns whether a fence came, moved or went.
  mutating func obey(_ command: AnchorChange) -> Bool {
    var hasChange = false
    for index in anchors.indices where command.fence ?? id(index) == id(index) {
      let (message, isObeyed) = anchors[index].obey(command)
      note(message, index)
      hasChange = hasChange || isObeyed
    }
    return hasChange
  }

  /// Removes and returns what happened, in words.
  mutating func takeMessages() -> [String] {
    defer { messages = [] }
    return messages
  }

  /// These fences, and those of the anchors that are set.
  mutating func placed(among fences: FenceSet) -> FenceSet {
    var builder = FenceSet.Builder()
    do throws(FenceSetError) {
      for fence in fences where !anchors.contains(where: { $0.plan.fence.id == fence.id }) {
        try builder.append(fence)
      }
      for anchor in anchors { if let fence = anchor.fence { try builder.append(fence) } }
      return try builder.build()
    } catch {
      // Only a set at the limit of all sets has no room for one more.
      messages.append("the fence is missing: \(error)")
      return fences
    }
  }

  private func id(_ index: Int) -> String { anchors[index].plan.fence.id }

  private mutating func note(_ message: String, _ index: Int) {
    messages.append("\(id(index)): \(message)")
  }
}

extension Optional<AnchorWatch> {
  /// Why a command changes nothing, in words; nil when it changes something.
  package func refusal(of command: AnchorChange) -> String? {
    let named = (self?.anchors ?? []).filter {
      command.fence ?? $0.plan.fence.id == $0.plan.fence.id
    }
    guard !named.isEmpty else {
      let name = command.fence.map { "'\($0)' " } ?? ""
      return "this watch has no fence \(name)with center: here"
    }
    guard command.action == .move, named.allSatisfy({ $0.center == nil }) else { return nil }
    return "there is nothing to move yet: set the anchor, and wait until it is set"
  }
}
