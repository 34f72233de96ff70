internal import Formats
internal import Session
internal import Settings
internal import System
internal import Tracking

/// The thread of an ``MQTTInlet``: it connects, and passes on what comes.
final class MQTTSubscription {
  private let settings: BrokerSettings
  private let topics: [String]
  /// Starts of topics that are not taken.
  private let published: [String]
  private let password: String?
  private let id: String
  private let inbox: ReportInbox
  private let flag: StopFlag
  private let limits: MQTTLimits
  private var session: MQTTSession
  private var backOff: BackOff

  private static let backOff = BackOff.Limits(
    first: .seconds(1), longest: .seconds(60), shortest: .milliseconds(100))
  /// A connection that lasted so long was a success.
  private static let longConnection = Duration.seconds(60)
  /// The time before what is refused is tried again: a broker may lock out a client that insists.
  private static let longestPause = Duration.seconds(600)
  /// The longest part of a topic in a message.
  private static let longestTopic = 100

  init(
    _ settings: BrokerSettings, topics: [String], published: [String], password: String?,
    id: String, session: MQTTSession, inbox: ReportInbox, flag: StopFlag, limits: MQTTLimits,
    seed: UInt64
  ) {
    self.published = published
    (self.settings, self.topics, self.password, self.id) = (settings, topics, password, id)
    (self.session, self.inbox, self.flag, self.limits) = (session, inbox, flag, limits)
    backOff = BackOff(Self.backOff, seed: seed)
  }

  /// Connects again and again, until the flag is set.
  func run() {
    var last: MQTTFailure?
    while !flag.isSet {
      let start = ContinuousClock.now
      do throws(MQTTFailure) {
        try follow {
          // The same loss later is reported again.
          last = nil
          inbox.note(status: "subscribed to \(topics.joined(separator: ", "))")
        }
      } catch .stopped {
        return
      } catch {
        if error != last { inbox.note(status: sentence(for: error)) }
        last = error
        if ContinuousClock.now - start > Self.longConnection { backOff.reset() }
        if case .unreadable = error { session.isNew = true }
        let isRefused = if case .refused = error { true } else { false }
        pause(isRefused ? Self.longestPause : backOff.next())
      }
    }
  }

  private func sentence(for failure: MQTTFailure) -> String {
    switch failure {
    case .unreadable(let reason):
      "a message of the broker cannot be read (\(reason)); a new session begins, without what waits in "
        + "the old one"
    case .refused(let reason): "\(reason); trying again in 10 min"
    case .unreachable, .store, .stopped: "no reports: \(failure.reason); retrying"
    }
  }

  /// Waits, unless the flag is set.
  private func pause(_ duration: Duration) {
    let deadline = ContinuousClock.now + duration
    var poller = Poller()
    while !flag.isSet, ContinuousClock.now < deadline {
      poller.removeAll()
      _ = poller.add(flag.descriptor, .read)
      poller.wait(until: deadline)
    }
  }

  // MARK: A connection

  /// Connects, subscribes, and passes on what comes until the connection fails.
  private func follow(_ begun: () -> Void) throws(MQTTFailure) {
    let wait = MQTTWait(flag)
    let connection = try MQTTDial(
      MQTTConnection(settings, password: password, id: id, session: session), to: settings,
      keepAlive: limits.keepAlive
    ).open(within: limits.connect, wait)
    session.isNew = false
    let receipts = try receipts()
    do throws(MQTTFailure) {
      try serve(connection, receipts, wait, begun)
    } catch {
      // With a report that is not kept, DISCONNECT would not go alone: its acknowledgement waits too.
      if error == .stopped, (try? receipts.areComplete()) == true {
        connection.disconnect(within: limits.close)
      }
      throw error
    }
  }

  private func receipts() throws(MQTTFailure) -> MQTTReceipts {
    do throws(SystemError) {
      return try MQTTReceipts()
    } catch {
      throw .unreachable("\(error)")
    }
  }

  private func serve(
    _ connection: MQTTConnection, _ receipts: MQTTReceipts, _ wait: MQTTWait, _ begun: () -> Void
  ) throws(MQTTFailure) {
    for topic in topics { try connection.subscribe(to: topic) }
    let deadline = ContinuousClock.now + limits.acknowledgement
    var (isSubscribed, hasMore) = (false, true)
    while true {
      let look = MQTTConnection.nextLook(before: isSubscribed ? .now + .seconds(60) : deadline)
      let (descriptor, readiness) = connection.interest
      let ready = try wait.wait(for: descriptor, readiness, until: hasMore ? .now : look)
      // Whatever was read before is kept: its acknowledgement may go.
      try connection.send(ready)
      if hasMore || ready.contains(.read) { hasMore = try connection.receive() }
      try keep(connection.takeMessages(), receipts, wait)
      if !isSubscribed, try connection.subscriptions() == topics.count {
        isSubscribed = true
        begun()
        if connection.isUnacknowledged {
          inbox.note(
            problem: "the broker sends without acknowledgements (QoS 0); reports may be lost")
        }
      }
      guard isSubscribed || ContinuousClock.now < deadline else {
        throw .unreachable(MQTTConnection.noAnswer)
      }
    }
  }

  // MARK: Reports

  /// Gives reports to the run, and waits until it has kept them.
  private func keep(
    _ messages: [MQTTConnection.Publication], _ receipts: MQTTReceipts, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    guard !messages.isEmpty else { return }
    let deadline = ContinuousClock.now + limits.acknowledgement
    for message in messages {
      guard let reports = reports(message) else { continue }
      let topic = Self.name(message.topic)
      receipts.add()
      while !inbox.offer(
        reports, size: message.payload.count,
        answer: { [inbox] receipt in
          guard let reason = receipts.take(receipt) else { return }
          inbox.note(problem: "\(topic): a message was refused: \(reason)")
        })
      {
        try hold(receipts, until: deadline, wait)
      }
    }
    while try !receipts.areComplete() { try hold(receipts, until: deadline, wait) }
    backOff.reset()
  }

  /// Waits for an answer.
  private func hold(
    _ receipts: MQTTReceipts, until deadline: ContinuousClock.Instant, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    guard ContinuousClock.now < deadline else {
      throw .unreachable("a report was not kept in time")
    }
    _ = try wait.wait(for: receipts.descriptor, .read, until: deadline)
    receipts.clear()
  }

  /// The reports in a message; nil for none.
  private func reports(
    _ message: MQTTConnection.Publication
  ) -> [(device: String, fixes: [Fix])]? {
    if published.contains(where: { message.topic.utf8.starts(with: $0.utf8) }) { return nil }
    let topic = Self.name(message.topic)
    do throws(ReportError) {
      let report = try ReportMessage(published: message.payload, under: message.topic)
      for problem in report.problems { inbox.note(problem: "\(topic): \(problem)") }
      if let type = report.ignored { inbox.note(ignored: type) }
      return report.reports.isEmpty ? nil : report.reports
    } catch {
      inbox.note(problem: "\(topic): a message was refused: \(error)")
      return nil
    }
  }

  /// A topic in a message.
  private static func name(_ topic: String) -> String {
    topic.count <= longestTopic ? topic : "\(topic.prefix(longestTopic))…"
  }
}
