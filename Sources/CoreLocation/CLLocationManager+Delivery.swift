internal import Foundation
internal import Services
internal import Tracking

extension CLLocationManager {
  /// Does what came through the inbox; called where the manager was made.
  func handle(_ delivery: Delivery) {
    switch delivery {
    case .call(let body): body(self)
    case .locations(let locations, _):
      delegate?.locationManager(self, didUpdateLocations: locations)
    case .notice(let notice): if let delegate { tell(delegate, notice) }
    }
  }

  private func tell(_ delegate: any CLLocationManagerDelegate, _ notice: Notice) {
    switch notice {
    case .authorization: delegate.locationManagerDidChangeAuthorization(self)
    case .failed(let failure): delegate.locationManager(self, didFailWithError: CLError(failure))
    case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
    case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
    case .deferralEnded(let failure):
      delegate.locationManager(
        self, didFinishDeferredUpdatesWithError: failure.map { CLError($0) })
    case .monitoringStarted(let region):
      delegate.locationManager(self, didStartMonitoringFor: CLCircularRegion(region))
    case .monitoringFailed(let region, let failure):
      delegate.locationManager(
        self, monitoringDidFailFor: CLCircularRegion(region), withError: CLError(failure))
    case .state(let state, let region):
      delegate.locationManager(
        self, didDetermineState: CLRegionState(state), for: CLCircularRegion(region))
    case .entered(let region):
      delegate.locationManager(self, didEnterRegion: CLCircularRegion(region))
    case .exited(let region):
      delegate.locationManager(self, didExitRegion: CLCircularRegion(region))
    case .visit(let stay): delegate.locationManager(self, didVisit: CLVisit(stay))
    // Locations come as such; streams, monitors and observers are told the others.
    case .locations, .update, .condition, .event: break
    }
  }

  /// Has the delegate told of something that no core knows of, later and where the manager was made.
  func tellLater(
    _ body: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
  ) {
    inbox.put(
      .call { manager in
        if let delegate = manager.delegate { body(manager, delegate) }
      })
  }
}

extension CLRegionState {
  init(_ state: Containment) {
    self =
      switch state {
      case .unknown: .unknown
      case .inside: .inside
      case .outside: .outside
      }
  }
}
