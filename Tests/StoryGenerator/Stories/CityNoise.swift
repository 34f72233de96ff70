import Geodesy
import Simulation

extension Story {
  /// A walk along the edge of a fence between tall houses.
  static var cityNoise: Story {
    let seed: UInt64 = 119
    let shop = Coordinate(latitude: 40.7549, longitude: -73.9840)
    let at = { (east: Double, north: Double) in shop.offset(east: east, north: north) }
    var plan = Plan((2026, 5, 14), 16, 0, at: at(-420, 82))
    plan.stay(minutes: 1, .canyon)
    plan.travel(.walk, through: [at(-48, 82)], .canyon)
    plan.stay(minutes: 9, .canyon)
    plan.travel(.walk, through: [at(48, 82)], .canyon)
    plan.stay(minutes: 6, .canyon)
    plan.travel(.walk, through: [at(420, 82)], .canyon)
    plan.stay(minutes: 1, .canyon)
    let path = TruePath(plan)
    var receiver = Receiver(sampling: .init(every: 4), seed: seed)
    var noise = PositionNoise()
    noise.tau = 60
    noise.whiteShare = 0.3
    receiver.noise = noise
    var outliers = OutlierModel()
    outliers.perHour = { _ in 12 }
    receiver.outliers = outliers
    let recording = Recording(device: "ada", path: path, fixes: receiver.fixes(on: path))
    return Story(
      name: "city-noise", title: "Along the edge of a fence between tall houses",
      about: """
        Ada waits at two corners just inside a fence while the receiver is off by 12 m per axis \
        and now and then by hundreds. In truth she enters once and leaves once; a rule that tests \
        each fix alone reports twenty of each. The default decision weighs the evidence of all \
        fixes and reports the two that happened.
        """,
      seed: seed, fences: [.circle("shop", shop, 100, "its edge is 5 m from where she waits")],
      recordings: [recording], agreement: .none,
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: "# One small fence in a hard place, with the default decision.\ndevice: ada\n")
  }
}
