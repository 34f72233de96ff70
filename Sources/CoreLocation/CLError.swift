public import Foundation
internal import Services

/// An error of Core Location.
///
/// Match it with `catch CLError.denied`. This library reports `CLError` values only, because an
/// `NSError` of this domain would not match.
public struct CLError: _BridgedStoredNSError {
  /// The error as an `NSError`.
  public let _nsError: NSError

  /// Wraps an `NSError` of this domain.
  public init(_nsError error: NSError) {
    _nsError = error
  }

  /// Whether both have the same code and the same user info.
  public static func == (a: CLError, b: CLError) -> Bool { a._nsError.isEqual(b._nsError) }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

  /// The domain as an `NSError`: ``kCLErrorDomain``.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// The domain as an `NSError`: ``kCLErrorDomain``.
  public static var errorDomain: String { kCLErrorDomain }

  /// The code; `locationUnknown` if the number of the `NSError` is not a known code.
  public var code: Code { Code(rawValue: _nsError.code) ?? .locationUnknown }

  /// A region that can be monitored better than the requested one.
  public var alternateRegion: CLRegion? {
    userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
  }
}

extension CLError {
  init(_ failure: Failure) {
    self.init(Code(failure))
  }
}

extension CLError.Code {
  init(_ failure: Failure) {
    self =
      switch failure {
      case .locationUnknown: .locationUnknown
      case .denied: .denied
      case .network: .network
      case .headingFailure: .headingFailure
      case .regionMonitoringDenied: .regionMonitoringDenied
      case .regionMonitoringFailure: .regionMonitoringFailure
      case .deferredFailed: .deferredFailed
      case .deferredNotUpdatingLocation: .deferredNotUpdatingLocation
      case .deferredAccuracyTooLow: .deferredAccuracyTooLow
      case .deferredDistanceFiltered: .deferredDistanceFiltered
      case .deferredCanceled: .deferredCanceled
      case .rangingUnavailable: .rangingUnavailable
      case .promptDeclined: .promptDeclined
      case .historicalLocation: .historicalLocationError
      }
  }
}
