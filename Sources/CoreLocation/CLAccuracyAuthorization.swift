/// How accurate the locations for a program may be.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As accurate as they are.
  case fullAccuracy = 0
  /// To some kilometres; regions and conditions report no crossings.
  case reducedAccuracy = 1
}
