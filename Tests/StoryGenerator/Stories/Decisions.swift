import Geodesy
import Simulation

extension Story {
  /// One noisy walk under every detection policy.
  static var decisions: Story {
    let seed: UInt64 = 124
    let square = Coordinate(latitude: 45.4642, longitude: 9.1900)
    let at = { (east: Double, north: Double) in square.offset(east: east, north: north) }
    var plan = Plan((2026, 5, 21), 8, 0, at: at(-500, 20))
    plan.stay(minutes: 2, .canyon)
    plan.travel(.walk, through: [at(-108, 20)], .canyon)
    plan.stay(minutes: 12, .canyon)
    plan.travel(.walk, through: [at(0, 20)], .canyon)
    plan.stay(minutes: 10, .canyon)
    plan.travel(.walk, through: [at(0, 160)], .canyon)
    plan.stay(minutes: 8, .canyon)
    plan.travel(.walk, through: [at(0, 500)], .canyon)
    plan.stay(minutes: 2, .canyon)
    let path = TruePath(plan)
    var receiver = Receiver(sampling: .init(every: 5), seed: seed)
    var noise = PositionNoise()
    noise.tau = 60
    noise.whiteShare = 0.3
    receiver.noise = noise
    let fixes = receiver.fixes(on: path)
    let rules = [
      ("eager", "soon"), ("balanced", "the default"), ("strict", "when it is certain"),
      ("apple", "as an iPhone would"), ("naive", "whatever the last fix says"),
    ]
    return Story(
      name: "decisions", title: "One walk under every detection policy",
      about: """
        Bruno stands for 12 minutes a few metres inside the edge of a square, where the receiver \
        is off by 12 m per axis, walks to its middle, and stands for 8 minutes 40 m outside. The \
        same circle is watched by five fences, one for each decision. In truth he enters once and \
        leaves once.
        """,
      seed: seed,
      fences: rules.map { rule, comment in
        .circle(rule, square, 120, comment, options: ["decision: \(rule)"])
      },
      recordings: [Recording(device: "bruno", path: path, fixes: fixes)],
      agreement: .none, track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble: """
        # One fence for each decision, to compare them.
        device: bruno
        visits: false
        significant-changes: false

        """)
  }
}
