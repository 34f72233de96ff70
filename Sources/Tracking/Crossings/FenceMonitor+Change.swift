extension FenceMonitor {
  /// The fences changed: the states of unchanged ones are kept.
  /// - Complexity: O(fences with a state).
  mutating func adopt(_ change: FenceSetChange) {
    neighbourhood.clear()
    clearances.clear()
    let known = self
    stays = known.stays.compactMap { stay in
      change.number(of: stay.fence).map { Stay(fence: $0, since: stay.since, dwelt: stay.dwelt) }
    }.sorted { $0.fence < $1.fence }
    undecided = known.undecided.compactMap { entry in
      change.number(of: entry.fence).map {
        Undecided(fence: $0, since: entry.since, lost: entry.lost)
      }
    }
    if change.count > Self.mostInitialReports {
      // The state of a fence that it was inside is reported again, however far away the fence is now.
      undecided += known.stays.compactMap { change.numberOfMoved($0.fence) }.map {
        Undecided(fence: $0)
      }
    }
    undecided.sort { $0.fence < $1.fence }
    edges = known.edges.compactMap { edge in
      guard change.keepsRule(edge.fence), let number = change.number(of: edge.fence) else {
        return nil
      }
      var edge = edge
      edge.fence = number
      return edge
    }.sorted { $0.fence < $1.fence }
    guard !pending.areAll else { return }
    let kept = known.pending.list.compactMap(change.number(of:))
    pending = PendingFences(kept.isEmpty ? change.added : (kept + change.added).sorted())
  }
}
