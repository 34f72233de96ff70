internal import Session

/// What came to an inlet, or from the ships that a gpsd reports.
struct InletReporter: Sendable {
  let address: String
  /// Devices that have reported since the program began.
  private(set) var devices: Set<String> = []
  /// Messages with reports, and those that were refused.
  private(set) var (messages, refused) = (0, 0)

  init(_ address: String) { self.address = address }

  /// The most devices that are counted.
  private static let mostDevices = 100_000

  mutating func take(_ news: ReportInbox.News) {
    refused += news.problemCount
    messages += news.deliveries.count
    for delivery in news.deliveries {
      for (device, _) in delivery.reports where devices.count < Self.mostDevices {
        devices.insert(device)
      }
    }
  }

  /// Takes a report of a ship.
  mutating func take(ship device: String) {
    messages += 1
    if devices.count < Self.mostDevices { devices.insert(device) }
  }

  /// For people.
  var sentence: String {
    guard messages > 0 else { return "waiting for reports" }
    return
      "\(SessionTotals.count(devices.count, "device")), \(SessionTotals.count(messages, "message"))"
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
