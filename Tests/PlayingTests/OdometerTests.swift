import Geodesy
import TestSupport
import Testing

@testable import Playing

@Suite("The odometer")
struct OdometerTests {
  @Test(
    "a step is the geodesic to a tenth of a millimetre",
    arguments: [0.0, 52, -79.9, 84, 89.99], [1e-6, 1e-4, 1e-2, 1])
  func steps(latitude: Double, size: Double) {
    let seed: UInt64 = 1
    var random = SeededGenerator(seed: seed)
    var here = Coordinate(latitude: latitude, longitude: 179.999)
    var odometer = Odometer(at: here)
    for step in 0..<500 {
      var next = here
      next.latitude += Double.random(in: -size...size, using: &random)
      if abs(next.latitude) > 90 { next.latitude = here.latitude }
      next.longitude += Double.random(in: -size...size, using: &random)
      if next.longitude > 180 { next.longitude -= 360 }
      let error = abs(odometer.move(to: next) - here.distance(to: next))
      #expect(error < 1e-4, "seed \(seed), step \(step)")
      here = next
    }
  }
}
