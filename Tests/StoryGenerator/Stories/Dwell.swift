import Geodesy
import Simulation

extension Story {
  /// A van that stops for 3, 8 and 20 minutes.
  static var dwell: Story {
    let seed: UInt64 = 108
    let depot = Coordinate(latitude: 45.7485, longitude: 4.8467)
    let at = { (east: Double, north: Double) in depot.offset(east: east, north: north) }
    let stops: [(place: Coordinate, minutes: Double)] = [
      (at(900, 700), 3), (at(2100, 500), 8), (at(2600, -800), 20),
    ]
    var plan = Plan((2026, 5, 6), 7, 15, at: depot)
    plan.stay(minutes: 2)
    for (place, minutes) in stops {
      plan.travel(.car.at(11), through: [place])
      plan.stay(minutes: minutes)
    }
    plan.travel(.car.at(11), through: [at(1200, -600), depot])
    plan.stay(minutes: 2)
    let path = TruePath(plan)
    let recording = Recording(
      device: "van", path: path,
      fixes: Receiver.clear(every: 4, resting: 20, seed: seed).fixes(on: path))
    let comments = ["3 min: too short", "8 min: too short", "20 min: a dwell after 10"]
    let fences = zip(["florist", "garage", "warehouse"], zip(stops, comments)).map {
      StoryFence.circle(
        $0, $1.0.place, 90, $1.1, dwell: 600, options: ["notify: [enter, exit, dwell]"])
    }
    return Story(
      name: "dwell", title: "Stops of 3, 8 and 20 minutes",
      about: """
        A delivery van makes three stops. Each fence has a dwell time of 10 minutes, so only the \
        last stop produces a dwell, 10 minutes after its enter, with no fix at that very second.
        """,
      seed: seed, fences: fences, recordings: [recording],
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: "# dwell: how long a device must stay inside; notify must name it.\ndevice: van\n")
  }
}
