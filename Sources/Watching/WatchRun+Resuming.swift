internal import EventLog
internal import Receivers
internal import Session
internal import System
internal import Text
internal import Tracking

/// Continuing from the state of an earlier run.
extension WatchRun {
  /// Where the devices of a state are now, by their numbers there.
  private struct Resumption {
    /// The rules under which the next input of the journal came.
    var rules: Rules
    /// The channel of each; nil for one that is not watched any more.
    var places: [Int?] = []
    /// Those that are not watched any more, which may have events that are not written yet.
    var gone: [Int: LiveSession] = [:]
  }

  /// Continues from the state, and begins to watch under the rules of the config.
  func begin() {
    if let notice = store?.notice { publisher.print(notice) }
    if let kept = store?.kept {
      let (entries, written, stored) = resume(kept)
      let shown = kept.state.shownKinds ?? plan.kinds
      let agrees = output.resume(
        entries.filter { shown.contains($0.kind) }, known: written,
        from: kept.state.outputLength, of: kept.state.outputInode, columns: kept.state.columns)
      // The store skips the events that it has, by their ids. Those that another release wrote have
      // other ids; they were stored before they were written.
      let rest = agrees ? entries[...] : self.entries(entries, after: written, of: shown)
      eventStore?.take(Array(entries.suffix(min(rest.count, entries.count - stored))), at: .now)
      output.writer.flush()
    } else {
      output.endTornLine()
    }
    for index in channels.indices { channels[index].begin(plan.rules, plan.anchors) }
    openControl(plan.anchors)
    checkpoint(at: .now, under: plan.anchors)
    publisher.serviceBegan()
  }

  /// Those after the first `count` of the kinds that the log shows.
  private func entries(
    _ entries: [LogEntry], after count: Int, of kinds: Set<LogEntry.Kind>
  ) -> ArraySlice<LogEntry> {
    var shown = 0
    return entries.drop { entry in
      guard shown < count else { return false }
      if kinds.contains(entry.kind) { shown += 1 }
      return true
    }
  }

  /// Resumes the devices of a checkpoint, and processes the inputs after it.
  ///
  /// They came under the rules of that time, which the log shows. The config may have others by now;
  /// devices take them afterwards, as at a reload.
  ///
  /// - Returns: The entries of these inputs, how many of them are known to be written, and how many the
  ///   store is known to have.
  func resume(_ kept: StateStore.Kept) -> (entries: [LogEntry], written: Int, stored: Int) {
    // The same fences need not be compared for every device.
    let known = kept.state.journalRules ?? rules
    var resumption = Resumption(rules: known == rules ? rules : known)
    let devices = kept.state.devices
    let isRenamed = devices.count == 1 && plan.hasOneDevice
    if isRenamed, devices[0].name != plan.sources[0].device {
      publisher.print(
        "the state is from device '\(devices[0].name)'; continuing as '\(plan.sources[0].device)'")
    }
    var dropped: [String] = []
    for (number, device) in devices.enumerated() {
      // Only a device alone has them.
      let anchors = number == 0 ? kept.state.anchors : nil
      place(device.name, as: number, isRenamed ? 0 : nil, &resumption)
      if let place = resumption.places[number] {
        channels[place].session.resume(from: device.tracker, anchors)
      } else {
        dropped.append(device.name)
        resumption.gone[number]?.resume(from: device.tracker, anchors)
      }
    }
    reportDropped(dropped)
    var (entries, written, stored, number) = ([] as [LogEntry], 0, 0, 0)
    for record in kept.inputs {
      switch record {
      case .written(let count): written = count
      case .stored: stored = entries.count
      case .device(let next): number = next
      case .appeared(let name, let number):
        // The device that had the number was forgotten.
        let known = number < resumption.places.count ? resumption.places[number] : nil
        resumption.gone[number] = nil
        if let known, known >= plan.sources.count {
          setChannel(known, to: name, of: plan.addressOfAppearing ?? "")
        } else {
          place(name, as: number, nil, &resumption)
        }
        if let place = resumption.places[number] {
          channels[place].session.adopt(resumption.rules)
        }
      case .rules(let new):
        resumption.rules = new.rules
        for place in resumption.places.compactMap(\.self) {
          channels[place].session.replay(record)
        }
        for number in resumption.gone.keys { resumption.gone[number]?.replay(record) }
      case .fix, .time, .issue, .status, .anchor:
        if number < resumption.places.count, let place = resumption.places[number] {
          channels[place].session.replay(record)
          entries += channels[place].session.takeEntries()
        } else {
          resumption.gone[number]?.replay(record)
          entries += resumption.gone[number]?.takeEntries() ?? []
        }
      }
    }
    if resumption.places != channels.indices.map(Optional.some) { store?.endJournal() }
    return (entries, written, stored)
  }

  /// Reports in one line that nothing watches devices of the state any more: a state may have thousands of ships.
  private func reportDropped(_ devices: [String]) {
    guard let first = devices.first else { return }
    let ships = devices.contains(where: ShipReport.isShip) ? "; --ais watches ships" : ""
    guard devices.count > 1 else {
      publisher.print(
        "the state of device '\(first)' is dropped: no source has its name" + ships)
      return
    }
    publisher.print(
      "the states of \(devices.count) devices, such as '\(first)', are dropped: no source has their "
        + "names" + ships)
  }

  /// Finds the channel of a device that has a number in the state.
  private func place(
    _ name: String, as number: Int, _ known: Int?, _ resumption: inout Resumption
  ) {
    while resumption.places.count <= number { resumption.places.append(nil) }
    let key = ExactText(name)
    let place =
      known ?? channels.prefix(plan.sources.count).firstIndex { ExactText($0.device) == key }
      ?? appeared[key] ?? plan.addressOfAppearing.map { addChannel(of: name, in: $0) }
    resumption.places[number] = place
    guard place == nil else { return }
    resumption.gone[number] = LiveSession(
      rules: resumption.rules, kinds: kinds, device: name, source: name)
    resumption.gone[number]?.names = plan.names
  }
}
