internal import Foundation
internal import Services
internal import Tracking

extension CLLocationManager {
  /// Handles an entry of the manager's queue; called where the manager was made.
  func handle(_ delivery: Delivery) {
    switch delivery {
    case .call(let body): body(self)
    case .locations(let locations, _):
      delegate?.locationManager(self, didUpdateLocations: locations)
    case .notice(let notice): if let delegate { report(notice, to: delegate) }
    }
  }

  private func report(_ notice: Notice, to delegate: any CLLocationManagerDelegate) {
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
    case .heading(let heading):
      delegate.locationManager(self, didUpdateHeading: CLHeading(heading))
    case .visit(let stay): delegate.locationManager(self, didVisit: CLVisit(stay))
    // Locations have a delivery of their own; the others go to streams, monitors and observers.
    case .locations, .update, .condition, .event: break
    }
  }

  /// Calls the delegate later, where the manager was made, for requests that the core does not handle.
  func callDelegateLater(
    _ body: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void
  ) {
    queue.put(
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
