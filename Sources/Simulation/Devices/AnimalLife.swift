import Geodesy

/// An animal's days: it lies and grazes in a few patches of its range, and walks from one to the next.
struct AnimalLife: Sendable {
  private(set) var journey: Journey
  private let patches: [Vector]

  init(days: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed, purpose: Purpose.animal)
    var patches = [Vector(x: 0, y: 0)]
    for _ in 0..<random.whole(4...7) {
      let spot = Vector(x: 0, y: 0).moved(
        random.uniform(600...5_000), towards: random.uniform(0...(2 * .pi)))
      patches.append(spot)
    }
    self.patches = patches
    journey = Journey(from: patches[0], random)
    while journey.elapsed < Double(days) * 86_400 + 1 {
      stay()
      walk()
    }
  }

  /// Lies and grazes in the patch, 2 to 20 hours.
  private mutating func stay() {
    let (arrival, middle) = (journey.elapsed, journey.position)
    let end = arrival + journey.random.uniform(2...20) * 3_600
    var (sum, seconds) = (Vector(x: 0, y: 0), 0.0)
    func note(_ position: Vector, _ time: Double) {
      sum.x += position.x * time
      sum.y += position.y * time
      seconds += time
    }
    while journey.elapsed < end {
      if journey.random.happens(0.3) {
        let rest = journey.random.uniform(0.5...4) * 3_600
        note(journey.position, rest)
        journey.move(to: journey.position, in: rest)
      } else {
        let next = middle.wandered(20, &journey.random)
        let time = journey.position.distance(to: next) / journey.random.uniform(0.05...0.3) + 30
        note(journey.position.between(next, 0.5), time)
        journey.move(to: next, in: time)
      }
    }
    let centre = Vector(x: sum.x / max(seconds, 1), y: sum.y / max(seconds, 1))
    journey.endStay(since: arrival, .patch, around: seconds > 0 ? centre : middle)
  }

  /// Walks to another patch.
  private mutating func walk() {
    let here = journey.position
    let others = patches.filter { $0.distance(to: here) > 300 }
    let patch = journey.random.choice(of: others, otherwise: patches[0])
    journey.travel(
      to: patch.wandered(40, &journey.random), at: journey.random.uniform(0.3...1))
  }
}
