import Geodesy
import Glibc

extension Phone {
  /// Seconds in which a receiver notices new surroundings.
  private static let lag = 20.0
  /// The white part's sigma as a share of the wandering part's.
  private static let whiteShare = 0.3

  /// The error that wanders: a first-order Gauss-Markov process an axis, and white noise on it.
  mutating func wander(_ sightings: inout [Sighting]) {
    var state = Vector(x: random.normal(), y: random.normal())
    var sigma = sightings.first.map { quality * $0.environment.usualSigma } ?? 0
    for index in sightings.indices {
      let elapsed = sightings[index].elapsed
      let kept = exp(-elapsed / tau)
      let fresh = (1 - kept * kept).squareRoot()
      state.x = kept * state.x + fresh * random.normal()
      state.y = kept * state.y + fresh * random.normal()
      let target = quality * sightings[index].environment.usualSigma
      sigma += (target - sigma) * (1 - exp(-elapsed / Self.lag))
      sightings[index].sigma = sigma
      sightings[index].statedSigma = sigma
      sightings[index].belief.x += sigma * (state.x + Self.whiteShare * random.normal())
      sightings[index].belief.y += sigma * (state.y + Self.whiteShare * random.normal())
    }
  }

  /// After a gap of a minute, and at first, a receiver is off by some 10 to 45 m, an axis, and
  /// finds its way back in 5 to 15 s; it knows.
  mutating func startCold(_ sightings: inout [Sighting]) {
    let gap = max(60, 2.5 * Double(sampling.interval))
    for start in sightings.indices where start == 0 || sightings[start].elapsed > gap {
      let size = random.uniform(10...45)
      let offset = (size * random.normal(), size * random.normal())
      let decay = random.uniform(5...15)
      for index in span(from: start, lasting: 59, in: sightings) {
        let left = exp(-sightings[index].age(since: sightings[start]) / decay)
        sightings[index].belief.x += offset.0 * left
        sightings[index].belief.y += offset.1 * left
        let stated = sightings[index].statedSigma
        sightings[index].statedSigma = (stated * stated + 900 * left * left).squareRoot()
      }
    }
  }

  /// Bursts of fixes that are wrong by 50 to 500 m; in seven of ten the phone admits it.
  mutating func throwOut(_ sightings: inout [Sighting]) {
    let isHard = noise == .hard
    for start in sightings.indices {
      let rate = sightings[start].environment.usualOutliersPerHour
      guard happens(rate, at: sightings[start]) else { continue }
      let most = random.whole(1...(isHard ? 15 : 5))
      let size = exp(random.uniform(log(50)...log(isHard ? 1500 : 500)))
      let offset = Vector(x: 0, y: 0).moved(size, towards: random.uniform(0...(2 * .pi)))
      let length = random.uniform(1...(isHard ? 150 : 40))
      let isHonest = random.happens(0.7)
      for index in span(from: start, lasting: length, in: sightings).prefix(most) {
        sightings[index].belief.x += offset.x + 5 * random.normal()
        sightings[index].belief.y += offset.y + 5 * random.normal()
        if isHonest {
          sightings[index].statedSigma = size * random.uniform(0.3...1) / 1.5
        } else {
          sightings[index].isLie = true
        }
      }
    }
  }

  /// Indoors, once in five hours, wifi puts the phone for some minutes at a wrong place.
  mutating func relocate(_ sightings: inout [Sighting]) {
    let isHard = noise == .hard
    for start in sightings.indices where sightings[start].environment.isIndoor {
      guard happens(0.2, at: sightings[start]) else { continue }
      let size = random.uniform(60...(isHard ? 700 : 250))
      let angle = random.uniform(0...(2 * .pi))
      let length = random.uniform(30...(isHard ? 1200 : 360))
      for index in span(from: start, lasting: length, in: sightings) {
        guard sightings[index].environment.isIndoor else { break }
        let wrong = sightings[index].truth.moved(size, towards: angle)
        sightings[index].belief = Vector(
          x: wrong.x + 4 * random.normal(), y: wrong.y + 4 * random.normal())
        sightings[index].statedSigma = random.uniform(15...45)
      }
    }
  }

  /// Three times in ten hours a single fix comes from a cell tower: wrong by up to 1.5 km.
  mutating func askCellTowers(_ sightings: inout [Sighting]) {
    for index in sightings.indices where happens(0.3, at: sightings[index]) {
      let size = random.uniform(200...1500)
      let angle = random.uniform(0...(2 * .pi))
      sightings[index].belief = sightings[index].truth.moved(size, towards: angle)
      sightings[index].statedSigma = size * random.uniform(0.5...1.2) / 1.5 + 100
    }
  }

  /// On entering a building, 15 times in 100, the last position outside is said again and again.
  mutating func freeze(_ sightings: inout [Sighting], on stays: [TrueStay]) {
    for stay in stays where stay.environment == .indoor || stay.environment == .deepIndoor {
      guard random.happens(0.15) else { continue }
      let length = random.uniform(30...150)
      let start = sightings.firstIndex { Double($0.second) >= stay.arrival + 3 }
      guard let start, start > 0 else { continue }
      let frozen = sightings[start - 1].belief
      for index in span(from: start, lasting: length, in: sightings) {
        guard Double(sightings[index].second) < stay.departure else { break }
        sightings[index].belief = frozen
      }
    }
  }

  // MARK: Helpers

  /// Whether something that happens so often an hour begins at a sighting.
  ///
  /// A gap counts as a minute at most: a receiver that is off errs in nothing.
  private mutating func happens(_ perHour: Double, at sighting: Sighting) -> Bool {
    random.happens(perHour * min(sighting.elapsed, 60) / 3600)
  }

  /// The sightings from `start` on that come within so many seconds.
  private func span(from start: Int, lasting seconds: Double, in all: [Sighting]) -> Range<Int> {
    var end = start
    while end < all.count, all[end].age(since: all[start]) <= seconds { end += 1 }
    return start..<max(end, start)
  }
}

extension Phone.Sighting {
  fileprivate func age(since other: Self) -> Double { Double(second - other.second) }
}
