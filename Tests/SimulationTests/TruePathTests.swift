import Geodesy
import Simulation
import Testing
import Tracking

@Suite struct TruePathTests {
  @Test("a trip begins and ends at rest, and cruises at the mode's speed")
  func trapezoid() throws {
    var plan = Plan(start: noon, at: berlin)
    let end = berlin.destination(bearing: 90, distance: 1000)
    plan.travel(TravelMode(cruise: 10, acceleration: 2), through: [end])
    let path = TruePath(plan)
    // 5 s and 25 m for each ramp, 950 m at 10 m/s.
    #expect(abs(path.duration - 105) < 1e-6)
    let table: [(second: Double, metres: Double, speed: Double)] = [
      (0, 0, 0), (2.5, 6.25, 5), (5, 25, 10), (55, 525, 10), (102.5, 993.75, 5), (105, 1000, 0),
    ]
    for row in table {
      let state = try #require(path.state(at: row.second))
      #expect(abs(berlin.distance(to: state.coordinate) - row.metres) < 1e-5, "at \(row.second) s")
      #expect(abs(state.speed - row.speed) < 1e-6, "at \(row.second) s")
    }
    let middle = try #require(path.state(at: 55)).course ?? 0
    #expect(abs(middle - 90) < 0.01)
  }

  @Test("a trip too short for the cruise speed has one peak")
  func triangle() throws {
    var plan = Plan(start: noon, at: berlin)
    plan.travel(
      TravelMode(cruise: 10, acceleration: 2),
      through: [berlin.destination(bearing: 0, distance: 8)])
    let path = TruePath(plan)
    #expect(abs(path.duration - 4) < 1e-6)
    let peak = try #require(path.state(at: 2))
    #expect(abs(peak.speed - 4) < 1e-6)
  }

  @Test("a light on the way costs its halt and both ramps")
  func halts() throws {
    let light = berlin.destination(bearing: 0, distance: 500)
    let end = berlin.destination(bearing: 0, distance: 1000)
    var plan = Plan(start: noon, at: berlin)
    plan.travel(
      TravelMode(cruise: 10, acceleration: 2),
      through: [Waypoint(light, halt: 30), Waypoint(end, .canyon)])
    let path = TruePath(plan)
    #expect(abs(path.duration - (55 + 30 + 55)) < 1e-6)
    let waiting = try #require(path.state(at: 70))
    #expect(waiting.speed == 0 && waiting.course == nil && waiting.environment == .open)
    #expect(waiting.coordinate.distance(to: light) < 1e-5)
    #expect(path.state(at: 100)?.environment == .canyon)
  }

  @Test("a long trip follows the geodesic, over the antimeridian too")
  func geodesic() throws {
    let fiji = Coordinate(latitude: -17, longitude: 179)
    let end = Coordinate(latitude: -16, longitude: -179)
    var plan = Plan(start: noon, at: fiji)
    plan.travel(.plane, through: [end])
    let path = TruePath(plan)
    let middle = try #require(path.state(at: path.duration / 2)).coordinate
    let (there, onward) = (fiji.distance(to: middle), middle.distance(to: end))
    #expect(abs(there - onward) < 1e-3)
    #expect(abs(there + onward - fiji.distance(to: end)) < 1e-3)
    #expect(abs(abs(middle.longitude) - 180) < 0.01)
  }

  @Test("equal waypoints produce no motion and no error")
  func degenerate() {
    var plan = Plan(start: noon, at: berlin)
    plan.travel(.walk, through: [])
    plan.travel(.walk, through: [berlin, berlin])
    #expect(TruePath(plan).duration == 0)
    #expect(TruePath(plan).state(at: 3) == nil)
    plan.stay(minutes: 1)
    #expect(TruePath(plan).state(at: 999)?.coordinate == berlin)
  }

  @Test("joined fixes are passed at their times at constant speed")
  func joined() throws {
    let end = berlin.destination(bearing: 45, distance: 600)
    let places = [
      (noon, berlin), (noon, end), (noon.advanced(bySeconds: 60), end),
      (noon.advanced(bySeconds: 90), end),
    ]
    let path = try #require(TruePath(joining: places.map { (time: $0.0, coordinate: $0.1) }))
    let state = try #require(path.state(at: noon.advanced(bySeconds: 30)))
    #expect(state.speed == 0 && state.coordinate == end)
    #expect(abs(path.duration - 90) < 1e-9)
    #expect(TruePath(joining: []) == nil)
  }
}
