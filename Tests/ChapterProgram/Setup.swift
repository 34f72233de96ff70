import CoreLocation
import Geocoding
import Geodesy

/// Sets the program up in code, as a program does that names places: the environment but for that.
enum Setup {
  /// The place at which the walk of the tests begins has a name.
  static func nameTheSpot() throws {
    var configuration = LocationService.Configuration.fromEnvironment()
    configuration.geocoder = StubGeocoder([
      .init(
        GeocodedPlace(coordinate: Coordinate(latitude: 52.5, longitude: 13.4), name: "Fischerinsel")
      )
    ])
    try LocationService.configure(configuration)
  }

  /// Tries to, on several threads at once, and says what came of it.
  static func compete() {
    let refused = Refusals()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do { try nameTheSpot() } catch { refused.add("\(error)") }
    }
    say("set up \(8 - refused.count) time")
    refused.first.map(say)
  }

  /// What was refused, from any thread.
  private final class Refusals: @unchecked Sendable {
    // Reached only with the lock held.
    private var texts: [String] = []
    private let lock = NSLock()

    var count: Int { lock.withLock { texts.count } }
    var first: String? { lock.withLock { texts.first } }
    func add(_ text: String) { lock.withLock { texts.append(text) } }
  }
}
