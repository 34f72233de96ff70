internal import CMosquitto
internal import Foundation
internal import Session
internal import Settings
internal import System
internal import Text

/// Publishes events to an MQTT broker.
///
/// The store is the queue: each connection has a clean session, and one event is in flight. Besides
/// events it publishes what a broker must know of the present, again after each new connection.
package final class MQTTCourier: Courier {
  static let online = "online"
  static let offline = "offline"
  /// Waits between connections while there are no events.
  private static let backOff = BackOff.Limits(
    first: .seconds(1), longest: .seconds(60), shortest: .milliseconds(100))
  /// Longer than the waits of an event that cannot be delivered because the broker is away.
  private static let longestPause = Duration.seconds(600)

  private let settings: MQTTSettings
  private let password: String?
  private let source: any PresenceSource
  private let limits: MQTTLimits
  private let dialects: [any MQTTDialect]
  /// The topic that is `online` or `offline`, for all dialects of the receiver.
  private let availability: String
  private let clientID: String

  private var dial: MQTTDial?
  private var connection: MQTTConnection?
  private var announced = Announced()
  private var backOff: BackOff
  private var nextAttempt = ContinuousClock.now

  /// What the present connection has published about the present.
  private struct Announced {
    /// Nil before the first announcement.
    var fences: [FenceSummary]?
    var devices: Set<ExactText> = []
  }

  /// Loads the library and reads the password.
  ///
  /// - Parameters:
  ///   - name: The name of the receiver.
  ///   - store: The path of the store, a part of the client id.
  init(
    _ settings: MQTTSettings, name: String, store: String = "", source: any PresenceSource,
    limits: MQTTLimits = MQTTLimits(),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    seed: UInt64 = .random(in: .min ... .max)
  ) throws(ReceiverError) {
    if let reason = waymark_mosquitto_load() { throw .library(problem: String(cString: reason)) }
    self.settings = settings
    password = try settings.broker.readFiles(environment)
    self.source = source
    self.limits = limits
    let availability = "\(settings.topic)/\(MQTTName.level(name))/availability"
    self.availability = availability
    dialects = settings.dialects.map { $0.dialect(settings, availability: availability) }
    clientID = settings.broker.clientID ?? MQTTName.clientID(of: name, store: store)
    backOff = BackOff(Self.backOff, seed: seed)
  }

  package func deliver(_ delivery: Delivery, until stop: StopFlag) -> DeliveryOutcome {
    do throws(MQTTFailure) {
      try attempt(stop) { connection, wait throws(MQTTFailure) in
        let presence = try self.read { source throws(EntryStoreError) in
          try source.presence(of: delivery.event.device)
        }
        if !self.announced.devices.contains(ExactText(presence.device)) {
          try self.announce(presence, self.source.fences(), connection, wait)
        }
        let messages = self.dialects.flatMap { $0.messages(for: delivery, presence) }
        try connection.publish(messages, within: self.limits.acknowledgement, wait)
      }
      // Not for a connection alone: a broker may end each one soon.
      backOff.reset()
      return .delivered
    } catch {
      // The next attempt for the event connects as well.
      nextAttempt = .now + Self.longestPause
      return located(error).outcome
    }
  }

  package func wait(until deadline: ContinuousClock.Instant, _ stop: StopFlag) {
    var poller = Poller()
    while ContinuousClock.now < deadline, !stop.isSet {
      let isDue = hasNews
      if isDue, ContinuousClock.now >= nextAttempt {
        // The next delivery reports the reason of a failure.
        try? attempt(stop) { _, _ in }
        continue
      }
      let interest = connection?.interest
      poller.removeAll()
      let slot = poller.add(interest?.descriptor, interest?.readiness ?? [])
      let bell = poller.add(stop.descriptor, .read)
      poller.wait(
        until: MQTTConnection.nextLook(before: isDue ? min(deadline, nextAttempt) : deadline))
      if let connection, (try? connection.advance(poller.ready(slot))) == nil {
        recover(wait: backOff.next())
      }
      if !poller.ready(bell).isEmpty { return }
    }
  }

  package func probe(until stop: StopFlag) -> String? {
    let wait = MQTTWait(stop)
    defer { wait.end() }
    do throws(MQTTFailure) {
      // Another id: with that of a running receiver the broker would end its connection.
      try MQTTDial.probe(
        settings.broker, password: password, id: "\(clientID)-check", limits: limits, wait)
      return nil
    } catch {
      return located(error).reason
    }
  }

  package func close() {
    guard let connection else { return }
    self.connection = nil
    let wait = MQTTWait(nil)
    // When it fails, the broker publishes the last will, which says the same.
    guard (try? connection.publish([state(Self.offline)], within: limits.close, wait)) != nil
    else { return }
    connection.disconnect(within: limits.close)
  }

  // MARK: The connection

  /// Calls `body` with a connection on which everything about the present was published.
  private func attempt(
    _ stop: StopFlag, _ body: (MQTTConnection, MQTTWait) throws(MQTTFailure) -> Void
  ) throws(MQTTFailure) {
    let wait = MQTTWait(stop)
    defer { wait.end() }
    do throws(MQTTFailure) {
      let connection = if let open = self.connection { open } else { try connect(wait) }
      self.connection = connection
      try announceChanges(connection, wait)
      try body(connection, wait)
    } catch {
      if case .refused = error {
        // What is refused will be refused again; a broker may lock out a client that insists.
        recover(wait: Self.longestPause)
      } else {
        recover(wait: backOff.next())
      }
      throw error
    }
  }

  /// Closes a connection that is lost, or has a message whose fate is unknown.
  ///
  /// - Parameter wait: How long ``wait(until:_:)`` makes no attempt.
  private func recover(wait: Duration) {
    nextAttempt = .now + wait
    if connection?.isIdle == true { return }
    connection = nil
    announced = Announced()
  }

  /// Opens a connection; one that a time-out or the end of a wait left behind is continued.
  private func connect(_ wait: MQTTWait) throws(MQTTFailure) -> MQTTConnection {
    let dial =
      if let pending = self.dial {
        pending
      } else {
        try MQTTDial(
          MQTTConnection(settings.broker, password: password, id: clientID, will: availability),
          to: settings.broker, keepAlive: limits.keepAlive)
      }
    self.dial = dial
    defer { if dial.isFinished { self.dial = nil } }
    return try dial.open(within: limits.connect, wait)
  }

  /// Names the broker that cannot be reached.
  private func located(_ failure: MQTTFailure) -> MQTTFailure {
    guard case .unreachable(let reason) = failure else { return failure }
    return .unreachable("broker at \(settings.broker.host):\(settings.broker.port): \(reason)")
  }

  // MARK: The present

  /// Whether there is no connection, or one that lacks the present.
  private var hasNews: Bool { connection == nil || announced.fences != source.fences() }

  /// Publishes what the connection must know of the present, if that is new.
  private func announceChanges(
    _ connection: MQTTConnection, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    guard hasNews else { return }
    let fences = source.fences()
    let former = try read { source throws(EntryStoreError) in try source.formerFences() }
    let presences = try read { source throws(EntryStoreError) in try source.presences() }
    announced = Announced()
    for presence in presences {
      for fence in former {
        let messages = dialects.flatMap { $0.withdrawal(of: fence, from: presence.device) }
        try connection.publish(messages, within: limits.acknowledgement, wait)
      }
      try announce(presence, fences, connection, wait)
    }
    // Last: who sees it can rely on all of the above.
    try connection.publish([state(Self.online)], within: limits.acknowledgement, wait)
    announced.fences = fences
  }

  /// Reads from the store.
  private func read<Value>(
    _ body: (any PresenceSource) throws(EntryStoreError) -> Value
  ) throws(MQTTFailure) -> Value {
    do throws(EntryStoreError) {
      return try body(source)
    } catch {
      throw .store("\(error)")
    }
  }

  private func announce(
    _ presence: DevicePresence, _ fences: [FenceSummary], _ connection: MQTTConnection,
    _ wait: MQTTWait
  ) throws(MQTTFailure) {
    for dialect in dialects {
      try connection.publish(
        dialect.announcement(of: presence, fences), within: limits.acknowledgement, wait)
    }
    announced.devices.insert(ExactText(presence.device))
  }

  private func state(_ word: String) -> MQTTMessage {
    MQTTMessage(topic: availability, payload: word, isRetained: true)
  }
}

extension MQTTSettings.Dialect {
  fileprivate func dialect(
    _ settings: MQTTSettings, availability: String
  ) -> any MQTTDialect {
    switch self {
    case .waymark: WaymarkDialect(topic: settings.topic)
    case .owntracks:
      OwnTracksDialect(user: settings.ownTracksUser, fencesSince: settings.fencesSince)
    case .homeAssistant:
      HomeAssistantDialect(
        discovery: settings.discovery, topic: settings.topic, availability: availability,
        zones: settings.zones)
    }
  }
}
