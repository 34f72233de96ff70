/// A displacement on a flat map, in metres.
public struct Vector: Sendable, Hashable, Codable, BitwiseCopyable {
  /// Metres to the east.
  public var x: Double
  /// Metres to the north.
  public var y: Double

  /// Makes a vector from metres.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Length in metres.
  @inlinable
  public var length: Double { squaredLength.squareRoot() }

  /// Length times length, square metres.
  @inlinable
  public var squaredLength: Double { x * x + y * y }
}
