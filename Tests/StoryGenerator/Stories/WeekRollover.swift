import Geodesy
import Simulation

extension Story {
  /// A receiver that starts with a date of twenty years ago.
  static var weekRollover: Story {
    let seed: UInt64 = 120
    let home = Coordinate(latitude: 60.3920, longitude: 5.3240)
    let at = { (east: Double, north: Double) in home.offset(east: east, north: north) }
    let quay = at(900, 700)
    var plan = Plan((2026, 5, 15), 9, 0, at: home)
    plan.stay(minutes: 1.5)
    plan.travel(.bike, through: [at(200, 650), quay])
    plan.stay(minutes: 2)
    let path = TruePath(plan)
    let weeks = -1024 * 7 * 86_400.0
    let fixes = Receiver.clear(every: 5, seed: seed).fixes(on: path).enumerated()
      .map { index, fix in index < 6 ? fix.shifted(seconds: weeks) : fix }
    let recording = Recording(device: "liv", path: path, fixes: fixes)
    return Story(
      name: "week-rollover", title: "A clock that is 1024 weeks behind at first",
      about: """
        GPS counts weeks up to 1024. Liv's receiver starts with a count of the wrong era: its \
        first six fixes are dated 2006. Then it corrects itself, and the next fix is of 2026. One \
        such fix could be an error; the second agrees with it, and both are accepted.
        """,
      seed: seed,
      fences: [
        .circle("home", home, 120, "left after the clock is right"),
        .circle("quay", quay, 100, "entered"),
      ],
      recordings: [recording], track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: "# No settings needed: a clock jump is accepted when the next fix agrees.\n"
        + "device: liv\n")
  }
}
