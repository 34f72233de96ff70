import ArgumentParser
import Foundation
import Outbox
import Session
import Settings
import Storing

/// The option of commands that deliver only when asked to.
struct DeliveryOptions: ParsableArguments {
  @Flag(
    help: """
      Deliver new events to the receivers of the config, as watch does. Without it they get none: old \
      tracks wake nobody.
      """)
  var deliver = false

  /// The outbox of a config, running; nil without receivers.
  static func start(_ configuration: Configuration, _ store: StoreSettings?) throws -> Outbox? {
    let receivers = configuration[DeliverSection.self]
    guard !receivers.isEmpty, let store else { return nil }
    let zone = configuration.timeZone ?? .gmt
    for warning in receivers.flatMap(\.warnings) { Terminal.report("waymark: \(warning)") }
    do {
      let outbox = try Outbox(receivers, store: store.path)
      try outbox.start(zone: zone) { try CourierFactory.make($0, zone: zone) }
      return outbox
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// The store, whose new events go to an outbox if there is one.
  static func store(_ store: EventStore?, _ outbox: Outbox?) -> (any EntryStore)? {
    guard let store, let outbox else { return store }
    return DeliveringStore(store, outbox)
  }

  /// The outbox of a command that delivers only with `--deliver`.
  func start(_ configuration: Configuration, _ store: StoreSettings?) throws -> Outbox? {
    guard deliver else { return nil }
    guard let outbox = try Self.start(configuration, store) else {
      throw ValidationError(
        "--deliver needs receivers in the config; name them under deliver, or leave --deliver out")
    }
    return outbox
  }

  /// Connects to each receiver, and reports those that cannot be reached.
  static func probe(_ configuration: Configuration) throws {
    let stop = try StopFlag()
    var hasFailure = false
    for receiver in configuration[DeliverSection.self] {
      let courier: any Courier
      do {
        courier = try CourierFactory.make(receiver, zone: configuration.timeZone ?? .gmt)
      } catch {
        throw ExitStatus.of(Outbox.Failure(receiver, error))
      }
      let problem = courier.probe(until: stop)
      courier.close()
      hasFailure = hasFailure || problem != nil
      try Terminal.answer(["\(receiver.name): \(problem ?? "reachable")"])
    }
    if hasFailure { throw ExitStatus.unavailable }
  }

  /// Waits until the receivers have all events or cannot be reached, and reports what is left.
  static func finish(_ outbox: Outbox) throws {
    let left = try outbox.drain { Terminal.report("waymark: \($0)") }
    outbox.stop()
    for message in outbox.takeMessages() { Terminal.report("waymark: \(message)") }
    for (name, count) in left {
      Terminal.report(
        "waymark: \(name): \(SessionTotals.count(count, "event")) could not be delivered yet; the "
          + "next run with this store and config does it")
    }
    if !left.isEmpty { throw ExitStatus.unavailable }
  }
}
