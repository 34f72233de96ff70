internal import Foundation
internal import Storing
internal import Session
internal import Text
internal import Tracking

/// Delivers the events of a store to one receiver, in order, one at a time.
///
/// The cursor moves when the receiver has acknowledged an event. What is known of failures is in the
/// store, so a restart goes on with the same waits. One thread uses it.
final class ReceiverLoop {
  /// What comes after a step.
  enum Next: Sendable, Hashable {
    /// Another step at once.
    case again
    /// A wait of so many seconds, or until there are more events.
    case wait(Double)
    /// The same, for as long as no event comes, or the store cannot be used.
    case idle
  }

  private let settings: ReceiverSettings
  private let queue: OutboxQueue
  private let courier: any Courier
  private let zone: TimeZone
  private let schedule: DeliverySchedule
  /// The time of day, seconds since 1970.
  private let now: () -> Double
  private let report: (String) -> Void
  /// Whether the last attempt failed, so that only changes are reported.
  private var isFailing = false

  /// The store is looked at so often without a ring, seconds: another program may have moved the cursor.
  static let pollInterval = 2.0

  init(
    _ settings: ReceiverSettings, _ queue: OutboxQueue, _ courier: any Courier, zone: TimeZone,
    schedule: DeliverySchedule = DeliverySchedule(),
    now: @escaping () -> Double = { Date().timeIntervalSince1970 },
    report: @escaping (String) -> Void
  ) {
    self.settings = settings
    self.queue = queue
    self.courier = courier
    self.zone = zone
    self.schedule = schedule
    self.now = now
    self.report = report
  }

  /// Makes at most one attempt.
  func step(until stop: StopFlag) -> Next {
    do throws(EntryStoreError) {
      return try attempt(until: stop)
    } catch {
      note(failure: "\(error)")
      return .idle
    }
  }

  /// Waits as the last step asks, or until there are more events.
  func rest(_ next: Next, _ stop: StopFlag) {
    let limit: Double =
      switch next {
      case .again: 0
      case .wait(let seconds): min(seconds, Self.pollInterval)
      case .idle: Self.pollInterval
      }
    courier.wait(until: .now + .seconds(limit), stop)
    stop.clear()
  }

  /// Ends the connection.
  func close() { courier.close() }

  private func attempt(until stop: StopFlag) throws(EntryStoreError) -> Next {
    guard let position = try queue.position(of: settings.name), position.gone == nil else {
      return .idle
    }
    if let due = position.nextAttempt {
      let wait = due - now()
      // A longer wait is one of a clock that has been set since.
      if wait > 0, wait <= DeliverySchedule.longest { return .wait(wait) }
    }
    guard let stored = try queue.next(for: settings.name) else { return .idle }
    guard let event = OutgoingEvent(line: stored.json) else {
      report("\(settings.name): event \(stored.sequence) of the store is damaged; it is skipped")
      try queue.finish(stored, for: settings.name, from: position.cursor, .skipped)
      return .again
    }
    if let quiet = settings.quietHours {
      let isQuiet = quiet.contains(now(), in: zone)
      let decided = event.decided.flatMap(OutgoingEvent.seconds)
      // An event without a time counts as one of the present.
      let isOfQuiet = decided.map { quiet.contains($0, in: zone) } ?? isQuiet
      if quiet.policy == .drop, isOfQuiet {
        try queue.finish(stored, for: settings.name, from: position.cursor, .skipped)
        return .again
      }
      if isQuiet {
        let reason = quiet.reason(in: zone)
        if position.held != reason { try queue.hold(settings.name, reason: reason) }
        return .wait(60)
      }
    }
    let delivery = Delivery(sequence: stored.sequence, event: event, json: stored.json)
    return try finish(stored, position, courier.deliver(delivery, until: stop))
  }

  private func finish(
    _ stored: OutboxQueue.StoredEvent, _ position: OutboxQueue.Position,
    _ outcome: DeliveryOutcome
  ) throws(EntryStoreError) -> Next {
    switch outcome {
    case .delivered:
      try queue.finish(
        stored, for: settings.name, from: position.cursor, .delivered(at: now()))
      if isFailing || position.attempts > 0 { report("\(settings.name): delivering again") }
      isFailing = false
      return .again
    case .unreachable(let reason):
      let wait = schedule.wait(afterAttempts: position.attempts, DeliverySchedule.unreachable)
      return try fail(position, reason, wait)
    case .failed(let reason, let after):
      let wait = schedule.wait(
        afterAttempts: position.attempts, DeliverySchedule.failed,
        asked: after.map { Double($0.components.seconds) })
      return try fail(position, reason, wait)
    case .gone(let reason):
      try queue.markGone(settings.name, reason: reason, at: now())
      report(
        "\(settings.name): \(reason); nothing more is delivered until `waymark outbox --retry`")
      return .idle
    case .stopped:
      return .wait(0)
    }
  }

  private func fail(
    _ position: OutboxQueue.Position, _ reason: String, _ wait: Double
  ) throws(EntryStoreError) -> Next {
    let time = now()
    try queue.fail(settings.name, reason: reason, at: time, nextAttempt: time + wait)
    note(failure: "\(reason); the next attempt is in \(Readable.duration(wait))")
    let since = position.failingSince ?? time
    if let limit = settings.giveUp, time - since >= limit {
      let oldest = Timestamp(nanoseconds: Int64((time - limit) * 1e9))
      var text: [UInt8] = []
      TimeText.append(oldest, to: &text)
      let count = try queue.giveUp(
        settings.name, decidedBefore: String(decoding: text, as: UTF8.self), reason: reason)
      if count > 0 {
        report(
          "\(settings.name): given up \(count == 1 ? "one event" : "\(count) events") after "
            + "\(Readable.duration(time - since)): \(reason); see `waymark outbox --dead`")
      }
    }
    return .wait(wait)
  }

  /// Reports the first failure in a row.
  private func note(failure reason: String) {
    if !isFailing { report("\(settings.name): \(reason)") }
    isFailing = true
  }
}
