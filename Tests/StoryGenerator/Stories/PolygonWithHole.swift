import Geodesy
import Simulation

extension Story {
  /// A walk through a park, over its lake by boat, and out again.
  static var polygonWithHole: Story {
    let seed: UInt64 = 105
    let middle = Coordinate(latitude: 48.1520, longitude: 11.5920)
    let at = { (east: Double, north: Double) in middle.offset(east: east, north: north) }
    let lake = [(-180, -120), (60, -170), (190, -20), (110, 150), (-90, 130)]
      .map { at(Double($0.0), Double($0.1)) }
    let edge = [(-450, -380), (420, -400), (500, 60), (380, 420), (-60, 450), (-480, 300)]
      .map { at(Double($0.0), Double($0.1)) }
    var plan = Plan((2026, 5, 9), 12, 30, at: at(-640, 20))
    plan.stay(minutes: 1)
    plan.travel(.walk, through: [at(-320, 20)])
    plan.stay(minutes: 2)
    plan.travel(.boat.at(2), through: [at(0, 0)])
    plan.stay(minutes: 5)
    plan.travel(.boat.at(2), through: [at(300, 80)])
    plan.stay(minutes: 3)
    plan.travel(.walk, through: [at(680, 140)])
    plan.stay(minutes: 1)
    let path = TruePath(plan)
    let recording = Recording(
      device: "lena", path: path, fixes: Receiver.clear(every: 4, seed: seed).fixes(on: path))
    let park = StoryFence(
      id: "park", comment: "", area: .polygons([.init(outer: edge, holes: [lake])]))
    let water = StoryFence.polygon("lake", lake, "the hole of the park is a fence of its own")
    return Story(
      name: "polygon-with-hole", title: "A park with a lake",
      about: """
        Lena walks into a park, rows over its lake and walks out on the other side. The park \
        (`fences.geojson`) has the lake as a hole, so on the water she is not in the park: enter, \
        exit, enter, exit. The lake is a second fence, written in the config itself.
        """,
      seed: seed, fences: [park, water], recordings: [recording],
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble:
        "# A polygon with a hole comes from GeoJSON; one without holes can be written here.\n"
        + "device: lena\n",
      entries: "  - include: fences.geojson\n" + (water.entry ?? ""),
      extras: [("fences.geojson", JSONText.features([park]))])
  }
}
