import Geodesy
import Simulation

extension Story {
  /// A file as a handheld of 2004 and its program wrote it.
  static var oldGPX: Story {
    let seed: UInt64 = 117
    let start = Coordinate(latitude: 45.5230, longitude: -122.6760)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    var plan = Plan((2004, 7, 11), 16, 0, at: start)
    plan.stay(minutes: 1)
    plan.travel(.bike, through: [at(600, 0), at(1000, 800), at(2200, 900)])
    plan.stay(minutes: 4)
    plan.travel(.bike, through: [at(2300, 1700), at(3300, 1900)])
    let path = TruePath(plan)
    var receiver = Receiver.clear(every: 8, sigma: 4, seed: seed)
    receiver.altitude = 21
    receiver.statesSatellites = true
    receiver.statesAccuracy = false
    let recording = Recording(device: "ben", path: path, fixes: receiver.fixes(on: path))
    let writer = GPXText(version: .v1_0, prefix: "gpx", newline: "\r\n")
    return Story(
      name: "old-gpx", title: "GPX 1.0",
      about: """
        A bicycle ride in GPX 1.0: speed and course are elements of the point itself, every name \
        has a prefix, lines end in CR LF, and there is no accuracy, only HDOP.
        """,
      seed: seed,
      fences: [
        .circle("bridge", at(820, 440), 90, "passed"),
        .circle("cafe", at(2200, 900), 100, "a rest of four minutes"),
      ],
      recordings: [recording], track: ("track.gpx", writer.file(recording.tracks)),
      preamble: "# An old file needs nothing special.\ndevice: ben\n")
  }
}
