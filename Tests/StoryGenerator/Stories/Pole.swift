import Geodesy
import Simulation

extension Story {
  /// A flight close by the North Pole.
  static var pole: Story {
    let seed: UInt64 = 107
    let at = { (latitude: Double, longitude: Double) in
      Coordinate(latitude: latitude, longitude: longitude)
    }
    var plan = Plan((2026, 4, 18), 9, 0, at: at(88.9, 29.2))
    plan.travel(.plane, through: [at(89.97, 70), at(89.0, -140)])
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 20, sigma: 5, seed: seed).fixes(on: path)
    let ring = stride(from: -180.0, to: 180, by: 10).map { at(89.4, $0) }
    let exact = ["decision: naive"]
    return Story(
      name: "pole", title: "Past the North Pole",
      about: """
        A small aircraft flies past the pole at 3 km. A circle is centred on the pole, where all \
        longitudes meet, and a polygon goes round it: its ring never closes in a plane of \
        longitude and latitude, and its inside contains the pole. NDJSON of `fix` events.
        """,
      seed: seed,
      fences: [
        .circle("camp", at(90, 0), 20_000, "the pole and 20 km around it", options: exact),
        .polygon("ice", ring, "a ring round the pole, about 67 km from it", options: exact),
      ],
      recordings: [Recording(device: "aircraft", path: path, fixes: fixes)],
      track: ("track.ndjson", JSONText.fixes(fixes, device: "aircraft")),
      preamble: "# Fences that contain the North Pole; `naive` shows their plain geometry.\n")
  }
}
