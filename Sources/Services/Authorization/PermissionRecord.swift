/// What a user has decided about a program for good, as it is kept between launches.
///
/// What holds only for now ("once", temporary full accuracy) is no part of it.
package struct PermissionRecord: Sendable, Hashable {
  package var status: Grant.Status
  package var accuracy: Grant.Accuracy
  /// Whether "always" was asked for; from "while in use" that is done once only.
  package var wasAskedForAlways: Bool
  /// Whether the program has "always" and the user has not been asked about that yet.
  package var isProvisional: Bool

  /// Makes a record; only an "always" can be provisional.
  package init(
    _ status: Grant.Status = .notDetermined, _ accuracy: Grant.Accuracy = .full,
    wasAskedForAlways: Bool = false, isProvisional: Bool = false
  ) {
    self.status = status
    self.accuracy = accuracy
    self.wasAskedForAlways = wasAskedForAlways
    self.isProvisional = isProvisional && status == .always
  }
}
