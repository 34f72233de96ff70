import CoreLocation

// Why the program needs locations; the environment sets all else.
var configuration = LocationService.Configuration.fromEnvironment()
configuration.purposes = .init(whenInUse: "It tells when you come home.")
try LocationService.configure(configuration)

// Prints each enter and exit of the two circles, with its confidence.
let home = CLCircularRegion(
  center: CLLocationCoordinate2D(latitude: 47.9886, longitude: 7.8412), radius: 80,
  identifier: "home")
let bakery = CLCircularRegion(
  center: CLLocationCoordinate2D(latitude: 47.991388, longitude: 7.846827), radius: 60,
  identifier: "bakery")

let watch = Task {
  // Requests permission, monitors the circles while the loop runs, and throws when denied.
  for try await crossing in Locator().crossings(of: home, bakery) {
    print(
      crossing.time.formatted(.iso8601), crossing.direction, crossing.region,
      crossing.confidence.map { String(format: "%.1f %%", 100 * $0) } ?? "")
  }
}

// A recording ends; a receiver does not.
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
