import Geodesy
import Simulation
import Tracking

extension Story {
  /// A ferry over midnight, as its receiver writes NMEA 0183.
  static var ferryNMEA: Story {
    ferry(
      name: "ferry-nmea", seed: 123, title: "A ferry over midnight, in NMEA 0183",
      about: """
        A ferry leaves its harbour at a quarter to midnight, lies at an island and comes back. The \
        receiver writes RMC, GGA and GST for each fix; only RMC contains the date. Two sentences \
        are damaged and reported as such, and one epoch has only the remaining sentences.
        """
    ) { fixes in
      let lines = NMEAText.log(fixes).split(separator: "\r\n").map(String.init)
      let damaged = lines.enumerated().map { index, line in
        index == 100 || index == 400 ? line.replacing(",N,", with: ",S,") : line
      }
      return ("track.nmea", "# Made up.\r\n" + damaged.joined(separator: "\r\n") + "\r\n")
    }
  }

  /// The same ferry, as gpsd reports it.
  static var ferryGPSD: Story {
    ferry(
      name: "ferry-gpsd", seed: 124, title: "A ferry over midnight, as gpsd reports it",
      about: """
        A ferry leaves its harbour at a quarter to midnight, lies at an island and comes back, in \
        the output of `gpspipe -w`. Some instants come in two reports, and again without a \
        position; half way gpsd restarts.
        """
    ) { fixes in
      let half = fixes.count / 2
      let text =
        GPSDText.greeting + GPSDText.log(Array(fixes[..<half]))
        + GPSDText.greeting + GPSDText.log(Array(fixes[half...]))
      return ("track.jsonl", text)
    }
  }

  private static func ferry(
    name: String, seed: UInt64, title: String, about: String,
    track: ([Fix]) -> (name: String, text: String)
  ) -> Story {
    let harbour = Coordinate(latitude: 54.5071, longitude: 8.0133)
    let at = { (east: Double, north: Double) in harbour.offset(east: east, north: north) }
    let island = at(3_400, 2_100)
    var plan = Plan((2026, 6, 30), 23, 40, at: harbour)
    plan.stay(minutes: 5)
    plan.travel(.car.at(6), through: [at(900, 1_100), island])
    plan.stay(minutes: 6)
    plan.travel(.car.at(6), through: [at(1_200, 500), harbour])
    plan.stay(minutes: 5)
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 5, seed: seed).fixes(on: path)
    return Story(
      name: name, title: title, about: about, seed: seed,
      fences: [
        .circle("harbour", harbour, 250, "the harbour"),
        .circle("island", island, 300, "the landing stage of the island"),
      ],
      recordings: [Recording(device: "ferry", path: path, fixes: fixes)],
      track: track(fixes),
      preamble: "# The output of a receiver or of gpsd names no device.\ndevice: ferry\n")
  }
}
