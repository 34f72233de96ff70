/// What a user has decided about a program for good, as it is saved between launches.
///
/// Temporary decisions ("once", temporary full accuracy) are not part of it.
package struct PermissionRecord: Sendable, Hashable {
  package var status: Authorization.Status
  package var accuracy: Authorization.Accuracy
  /// Whether "always" was requested; from "while in use" there is one prompt for it only.
  package var wasAskedForAlways: Bool
  /// Whether the program has "always" and the user has not confirmed it yet.
  package var isProvisional: Bool

  /// Makes a record; only an "always" can be provisional.
  package init(
    _ status: Authorization.Status = .notDetermined, _ accuracy: Authorization.Accuracy = .full,
    wasAskedForAlways: Bool = false, isProvisional: Bool = false
  ) {
    self.status = status
    self.accuracy = accuracy
    self.wasAskedForAlways = wasAskedForAlways
    self.isProvisional = isProvisional && status == .always
  }
}
