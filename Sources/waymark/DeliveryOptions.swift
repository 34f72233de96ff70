import ArgumentParser
import Foundation
import Outbox
import Session
import Settings
import Storing
import Tracking

/// The option of commands that deliver only when asked to.
struct DeliveryOptions: ParsableArguments {
  @Flag(
    help: """
      Deliver new events to the receivers of the config, as watch does. Without it they get none: old \
      tracks wake nobody.
      """)
  var deliver = false

  /// The outbox of a config, running; nil without receivers.
  static func start(
    _ configuration: Configuration, _ store: StoreSettings?, _ fences: FenceSet
  ) throws -> Outbox? {
    let receivers = configuration[DeliverSection.self]
    guard !receivers.isEmpty, let store else { return nil }
    let factory = factory(configuration, store, fences)
    for warning in receivers.flatMap(\.warnings) { Terminal.report("waymark: \(warning)") }
    do {
      let outbox = try open(receivers, store, factory.fences)
      try outbox.start(zone: factory.zone, factory.make)
      return outbox
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// How long another program may have locked the store at the start, seconds.
  private static let patience = 30

  /// Opens the queues of a store, and waits for another program that has locked it.
  private static func open(
    _ receivers: [ReceiverSettings], _ store: StoreSettings, _ fences: CurrentFences
  ) throws -> Outbox {
    let end = ContinuousClock.now + .seconds(patience)
    var isReported = false
    while true {
      do {
        return try Outbox(receivers, store: store.path, fences: fences)
      } catch let error as EntryStoreError where error.isTemporary && ContinuousClock.now < end {
        if !isReported { Terminal.report("waymark: \(error); retrying for \(patience) s") }
        isReported = true
        Thread.sleep(forTimeInterval: 1)
      }
    }
  }

  private static func factory(
    _ configuration: Configuration, _ store: StoreSettings, _ fences: FenceSet
  ) -> CourierFactory {
    CourierFactory(
      zone: configuration.timeZone ?? .gmt, store: store.path, fences: CurrentFences(fences))
  }

  /// The store, whose new events go to an outbox if there is one.
  static func store(_ store: (any EntryStore)?, _ outbox: Outbox?) -> (any EntryStore)? {
    guard let store, let outbox else { return store }
    return DeliveringStore(store, outbox)
  }

  /// The outbox of a command that delivers only with `--deliver`.
  func start(
    _ configuration: Configuration, _ store: StoreSettings?, _ fences: FenceSet
  ) throws -> Outbox? {
    guard deliver else { return nil }
    guard let outbox = try Self.start(configuration, store, fences) else {
      throw ValidationError(
        "--deliver needs receivers in the config; name them under deliver, or leave --deliver out")
    }
    return outbox
  }

  /// Connects to each receiver, and reports those that cannot be reached.
  static func probe(_ configuration: Configuration) throws {
    // Receivers need a store, so there is one.
    guard let store = configuration[StoreSection.self] else { return }
    let factory = factory(configuration, store, try configuration.rules().fences)
    let stop = try StopFlag()
    var hasFailure = false
    for receiver in configuration[DeliverSection.self] {
      let courier: any Courier
      do {
        courier = try factory.make(receiver)
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
    for receiver in left {
      let count = SessionTotals.count(receiver.waiting, "event")
      let state =
        receiver.position.held.map { reason in
          "\(receiver.waiting == 1 ? "waits" : "wait") for the end of \(reason); the next run with this "
            + "store and config delivers \(receiver.waiting == 1 ? "it" : "them") after that"
        } ?? "could not be delivered yet; the next run with this store and config does it"
      Terminal.report("waymark: \(receiver.name): \(count) \(state)")
    }
    if !left.isEmpty { throw ExitStatus.unavailable }
  }
}
