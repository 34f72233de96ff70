public import Foundation

/// An error of location pushes; here it is always `unsupportedPlatform`.
public struct CLLocationPushServiceError: _BridgedStoredNSError {
  /// The error as an `NSError`.
  public let _nsError: NSError

  /// Wraps an `NSError` of this domain.
  public init(_nsError error: NSError) {
    _nsError = error
  }

  /// Whether both have the same code and the same user info.
  public static func == (a: CLLocationPushServiceError, b: CLLocationPushServiceError) -> Bool {
    a._nsError.isEqual(b._nsError)
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

  /// The domain as an `NSError`: ``CLLocationPushServiceErrorDomain``.
  public static var _nsErrorDomain: String { CLLocationPushServiceErrorDomain }

  /// The domain as an `NSError`: ``CLLocationPushServiceErrorDomain``.
  public static var errorDomain: String { CLLocationPushServiceErrorDomain }

  /// The code; `unknown` if the number of the `NSError` is not a known code.
  public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }

  /// What went wrong.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error that carries such a code.
    public typealias _ErrorType = CLLocationPushServiceError

    /// Something else.
    case unknown = 0
    /// The program has no push extension.
    case missingPushExtension = 1
    /// There is no push server.
    case missingPushServerEnvironment = 2
    /// The program has no entitlement.
    case missingEntitlement = 3
    /// There is no such service on this platform.
    case unsupportedPlatform = 4
  }
}

// The names without `Code`, as in `catch CLLocationPushServiceError.missingPushExtension`.
extension CLLocationPushServiceError {
  /// Something else.
  public static var unknown: Code { .unknown }
  /// The program has no push extension.
  public static var missingPushExtension: Code { .missingPushExtension }
  /// There is no push server.
  public static var missingPushServerEnvironment: Code { .missingPushServerEnvironment }
  /// The program has no entitlement.
  public static var missingEntitlement: Code { .missingEntitlement }
  /// There is no such service on this platform.
  public static var unsupportedPlatform: Code { .unsupportedPlatform }
}
