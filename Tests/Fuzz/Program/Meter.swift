internal import FuzzDriver

/// What an input cost: processor time, which a busy machine hardly changes, and memory.
struct Cost {
  /// Seconds of the processor.
  var seconds: Double
  /// The most bytes that were in use at once, beside those before; 0 without the address sanitizer.
  var bytes: Double

  /// That of a call.
  init(of body: () throws -> Void) rethrows {
    let (start, before) = (FuzzProcessorTime(), FuzzBeginCount())
    try body()
    (seconds, bytes) = (FuzzProcessorTime() - start, Double(FuzzMost() - before))
  }

  /// No more than either of two.
  func least(_ other: Cost) -> Cost {
    var least = self
    (least.seconds, least.bytes) = (min(seconds, other.seconds), min(bytes, other.bytes))
    return least
  }
}

/// What inputs may cost: something for all of them, and as much for each byte.
struct Allowance {
  /// Of any input.
  static let (seconds, bytes) = (0.1, 4e6)
  /// Of each byte of it.
  static let (secondsOfByte, bytesOfByte) = (100e-6, 1_000.0)
  /// How often an input that costs more is tried: the first time something may be made that stays, and
  /// the processor may have been slow.
  static let tries = 5

  /// The shares of it that an input of so many bytes took.
  ///
  /// - Parameter effort: How many times as much is allowed.
  static func shares(_ cost: Cost, of count: Int, _ effort: Double) -> (
    time: Double, memory: Double
  ) {
    (
      cost.seconds / (seconds + Double(count) * secondsOfByte) / effort,
      cost.bytes / (bytes + Double(count) * bytesOfByte) / effort
    )
  }
}

/// The costs of all inputs.
@MainActor struct Meter {
  /// The greatest shares of what is allowed.
  private(set) var (time, memory) = (0.0, 0.0)

  /// For the one who reads the log.
  var summary: String {
    "cost: \(Int((time * 100).rounded(.up))) % of the time and "
      + "\(Int((memory * 100).rounded(.up))) % of the memory that is allowed"
  }

  /// Makes sure that an input costs no more than it may.
  ///
  /// - Returns: Why not; nil when it does not.
  mutating func check(
    _ count: Int, effort: Double, _ body: () throws -> Void
  ) rethrows -> String? {
    var cost = try Cost(of: body)
    var shares = Allowance.shares(cost, of: count, effort)
    for _ in 1..<Allowance.tries where max(shares.time, shares.memory) > 1 {
      cost = cost.least(try Cost(of: body))
      shares = Allowance.shares(cost, of: count, effort)
    }
    (time, memory) = (max(time, shares.time), max(memory, shares.memory))
    guard max(shares.time, shares.memory) > 1 else { return nil }
    return "violated: the cost of an input grows no faster than its bytes\n"
      + "\(count) bytes took \(cost.seconds) s and \(cost.bytes) bytes of memory"
  }
}
