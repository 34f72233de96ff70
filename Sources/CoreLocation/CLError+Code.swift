public import Foundation

extension CLError {
  /// What went wrong.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error that carries such a code.
    public typealias _ErrorType = CLError

    /// There is no location now; the service keeps trying.
    case locationUnknown = 0
    /// The user denied permission; stop the service.
    case denied = 1
    /// The network failed, or too many geocoding requests were made.
    case network = 2
    /// No heading is available.
    case headingFailure = 3
    /// The user denied permission to monitor regions.
    case regionMonitoringDenied = 4
    /// The region cannot be monitored: it is over the limit, too large, or not a circle.
    case regionMonitoringFailure = 5
    /// The region is not being monitored yet.
    case regionMonitoringSetupDelayed = 6
    /// Events of the region come late.
    case regionMonitoringResponseDelayed = 7
    /// The geocoder found nothing.
    case geocodeFoundNoResult = 8
    /// The geocoder found only a part of the address.
    case geocodeFoundPartialResult = 9
    /// The request was cancelled.
    case geocodeCanceled = 10
    /// Updates cannot be deferred.
    case deferredFailed = 11
    /// Updates that are off or paused cannot be deferred.
    case deferredNotUpdatingLocation = 12
    /// Only updates of the best accuracy can be deferred.
    case deferredAccuracyTooLow = 13
    /// Updates with a distance filter cannot be deferred.
    case deferredDistanceFiltered = 14
    /// The deferral was cancelled or replaced.
    case deferredCanceled = 15
    /// Ranging of beacons is not available.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The user could not be asked.
    case promptDeclined = 18
    /// The request for past locations is invalid.
    case historicalLocationError = 19
  }
}

// The names without `Code`, as in `catch CLError.denied`.
extension CLError {
  /// There is no location now; the service keeps trying.
  public static var locationUnknown: Code { .locationUnknown }
  /// The user denied permission; stop the service.
  public static var denied: Code { .denied }
  /// The network failed, or too many geocoding requests were made.
  public static var network: Code { .network }
  /// No heading is available.
  public static var headingFailure: Code { .headingFailure }
  /// The user denied permission to monitor regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// The region cannot be monitored: it is over the limit, too large, or not a circle.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// The region is not being monitored yet.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// Events of the region come late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// The geocoder found nothing.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// The geocoder found only a part of the address.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The request was cancelled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Updates cannot be deferred.
  public static var deferredFailed: Code { .deferredFailed }
  /// Updates that are off or paused cannot be deferred.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Only updates of the best accuracy can be deferred.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Updates with a distance filter cannot be deferred.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// The deferral was cancelled or replaced.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// Ranging of beacons is not available.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The user could not be asked.
  public static var promptDeclined: Code { .promptDeclined }
  /// The request for past locations is invalid.
  public static var historicalLocationError: Code { .historicalLocationError }
}
