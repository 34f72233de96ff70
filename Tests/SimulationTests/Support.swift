import Geodesy
import Glibc
import Simulation
import Tracking

/// 2026-05-01 in UTC.
let noon = Timestamp(nanoseconds: 1_777_636_800_000_000_000)
let berlin = Coordinate(latitude: 52.5, longitude: 13.4)

/// A path that rests for so many minutes at one position.
func rest(minutes: Double, _ environment: Environment = .open) -> TruePath {
  var plan = Plan(start: noon, at: berlin)
  plan.stay(minutes: minutes, environment)
  return TruePath(plan)
}

/// Fixes as text, because a fix with an unknown number is not equal to itself.
func texts(_ fixes: [Fix]) -> [String] {
  fixes.map { String(describing: $0) }
}

/// The error of a fix east and north of a position, metres.
func error(of fix: Fix, from place: Coordinate) -> (east: Double, north: Double) {
  let distance = place.distance(to: fix.coordinate)
  let bearing = place.bearing(to: fix.coordinate) * .pi / 180
  return (distance * sin(bearing), distance * cos(bearing))
}
