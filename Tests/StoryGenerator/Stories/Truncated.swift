import Geodesy
import Simulation

extension Story {
  /// A track whose recorder lost power while it wrote.
  static var truncated: Story {
    let seed: UInt64 = 111
    let start = Coordinate(latitude: 47.2710, longitude: 11.3930)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    var plan = Plan((2026, 5, 9), 8, 0, at: start)
    plan.stay(minutes: 1)
    plan.travel(.walk.at(1.6), through: [at(300, 400), at(250, 900), at(600, 1300)])
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 5, seed: seed).fixes(on: path)
    // The end is lost in the middle of a number.
    let kept = fixes.count * 4 / 5
    let whole = Recording(device: "emil", path: path, fixes: fixes)
    let cut = Recording(device: "emil", path: path, fixes: Array(fixes.prefix(kept)))
    let point = GPXText().point(fixes[kept])
    let text = GPXText().file(whole.tracks)
    let end = text.utf8.count(before: point) + 30
    return Story(
      name: "truncated", title: "A file that ends in the middle of a point",
      about: """
        The battery of Emil's logger died while it wrote: the file stops inside a number. All \
        points before it count; the summit is reached after the cut and produces no event.
        """,
      seed: seed,
      fences: [
        .circle("station", start, 100, "left at the start"),
        .circle("chapel", at(250, 880), 80, "entered and left"),
        .circle("summit", at(600, 1300), 120, "would be entered after the cut"),
      ],
      recordings: [cut],
      track: ("track.gpx", String(decoding: text.utf8.prefix(end), as: UTF8.self)),
      preamble: "# The track is damaged; the config is not.\ndevice: emil\n")
  }
}

extension String.UTF8View {
  /// The number of bytes before the first occurrence of `text`; all, when there is none.
  fileprivate func count(before text: String) -> Int {
    let (bytes, wanted) = (Array(self), Array(text.utf8))
    let places = 0..<Swift.max(0, bytes.count - wanted.count + 1)
    return places.first { bytes[$0...].starts(with: wanted) } ?? bytes.count
  }
}
