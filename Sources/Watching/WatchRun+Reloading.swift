internal import Session
internal import Tracking

/// Taking over a config while devices are watched.
extension WatchRun {
  /// Reloads the configuration, and opens the output again.
  func reloadConfiguration(at now: ContinuousClock.Instant) {
    publisher.makeRoom()
    let new = reload()
    if let (rules, anchors) = new {
      self.rules = rules
      for index in channels.indices {
        channels[index].session.adopt(rules, anchors)
        publisher.changed(index)
      }
      openControl(anchors)
      keepFences()
      let count = rules.fences.count + anchors.count
      publisher.print("configuration reloaded: \(SessionTotals.count(count, "fence"))")
    }
    do {
      try output.reopen()
    } catch {
      publisher.print("\(error)")
    }
    if let new { checkpoint(at: now, under: new.anchors) } else { checkpoint(at: now) }
  }

  /// Writes the state under new rules, or adds them to the journal while events wait.
  ///
  /// The inputs before came under others: after a kill they must give the same events.
  func checkpoint(at now: ContinuousClock.Instant, under anchors: [AnchorPlan]) {
    let new = JournalRules(rules: rules, anchors: anchors)
    defer { savedRules = new }
    guard !checkpoint(at: now), new != savedRules, let store else { return }
    store.add(.rules(new))
    store.commit()
  }
}
