internal import Receivers
internal import Session
internal import System
internal import Text
internal import Tracking

/// Devices that appear while they are watched.
extension WatchRun {
  /// Processes the reports that wait, and answers them once they are kept.
  func takeReports(at now: ContinuousClock.Instant) {
    let lost = recording?.writer.lost ?? 0
    var answers: [(delivery: ReportInbox.Delivery, receipt: ReportInbox.Receipt?)] = []
    for (index, inlet) in plan.inlets.enumerated() {
      let news = inlet.inbox.take()
      for delivery in news.deliveries {
        answers.append((delivery, take(delivery, of: index, at: now)))
      }
      publisher.heard(news, of: index, at: now)
    }
    guard !answers.isEmpty else { return }
    let failure = failure(lost: lost)
    for (delivery, receipt) in answers { delivery.answer(receipt ?? failure ?? .kept) }
  }

  /// Why reports may be gone after a power cut; nil when they are not.
  private func failure(lost: Int) -> ReportInbox.Receipt? {
    store?.synchronise()
    if let store, !store.hasAll { return .notKept(reason: "the state cannot be saved") }
    guard let recording, recording.writer.lost > lost else { return nil }
    return .notKept(reason: "the recording cannot be written")
  }

  /// Processes the reports of a message; returns why they are refused, or nil.
  private func take(
    _ delivery: ReportInbox.Delivery, of inlet: Int, at now: ContinuousClock.Instant
  ) -> ReportInbox.Receipt? {
    let sources = Set(plan.sources.map { ExactText($0.device) })
    for (device, _) in delivery.reports where sources.contains(ExactText(device)) {
      return .refused(reason: "the device '\(device)' is that of a source")
    }
    for (device, fixes) in delivery.reports {
      let index = channel(of: device, at: plan.inlets[inlet].address, now)
      noteReport(of: index)
      receive(fixes.flatMap { RecordingHeader.line($0) }[...], of: index, at: now)
      publish(index, at: now)
    }
    return nil
  }

  /// The channel of a device, which is made when it is not known.
  func channel(
    of device: String, at address: String, _ now: ContinuousClock.Instant
  ) -> Int {
    if let known = appeared[ExactText(device)] {
      // It may report elsewhere now, or be known from the state.
      if channels[known].session.source != address { channels[known].session.source = address }
      return known
    }
    let index: Int
    if appeared.count < plan.mostDevices {
      index = addChannel(of: device, in: address)
    } else {
      index = idlest
      let gone = channels[index].device
      recording?.forget(gone) { [publisher] in publisher.print($0.description) }
      setChannel(index, to: device, of: address)
      publisher.forget(gone, at: now)
    }
    store?.add(.appeared(device, number: index))
    channels[index].begin(rules, [])
    if !ShipReport.isShip(device) { publisher.note("\(device) reports to \(address)", at: now) }
    return index
  }

  /// Notes that a device that appeared has reported.
  func noteReport(of index: Int) {
    reportCount += 1
    channels[index].lastReport = reportCount
  }

  /// The device that was heard least recently of those that appeared.
  private var idlest: Int {
    var found = plan.sources.count
    for index in channels.indices.dropFirst(found) {
      guard let last = channels[found].lastReport else { break }
      if channels[index].lastReport.map({ $0 < last }) ?? true { found = index }
    }
    return found
  }

  /// Adds the channel of a device that appeared.
  func addChannel(of device: String, in inlet: String) -> Int {
    let index = channels.count
    channels.append(WatchChannel(device, of: inlet, index, plan, kinds, store))
    appeared[ExactText(device)] = index
    return index
  }

  /// Gives the channel of a device that is forgotten to one that appeared.
  func setChannel(_ index: Int, to device: String, of inlet: String) {
    appeared[ExactText(channels[index].device)] = nil
    goneTotals.add(channels[index].session.totals())
    channels[index] = WatchChannel(device, of: inlet, index, plan, kinds, store)
    appeared[ExactText(device)] = index
  }

  /// The most devices of inlets that are shown.
  private static let mostShown = 100

  /// The sessions of the sources, then those of the devices that reported last, newest first.
  var shownSessions: [LiveSession] {
    let count = plan.sources.count
    let newest = channels.dropFirst(count).filter { $0.lastReport != nil }
      .sorted { $0.lastReport ?? 0 > $1.lastReport ?? 0 }
    return channels.prefix(count).map(\.session) + newest.prefix(Self.mostShown).map(\.session)
  }
}
