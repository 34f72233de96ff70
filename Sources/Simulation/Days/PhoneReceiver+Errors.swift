import Geodesy
import Glibc

extension PhoneReceiver {
  /// Seconds that a receiver takes to adapt to a new environment.
  private static let lag = 20.0
  /// Sigma of the white noise as a share of that of the correlated noise.
  private static let whiteShare = 0.3

  /// Adds correlated noise, a first-order Gauss-Markov process per axis, and white noise.
  mutating func addCorrelatedError(_ measurements: inout [Measurement]) {
    var state = Vector(x: random.normal(), y: random.normal())
    var sigma = measurements.first.map { quality * $0.environment.usualSigma } ?? 0
    for index in measurements.indices {
      let elapsed = measurements[index].elapsed
      let kept = exp(-elapsed / tau)
      let fresh = (1 - kept * kept).squareRoot()
      state.x = kept * state.x + fresh * random.normal()
      state.y = kept * state.y + fresh * random.normal()
      let target = quality * measurements[index].environment.usualSigma
      sigma += (target - sigma) * (1 - exp(-elapsed / Self.lag))
      measurements[index].sigma = sigma
      measurements[index].statedSigma = sigma
      measurements[index].measured.x += sigma * (state.x + Self.whiteShare * random.normal())
      measurements[index].measured.y += sigma * (state.y + Self.whiteShare * random.normal())
    }
  }

  /// Adds a cold start: initially and after a gap of a minute a receiver is off by some 10 to 45 m
  /// per axis, and converges in 5 to 15 s.
  ///
  /// Its stated accuracy shows it.
  mutating func addColdStarts(_ measurements: inout [Measurement]) {
    let gap = max(60, 2.5 * Double(sampling.interval))
    for start in measurements.indices where start == 0 || measurements[start].elapsed > gap {
      let size = random.uniform(10...45)
      let offset = (size * random.normal(), size * random.normal())
      let decay = random.uniform(5...15)
      for index in span(from: start, lasting: 59, in: measurements) {
        let left = exp(-measurements[index].age(since: measurements[start]) / decay)
        measurements[index].measured.x += offset.0 * left
        measurements[index].measured.y += offset.1 * left
        let stated = measurements[index].statedSigma
        measurements[index].statedSigma = (stated * stated + 900 * left * left).squareRoot()
      }
    }
  }

  /// Adds outliers: bursts of fixes that are wrong by 50 to 500 m.
  ///
  /// In seven of ten the stated accuracy shows it.
  mutating func addOutliers(_ measurements: inout [Measurement]) {
    let isHard = noise == .hard
    for start in measurements.indices {
      let rate = measurements[start].environment.usualOutliersPerHour
      guard happens(rate, at: measurements[start]) else { continue }
      let most = random.whole(1...(isHard ? 15 : 5))
      let size = exp(random.uniform(log(50)...log(isHard ? 1500 : 500)))
      let offset = Vector(x: 0, y: 0).moved(size, towards: random.uniform(0...(2 * .pi)))
      let length = random.uniform(1...(isHard ? 150 : 40))
      let isHonest = random.happens(0.7)
      for index in span(from: start, lasting: length, in: measurements).prefix(most) {
        measurements[index].measured.x += offset.x + 5 * random.normal()
        measurements[index].measured.y += offset.y + 5 * random.normal()
        if isHonest {
          measurements[index].statedSigma = size * random.uniform(0.3...1) / 1.5
        } else {
          measurements[index].isUnflaggedOutlier = true
        }
      }
    }
  }

  /// Relocates the phone by Wi-Fi: indoors, once in five hours, it is at a wrong place for some
  /// minutes.
  mutating func relocateByWiFi(_ measurements: inout [Measurement]) {
    let isHard = noise == .hard
    for start in measurements.indices where measurements[start].environment.isIndoor {
      guard happens(0.2, at: measurements[start]) else { continue }
      let size = random.uniform(60...(isHard ? 700 : 250))
      let angle = random.uniform(0...(2 * .pi))
      let length = random.uniform(30...(isHard ? 1200 : 360))
      for index in span(from: start, lasting: length, in: measurements) {
        guard measurements[index].environment.isIndoor else { break }
        let wrong = measurements[index].truth.moved(size, towards: angle)
        measurements[index].measured = Vector(
          x: wrong.x + 4 * random.normal(), y: wrong.y + 4 * random.normal())
        measurements[index].statedSigma = random.uniform(15...45)
      }
    }
  }

  /// Replaces three fixes in ten hours by cell tower positions, wrong by up to 1.5 km.
  mutating func useCellTowers(_ measurements: inout [Measurement]) {
    for index in measurements.indices where happens(0.3, at: measurements[index]) {
      let size = random.uniform(200...1500)
      let angle = random.uniform(0...(2 * .pi))
      measurements[index].measured = measurements[index].truth.moved(size, towards: angle)
      measurements[index].statedSigma = size * random.uniform(0.5...1.2) / 1.5 + 100
    }
  }

  /// Freezes the position: on entering a building, 15 times in 100, the last position outside is
  /// repeated.
  mutating func repeatLastOutdoorPosition(_ measurements: inout [Measurement], on stays: [TrueStay])
  {
    for stay in stays where stay.environment == .indoor || stay.environment == .deepIndoor {
      guard random.happens(0.15) else { continue }
      let length = random.uniform(30...150)
      let start = measurements.firstIndex { Double($0.second) >= stay.arrival + 3 }
      guard let start, start > 0 else { continue }
      let frozen = measurements[start - 1].measured
      for index in span(from: start, lasting: length, in: measurements) {
        guard Double(measurements[index].second) < stay.departure else { break }
        measurements[index].measured = frozen
      }
    }
  }

  // MARK: Helpers

  /// Whether an event of this rate per hour begins at a measurement.
  ///
  /// A gap counts as a minute at most: a receiver that is off makes no errors.
  private mutating func happens(_ perHour: Double, at measurement: Measurement) -> Bool {
    random.happens(perHour * min(measurement.elapsed, 60) / 3600)
  }

  /// The measurements from `start` on, within so many seconds.
  private func span(from start: Int, lasting seconds: Double, in all: [Measurement]) -> Range<Int> {
    var end = start
    while end < all.count, all[end].age(since: all[start]) <= seconds { end += 1 }
    return start..<max(end, start)
  }
}

extension PhoneReceiver.Measurement {
  fileprivate func age(since other: Self) -> Double { Double(second - other.second) }
}
