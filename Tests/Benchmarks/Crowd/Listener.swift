import CoreLocation
import Locking

/// A delegate that listens throughout.
///
/// It checks that every fix arrives, in order, and records the events of the regions.
final class Listener: NSObject, CLLocationManagerDelegate, Sendable {
  /// What it received.
  struct Tally: Sendable, Hashable {
    /// The fixes received; also the number of the next.
    var fixes = 0
    /// Locations that were not the next.
    var wrong = 0
    /// Entries and exits of the circles.
    var crossings = 0
    /// Hash of the events of the circles, their order and the fixes between which they came.
    var regionDigest: UInt64 = 0
  }

  private let meter: Meter
  private let state = Mutex(Tally())

  init(_ meter: Meter) { self.meter = meter }

  var tally: Tally { state.withLock { $0 } }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    meter.noteCall()
    let fixes = state.withLock { tally in
      for location in locations {
        if Course.number(at: location.timestamp) != tally.fixes { tally.wrong += 1 }
        tally.fixes += 1
      }
      return tally.fixes
    }
    meter.note(fixes)
    if fixes == meter.plan.fixes { meter.noteComplete() }
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    note(region, kind: state.rawValue, isCrossing: false)
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note(region, kind: 3, isCrossing: true)
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note(region, kind: 4, isCrossing: true)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { meter.noteCall() }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    meter.noteCall()
  }

  private func note(_ region: CLRegion, kind: Int, isCrossing: Bool) {
    meter.noteCall()
    guard let number = Course.number(of: region) else { return }
    state.withLock { tally in
      if isCrossing { tally.crossings += 1 }
      for part in [number, kind, tally.fixes] {
        // FNV-1a, a number at a time.
        tally.regionDigest = (tally.regionDigest ^ UInt64(part)) &* 0x100_0000_01B3
      }
    }
  }
}

/// Managers that listen throughout, of one thread.
struct Audience {
  private let members: [(manager: CLLocationManager, listener: Listener)]

  /// Creates managers here and starts them.
  init(_ listeners: ArraySlice<Listener>) {
    members = listeners.map { listener in
      let manager = CLLocationManager()
      manager.delegate = listener
      manager.distanceFilter = kCLDistanceFilterNone
      manager.startUpdatingLocation()
      return (manager, listener)
    }
  }

  /// Monitors regions, for all managers.
  func monitor(_ regions: [CLCircularRegion]) {
    for region in regions { members.first?.manager.startMonitoring(for: region) }
  }

  /// Keeps them alive until now.
  func keep() { withExtendedLifetime(members) {} }
}
