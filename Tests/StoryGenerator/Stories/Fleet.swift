import Geodesy
import Simulation
import Tracking

extension Story {
  /// Three vans in one table.
  static var fleet: Story {
    let seed: UInt64 = 113
    let depot = Coordinate(latitude: -37.8080, longitude: 144.9280)
    let at = { (east: Double, north: Double) in depot.offset(east: east, north: north) }
    let (market, port) = (at(2600, -300), at(-1900, -2200))
    let rounds = [[market], [port], [market, port]]
    let recordings = rounds.enumerated().map { number, stops in
      var plan = Plan((2026, 5, 11), 20, 0, at: depot)
      plan.stay(minutes: 2 + 4 * Double(number))
      for stop in stops {
        plan.travel(.car.at(12), through: [stop])
        plan.stay(minutes: 6)
      }
      plan.travel(.car.at(12), through: [depot])
      plan.stay(minutes: 3)
      let path = TruePath(plan)
      var receiver = Receiver.clear(every: 6, resting: 30, seed: seed + UInt64(number))
      receiver.sampling.jitter = 1
      return Recording(device: "van-\(number + 1)", path: path, fixes: receiver.fixes(on: path))
    }
    return Story(
      name: "fleet", title: "Three vans in one file",
      about: """
        The export of a tracking server: one table, a column `device`, the rows of three vans by \
        time. Each van is tracked separately; `truth.csv` has a column `device`, too. The random \
        numbers of vans 2 and 3 come from seeds 114 and 115.
        """,
      seed: seed,
      fences: [
        .circle("depot", depot, 150, "all three start inside"),
        .circle("market", market, 120, "vans 1 and 3"),
        .circle("port", port, 200, "vans 2 and 3"),
      ],
      recordings: recordings, track: ("track.csv", CSVText.fixes(byTime(recordings))),
      preamble: "# No device here: the table names them.\n")
  }

  private static func byTime(_ recordings: [Recording]) -> [(device: String?, fix: Fix)] {
    let rows = recordings.flatMap { recording in
      recording.tracks.flatMap(\.segments).joined().map { (recording.device, $0) }
    }
    return rows.sorted { a, b in
      (a.1.time?.nanoseconds ?? 0, a.0) < (b.1.time?.nanoseconds ?? 0, b.0)
    }
  }
}
