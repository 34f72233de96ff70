internal import CMosquitto
internal import Foundation
package import Session
package import Settings
internal import System

/// Takes the reports of phones that OwnTracks publishes at a broker.
///
/// It serves on a thread of its own. The broker keeps what comes while there is no connection, and each
/// message until it is acknowledged, which it is when the run has kept it: with QoS 1 a message is lost
/// neither by the network nor by the end of the program. One that comes twice is dropped by the engine.
package final class MQTTInlet: Sendable {
  private let flag: StopFlag
  /// Woken when the thread has ended.
  private let end: Waker
  private let limits: MQTTLimits

  /// Loads the library, reads the files of the connection, and starts the thread.
  ///
  /// - Parameters:
  ///   - topics: Filters of topics, such as `owntracks/+/+`.
  ///   - published: Starts of topics under which this program publishes; what comes there is not taken.
  ///   - keeper: The file that keeps the reports, the state or the recording, which is a part of the
  ///     client id. Without one, the broker's session is of use for this run only, and another client's.
  package convenience init(
    _ settings: BrokerSettings, topics: [String], published: [String], keeper: String?,
    inbox: ReportInbox, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    try self.init(
      settings, topics: topics, published: published, keeper: keeper, inbox: inbox,
      limits: MQTTLimits(), environment: environment)
  }

  init(
    _ settings: BrokerSettings, topics: [String], published: [String] = [], keeper: String?,
    inbox: ReportInbox, limits: MQTTLimits, environment: [String: String] = [:],
    seed: UInt64 = .random(in: .min ... .max)
  ) throws {
    let password = try Self.load(settings, environment)
    (flag, end, self.limits) = (try StopFlag(), try Waker(), limits)
    // Other topics are another session: a broker never forgets a subscription by itself.
    let id =
      settings.clientID
      ?? MQTTName.clientID(
        of: "watch", store: keeper ?? "\(UUID())", more: "\0" + topics.joined(separator: "\0"))
    let session = MQTTSession(seconds: keeper == nil ? Self.shortSession : Self.longSession)
    try DetachedThread.start { [flag, end] in
      MQTTSubscription(
        settings, topics: topics, published: published, password: password, id: id,
        session: session, inbox: inbox, flag: flag, limits: limits, seed: seed
      ).run()
      end.wake()
    }
  }

  /// Seconds for which the broker keeps the session: 30 days, and an hour.
  private static let longSession: UInt32 = 30 * 86_400
  private static let shortSession: UInt32 = 3_600

  /// Ends the thread; what is kept is acknowledged before, within a limit.
  package func shutDown() {
    flag.stop()
    var poller = Poller()
    let deadline = ContinuousClock.now + limits.close * 2
    while ContinuousClock.now < deadline {
      poller.removeAll()
      let slot = poller.add(end.descriptor, .read)
      poller.wait(until: deadline)
      if !poller.ready(slot).isEmpty { return }
    }
  }

  /// Connects to a broker; the reason why it cannot be reached, or nil.
  package static func probe(_ settings: BrokerSettings) -> String? {
    do {
      let password = try load(settings, ProcessInfo.processInfo.environment)
      let id = MQTTName.clientID(of: "watch-check", store: "\(UUID())")
      try MQTTDial.probe(
        settings, password: password, id: id, limits: MQTTLimits(), MQTTWait(nil))
      return nil
    } catch let failure as MQTTFailure {
      return failure.reason
    } catch {
      return "\(error)"
    }
  }

  /// Loads the library; returns the password, if there is one.
  private static func load(
    _ settings: BrokerSettings, _ environment: [String: String]
  ) throws(ReceiverError) -> String? {
    if let reason = waymark_mosquitto_load() { throw .library(problem: String(cString: reason)) }
    return try settings.readFiles(environment)
  }
}
