import Geodesy

extension PhoneReceiver {
  /// When the phone gets a position at all, without errors yet.
  mutating func measurements(of days: TrueDays) -> [Measurement] {
    let silent = silences(days)
    var last = -30
    var all: [Measurement] = []
    for second in moments(days.length) {
      let environment = days.environments[second]
      guard environment != .covered, silent.isEmpty || !silent[second] else { continue }
      let position = days.positions[second]
      all.append(
        Measurement(
          second: second, truth: position, measured: position, sigma: 0, statedSigma: 0,
          environment: environment, elapsed: Double(second - last)))
      last = second
    }
    return all
  }

  /// Intervals above 5 s vary by up to a second.
  private mutating func moments(_ length: Int) -> [Int] {
    let interval = sampling.interval
    var moments: [Int] = []
    if kind == .collar { return collarMoments(length) }
    for due in stride(from: random.whole(0...max(0, interval - 1)), to: length, by: interval) {
      let second = interval > 5 ? min(max(due + random.whole(-1...1), 0), length - 1) : due
      if second > moments.last ?? -1 { moments.append(second) }
    }
    return moments
  }

  /// The seconds without a fix: indoors, asleep, switched off.
  private mutating func silences(_ days: TrueDays) -> [Bool] {
    let off = offTimes(days)
    guard noise != .none, kind != .collar, kind != .boat else { return off }
    let silent = lostReception(days)
    return off.isEmpty ? silent : zip(off, silent).map { $0 || $1 }
  }

  private mutating func lostReception(_ days: TrueDays) -> [Bool] {
    var silent = [Bool](repeating: false, count: days.length)
    for stay in days.stays where stay.dropout > 0 && stay.duration > 60 {
      dropOut(during: stay, &silent)
    }
    if dozes {
      for midnight in stride(from: 0, to: days.length, by: 86_400) { doze(from: midnight, &silent) }
    }
    let gaps = random.poisson(mean: 1.2 * Double(days.length) / 86_400)
    for _ in 0..<gaps {
      let start = random.whole(0...days.length - 1)
      let length = random.choice(of: [120.0, 300, 600, 1500], otherwise: 300)
      silent.silence(start, start + Int(length * random.uniform(0.5...1.5)))
    }
    return silent
  }

  /// Indoors, silence and reception alternate: three minutes of silence on average; in the worst
  /// places 25 minutes, with half a minute of reception between.
  private mutating func dropOut(during stay: TrueStay, _ silent: inout [Bool]) {
    let isDeaf = stay.dropout > 0.8
    let off = isDeaf ? 1500.0 : 180
    let on = isDeaf ? 25.0 : 180 * (1 - stay.dropout) / stay.dropout
    var second = Int(stay.arrival + random.uniform(5...90))
    while second < Int(stay.departure) {
      let length = Int(random.exponential(mean: off)) + 5
      silent.silence(second, min(second + length, Int(stay.departure)))
      second += length + Int(random.exponential(mean: on)) + 5
    }
  }

  /// From midnight to 6 o'clock the phone wakes only for moments.
  private mutating func doze(from midnight: Int, _ silent: inout [Bool]) {
    var second = midnight
    while second < midnight + 6 * 3600 {
      let length = Int(random.uniform(300...2700))
      silent.silence(second, second + length)
      second += length + Int(random.uniform(20...400))
    }
  }
}

extension [Bool] {
  fileprivate mutating func silence(_ start: Int, _ end: Int) {
    guard start < end else { return }
    for second in (start..<end).clamped(to: indices) { self[second] = true }
  }
}
