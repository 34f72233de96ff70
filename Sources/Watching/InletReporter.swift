internal import Session
internal import Text

/// What came to an inlet, or from the ships that a gpsd reports.
struct InletReporter: Sendable {
  let address: String
  /// Devices that have reported since the program began.
  private(set) var devices: Set<ExactText> = []
  /// Messages with reports, and those that were refused.
  private(set) var (messages, refused) = (0, 0)
  /// Messages without a position.
  private(set) var ignored = 0
  /// The state of the connection to a server; nil where there is none.
  private(set) var status: String?
  private var types: Set<String> = []
  private var limiter = MessageLimiter()

  init(_ address: String) { self.address = address }

  /// The most devices that are counted.
  private static let mostDevices = 100_000

  /// The most types of messages without a position that are named.
  private static let mostTypes = 10

  /// Counts what came; returns what is to be reported.
  mutating func take(_ news: ReportInbox.News) -> [String] {
    refused += news.problemCount
    status = news.status ?? status
    messages += news.deliveries.count
    for delivery in news.deliveries {
      for (device, _) in delivery.reports where devices.count < Self.mostDevices {
        devices.insert(ExactText(device))
      }
    }
    var lines = news.problems
    for (type, count) in news.ignored.sorted(by: { $0.key < $1.key }) {
      ignored += count
      guard types.count < Self.mostTypes, types.insert(type).inserted else { continue }
      lines.append("messages of the type '\(type)' have no position; they are ignored")
    }
    return lines
  }

  /// Whether a change of the status may be reported: a broker may come and go all the time.
  mutating func mayReportStatus(at now: ContinuousClock.Instant) -> Bool {
    limiter.mayPass(at: now)
  }

  /// Takes a report of a ship.
  mutating func take(ship device: String) {
    messages += 1
    if devices.count < Self.mostDevices { devices.insert(ExactText(device)) }
  }

  /// For people.
  var sentence: String {
    let counts =
      messages > 0
      ? "\(SessionTotals.count(devices.count, "device")), \(SessionTotals.count(messages, "message"))"
      : status == nil ? "waiting for reports" : nil
    return [status, counts].compactMap(\.self).joined(separator: ", ")
  }
}

/// Limits messages of which there may be many: ten at once, then one a minute.
struct MessageLimiter: Sendable {
  private var credit = Self.cost * Self.burst
  private var last: ContinuousClock.Instant?
  /// Messages that did not pass since the last that did.
  private var held = 0

  private static let cost = Duration.seconds(60)
  private static let burst = 10

  mutating func mayPass(at now: ContinuousClock.Instant) -> Bool {
    credit = min(Self.cost * Self.burst, credit + (last.map { now - $0 } ?? .zero))
    last = now
    guard credit >= Self.cost else {
      held += 1
      return false
    }
    credit -= Self.cost
    return true
  }

  /// The messages that did not pass since the last call; nil for none.
  mutating func takeHeld() -> Int? {
    defer { held = 0 }
    return held > 0 ? held : nil
  }
}
