internal import Tracking
internal import Yams

/// The key `gate`: which fixes are believed, and for how long a device is where it was.
extension ConfigurationReader {
  /// Seconds; a longer step is another clock to the engine, whatever the setting.
  private static let longestClockJump = GateLimits().silence
  /// Seconds; what is later is a clock jump by default.
  private static let longestLateness = 86_400.0
  /// Seconds, 100 years: times are nanoseconds in 64 bits, which hold 292 years.
  static let longestMemory = 3_155_760_000.0

  mutating func readGate(_ keys: ConfigurationKeys) {
    guard let node = notePlace("gate", keys),
      let inner = self.keys(
        node, "gate", known: ["clock-jump", "memory", "lateness"],
        expected: "{clock-jump: 1 d, memory: 30 d, lateness: 60 s}")
    else { return }
    if let jump = gateTime("clock-jump", inner, 1...Self.longestClockJump, "1 s to 10 years") {
      configuration.gate.clockJump = jump
    }
    if let memory = gateTime("memory", inner, 1...Self.longestMemory, "1 s to 100 years") {
      configuration.memory = memory
    }
    if let lateness = gateTime("lateness", inner, 0...Self.longestLateness, "0 s to 1 d") {
      configuration.gate.lateness = lateness
    }
  }

  private mutating func gateTime(
    _ name: String, _ keys: ConfigurationKeys, _ range: ClosedRange<Double>, _ limits: String
  ) -> Double? {
    notePlace(name, keys).flatMap { duration($0, keys.path(name), in: range, limits) }
  }
}
