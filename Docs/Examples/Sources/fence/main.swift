import CoreLocation

// Why it wants to know places; all else is as the environment says.
var configuration = LocationService.Configuration.fromEnvironment()
configuration.purposes = .init(whenInUse: "It tells when you come home.")
try LocationService.configure(configuration)

// Prints when the two circles are entered and left, and how sure that is.
let home = CLCircularRegion(
  center: CLLocationCoordinate2D(latitude: 47.9886, longitude: 7.8412), radius: 80,
  identifier: "home")
let bakery = CLCircularRegion(
  center: CLLocationCoordinate2D(latitude: 47.991388, longitude: 7.846827), radius: 60,
  identifier: "bakery")

let watch = Task {
  // Asks for permission, monitors the circles as long as the loop runs, and throws when refused.
  for try await crossing in Locator().crossings(of: home, bakery) {
    print(
      crossing.time.formatted(.iso8601), crossing.direction, crossing.region,
      crossing.confidence.map { String(format: "%.1f %%", 100 * $0) } ?? "")
  }
}

// A recording has an end; a receiver has none.
Task {
  await LocationService.shared.waitForEnd()
  watch.cancel()
}
do {
  try await watch.value
} catch {
  print(error)
  exit(1)
}
