import WaymarkKit

actor LiveEngine {
  private var fleet: Fleet
  private var wakeUps: [Int: Task<Void, Never>] = [:]
  private let report: @Sendable (EventRecord) async -> Void

  init(rules: Rules, report: @escaping @Sendable (EventRecord) async -> Void) {
    fleet = Fleet(rules: rules)
    self.report = report
  }

  func take(_ fix: Fix, of name: String) async {
    let device = fleet.index(of: name)
    var events: [Event] = []
    fleet.ingest(fix, of: device, into: &events)
    await finish(events, device)
  }

  private func wake(_ device: Int, at deadline: Timestamp) async {
    var events: [Event] = []
    fleet.advance(device, to: deadline, into: &events)
    await finish(events, device)
  }

  private func finish(_ events: [Event], _ device: Int) async {
    // The deadline may have moved, to an earlier or a later time, or may be gone.
    wakeUps[device]?.cancel()
    wakeUps[device] = fleet.nextDeadline(of: device).map { deadline in
      let wait = deadline - (fleet.lastTime(of: device) ?? deadline)
      return Task { [weak self] in
        guard (try? await Task.sleep(for: wait)) != nil else { return }
        await self?.wake(device, at: deadline)
      }
    }
    for event in events {
      await report(EventRecord(device: fleet.name(of: device), event: event))
    }
  }
}
