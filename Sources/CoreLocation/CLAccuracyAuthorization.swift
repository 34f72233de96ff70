/// How exactly a program may know places.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// Exactly.
  case fullAccuracy = 0
  /// To some kilometres; regions and conditions tell nothing.
  case reducedAccuracy = 1
}
