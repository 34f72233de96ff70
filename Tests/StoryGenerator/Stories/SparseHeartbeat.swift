import Geodesy
import Simulation

extension Story {
  /// A barge that sends a fix every quarter of an hour.
  static var sparseHeartbeat: Story {
    let seed: UInt64 = 116
    let start = Coordinate(latitude: 54.6000, longitude: 14.2000)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    var plan = Plan((2026, 5, 12), 0, 0, at: start)
    plan.travel(.boat.at(4), through: [at(90_000, 30_000), at(180_000, 20_000)])
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 900, sigma: 5, seed: seed).fixes(on: path)
    let exact = ["decision: naive"]
    return Story(
      name: "sparse-heartbeat", title: "A fix every 15 minutes",
      about: """
        A freighter in the Baltic sends a heartbeat every quarter of an hour, 3.6 km apart. Its \
        speed is steady, so the crossings between two heartbeats can be interpolated to seconds. \
        The smallest fence contains a single heartbeat, which is sent 24 s before the exit. NDJSON \
        of `fix` events.
        """,
      seed: seed,
      fences: [
        .circle("bank", at(45_000, 15_000), 5000, "about three heartbeats inside", options: exact),
        .circle("buoy", at(70_650, 23_550), 1200, "one heartbeat inside", options: exact),
        .circle("roadstead", at(150_000, 23_333), 9000, "on the second leg", options: exact),
      ],
      recordings: [Recording(device: "freighter", path: path, fixes: fixes)],
      agreement: .within(seconds: 20),
      track: ("track.ndjson", JSONText.fixes(fixes, device: "freighter")),
      preamble: "# Few fixes, large fences. `naive` assumes constant motion between fixes.\n")
  }
}
