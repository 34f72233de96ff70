import Locking
import Session
import Settings
import TestSupport
import Tracking

@testable import Outbox

/// A subscription, and what its run would see.
final class InletStand {
  let inbox: ReportInbox
  let inlet: MQTTInlet
  private(set) var deliveries: [ReportInbox.Delivery] = []
  private(set) var problems: [String] = []
  private(set) var ignored: [String: Int] = [:]
  private(set) var statuses: [String] = []

  /// Limits that a busy machine keeps.
  static let patient = MQTTLimits(
    connect: .seconds(300), acknowledgement: .seconds(300), close: .seconds(300))

  init(
    port: Int, topics: [String] = ["owntracks/#"], published: [String] = [],
    keeper: String? = "/state", limits: MQTTLimits = patient,
    _ change: (inout BrokerSettings) -> Void = { _ in }
  ) throws {
    var settings = BrokerSettings(host: "127.0.0.1", port: port)
    change(&settings)
    inbox = try ReportInbox()
    // The first pause of this seed is short.
    inlet = try MQTTInlet(
      settings, topics: topics, published: published, keeper: keeper, inbox: inbox,
      limits: limits, seed: 1)
  }

  /// The devices of the reports so far, and the seconds of their fixes.
  var reports: [String] {
    var texts: [String] = []
    for delivery in deliveries {
      for report in delivery.reports {
        texts += report.fixes.map {
          "\(report.device) \(($0.time?.nanoseconds ?? 0) / 1_000_000_000)"
        }
      }
    }
    return texts
  }

  /// Takes what has come.
  ///
  /// - Parameter receipt: The answer to each; nil for none.
  func take(_ receipt: ReportInbox.Receipt? = .kept) {
    let news = inbox.take()
    for delivery in news.deliveries {
      deliveries.append(delivery)
      if let receipt { delivery.answer(receipt) }
    }
    problems += news.problems
    ignored.merge(news.ignored) { $0 + $1 }
    if let status = news.status { statuses.append(status) }
  }

  /// Takes what comes, until there is enough.
  func take(
    until what: String, _ receipt: ReportInbox.Receipt? = .kept,
    _ isEnough: (InletStand) -> Bool
  ) throws {
    try blockUntil("\(what), but \(reports), \(problems), \(statuses)") {
      take(receipt)
      return isEnough(self)
    }
  }

  /// Waits for the subscription, of which there may be several.
  func subscribe(_ count: Int = 1) throws {
    try take(until: "a subscription") { stand in
      stand.statuses.count { $0.hasPrefix("subscribed to ") } >= count
    }
  }

  /// A position of OwnTracks.
  static func location(_ second: Int, more: String = "") -> String {
    #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(second),"acc":10,"tid":"xy"\#(more)}"#
  }
}
