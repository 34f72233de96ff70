/// What this target calls tracking.
public struct Parcel {
  /// Its number.
  public let number: Int

  /// A parcel with a number.
  public init(number: Int) { self.number = number }
}
