/// When the attempts of a delivery are made.
struct DeliverySchedule: Sendable {
  private let random: @Sendable () -> Double

  /// - Parameter random: Numbers in 0..<1 for the jitter; tests have their own.
  init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
    self.random = random
  }

  /// The waits after a receiver answered that it failed, seconds: those that Standard Webhooks 1.0.0
  /// advises; the last one repeats.
  static let failed = [
    5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ].map(Double.init)

  /// The waits without an answer, seconds: a network that is back should be used soon.
  static let unreachable = [1, 2, 5, 15, 60, 300].map(Double.init)

  /// The longest wait that a receiver can ask for, seconds; Retry-After is cut to a week as well.
  static let longest = 7 * 86_400.0

  /// The wait after a failure, seconds, with a jitter of a fifth.
  ///
  /// - Parameters:
  ///   - attempts: Failed attempts in a row before this one.
  ///   - asked: The wait that the receiver asked for, which is the least.
  func wait(afterAttempts attempts: Int, _ waits: [Double], asked: Double? = nil) -> Double {
    let wait = waits[min(attempts, waits.count - 1)] * (0.8 + 0.4 * random())
    return min(max(wait, asked ?? 0), Self.longest)
  }
}
