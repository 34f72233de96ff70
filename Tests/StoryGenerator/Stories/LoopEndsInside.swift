import Geodesy
import Simulation

extension Story {
  /// A walk with a dog that ends where it began.
  static var loopEndsInside: Story {
    let seed: UInt64 = 103
    let home = Coordinate(latitude: 52.0841, longitude: 5.1462)
    let loop = [(120.0, 60.0), (380, 240), (610, 130), (520, -210), (170, -260), (0, 0)]
    var plan = Plan((2026, 5, 3), 18, 5, at: home)
    plan.stay(minutes: 1)
    plan.travel(.walk, through: loop.map { home.offset(east: $0.0, north: $0.1) })
    plan.stay(minutes: 2)
    let path = TruePath(plan)
    var receiver = Receiver.clear(every: 4, seed: seed)
    receiver.statesMotion = false
    let fixes = receiver.fixes(on: path)
    return Story(
      name: "loop-ends-inside", title: "A loop that ends inside",
      about: """
        Pim walks the dog round the block. The track begins and ends inside the fence: one exit, \
        one enter, and no exit at the end of the file. `initial: enter` makes the first fix an \
        enter, which `truth.csv` does not list, because nobody entered. Comma-separated values.
        """,
      seed: seed,
      fences: [
        .circle("home", home, 75, "where the walk begins and ends", options: ["initial: enter"])
      ],
      recordings: [Recording(device: "pim", path: path, fixes: fixes)],
      track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble:
        "# A device that is inside at its first fix counts as entering.\ndevice: pim\n"
    )
  }
}
