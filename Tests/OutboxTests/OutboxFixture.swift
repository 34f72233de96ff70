import EventLog
import Foundation
import Geodesy
import Session
import Storing
import TestSupport
import Text

@testable import Outbox
@testable import Tracking

/// A store in a folder of its own with events of an hour each, and a receiver with a clock that the test
/// sets.
final class OutboxFixture {
  let scratch: ScratchFolder
  let store: EventStore
  let queue: OutboxQueue
  let courier = ScriptedCourier()
  let stop: StopFlag
  /// The time of day, seconds since 1970.
  var now = startSeconds
  private(set) var reports: [String] = []

  /// 2025-03-10T08:00:00Z.
  static let startSeconds = 1_741_593_600.0
  static let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)

  init(retention: Double? = nil) throws {
    scratch = try ScratchFolder()
    let settings = StoreSettings(path: scratch.file("events.gpkg"), retention: retention)
    store = try EventStore(settings, isLive: false)
    queue = try OutboxQueue(settings.path)
    stop = try StopFlag()
  }

  /// The loop of a receiver, as a run that begins now makes it.
  func loop(
    _ wanted: ReceiverSettings? = nil, _ other: (any Courier)? = nil
  ) throws -> ReceiverLoop {
    let settings = try wanted ?? Self.receiver()
    try queue.activate([(settings.name, settings.filter)])
    return ReceiverLoop(
      settings, queue, other ?? courier, zone: .gmt, schedule: DeliverySchedule { 0.5 },
      now: { self.now }, report: { self.reports.append($0) })
  }

  static func receiver(
    _ name: String = "house", kinds: Set<LogEntry.Kind> = [.enter, .exit],
    fences: Set<String>? = nil, devices: [String]? = nil, quietHours: QuietHours? = nil,
    giveUp: Double? = nil
  ) throws -> ReceiverSettings {
    ReceiverSettings(
      name: name, channel: .command(CommandSettings(arguments: [try MessageTemplate("true")])),
      kinds: kinds, fences: fences, devices: devices.map { Set($0.map(ExactText.init)) },
      quietHours: quietHours, giveUp: giveUp)
  }

  /// Keeps an enter of a fence, decided so many hours after the start.
  func keep(hour: Double, fence: String = "depot", device: String = "van") throws {
    try store.keep([Self.enter(hour: hour, fence: fence, device: device)])
  }

  static func enter(hour: Double, fence: String, device: String) -> LogEntry {
    event(.enter(fence: fence, crossing), hour: hour, device: device)
  }

  static func exit(hour: Double, fence: String, device: String) -> LogEntry {
    event(.exit(fence: fence, crossing, inside: 3_600), hour: hour, device: device)
  }

  private static let crossing = Crossing(
    timeUncertainty: 1.5, isInterpolated: true, confidence: 0.99)

  private static func event(_ statement: Event.Statement, hour: Double, device: String) -> LogEntry
  {
    let time = start.advanced(bySeconds: hour * 3_600)
    return LogEntry(
      device: device,
      .event(
        Event(
          statement: statement, time: time, decided: time,
          coordinate: Coordinate(latitude: 52.5, longitude: 13.4), horizontalAccuracy: 5)))
  }

  /// Steps until nothing can be done at the present time; returns the wait, nil when nothing waits.
  @discardableResult
  func run(_ loop: ReceiverLoop) -> Double? {
    while true {
      switch loop.step(until: stop) {
      case .again: continue
      case .wait(let seconds): return seconds
      case .idle: return nil
      }
    }
  }
}

/// A courier that ends each attempt as a test says, and otherwise delivers.
final class ScriptedCourier: Courier {
  /// How the next attempts end, in order.
  var outcomes: [DeliveryOutcome] = []
  /// The hours of the events of all attempts.
  private(set) var attempts: [String] = []
  /// The events that it acknowledged.
  private(set) var delivered: [String] = []
  /// Called in an attempt.
  var meanwhile: () throws -> Void = {}

  func deliver(_ delivery: Delivery, until stop: StopFlag) -> DeliveryOutcome {
    let name =
      "\(delivery.event.device) \(delivery.event.fence ?? "") "
      + String(delivery.event.time?.dropFirst(11).prefix(5) ?? "")
    attempts.append(name)
    let outcome = outcomes.isEmpty ? .delivered : outcomes.removeFirst()
    try? meanwhile()
    if outcome == .delivered { delivered.append(name) }
    return outcome
  }

  func probe(until stop: StopFlag) -> String? { nil }

  func close() {}
}
