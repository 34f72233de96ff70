import Geodesy
import Simulation
import Tracking

extension Story {
  /// A bicycle ride as a bad uploader reports it.
  static var disordered: Story {
    let seed: UInt64 = 110
    let home = Coordinate(latitude: 47.3700, longitude: 8.5100)
    let at = { (east: Double, north: Double) in home.offset(east: east, north: north) }
    let pool = at(2300, 700)
    var plan = Plan((2026, 5, 8), 15, 0, at: home)
    plan.stay(minutes: 3)
    plan.travel(.bike, through: [at(0, 700), pool])
    plan.stay(minutes: 8)
    plan.travel(.bike, through: [at(2300, 0), home])
    plan.stay(minutes: 3)
    let path = TruePath(plan)
    var receiver = Receiver.clear(every: 5, seed: seed)
    receiver.delivery.duplicateShare = 0.05
    receiver.delivery.lateShare = 0.05
    let good = receiver.fixes(on: path)
    let recording = Recording(device: "noor", path: path, fixes: damaged(good))
    return Story(
      name: "disordered", title: "Everything that goes wrong with fixes",
      about: """
        A bicycle ride to a pool and home, with every error that uploaders are known for: \
        duplicate fixes, late fixes, two fixes at one time, fixes without a time, latitudes above \
        90, single jumps of hundreds of kilometres, and single clock jumps by days both ways. Only \
        the four true crossings are reported.
        """,
      seed: seed,
      fences: [
        .circle("home", home, 120, "left once, entered once"),
        .circle("pool", pool, 150, "entered once, left once"),
      ],
      recordings: [recording], agreement: .within(seconds: 8),
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble:
        "# No settings needed: late fixes are put in order, bad ones dropped.\ndevice: noor\n")
  }

  /// Adds one error of each kind at regular intervals.
  private static func damaged(_ fixes: [Fix]) -> [Fix] {
    var out: [Fix] = []
    for (index, fix) in fixes.enumerated() {
      out.append(fix)
      switch index % 29 {
      case 3: out.append(fix.moved(east: 25, north: -15))  // another position at the same time
      case 8: out.append(fix.shifted(seconds: 1).timeless)
      case 13: out.append(fix.shifted(seconds: 1).at(latitude: 95.2))
      case 18: out.append(fix.shifted(seconds: 1).moved(east: 0, north: 300_000))
      case 22: out.append(fix.shifted(seconds: 3 * 86_400))
      case 26: out.append(fix.shifted(seconds: -2 * 86_400))
      default: break
      }
    }
    return out
  }
}
