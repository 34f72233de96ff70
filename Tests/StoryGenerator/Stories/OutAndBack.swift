import Geodesy
import Simulation

extension Story {
  /// A walk to a bakery and home.
  static var outAndBack: Story {
    let seed: UInt64 = 101
    let home = Coordinate(latitude: 47.9886, longitude: 7.8412)
    let bakery = home.offset(east: 420, north: 310)
    let corners = [home.offset(east: 0, north: 160), home.offset(east: 420, north: 160)]
    var plan = Plan((2026, 5, 2), 6, 31, at: home)
    plan.stay(minutes: 12)
    plan.travel(.walk, through: corners + [bakery])
    plan.stay(minutes: 6)
    plan.travel(.walk, through: corners.reversed() + [home])
    plan.stay(minutes: 4)
    let path = TruePath(plan)
    var receiver = Receiver.clear(every: 5, resting: 15, seed: seed)
    receiver.altitude = 278
    receiver.statesSatellites = true
    let recording = Recording(device: "mara", path: path, fixes: receiver.fixes(on: path))
    return Story(
      name: "out-and-back", title: "A walk to the bakery and home",
      about: """
        The simplest story: Mara starts at home, walks to a bakery and comes back. An exit, an \
        enter, an exit, an enter.
        """,
      seed: seed,
      fences: [
        .circle("home", home, 80, "she starts inside, which is not an enter"),
        .circle("bakery", bakery, 60, "entered and left again"),
      ],
      recordings: [recording], track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: "# The smallest config: a name and two circles.\ndevice: mara\n")
  }
}
