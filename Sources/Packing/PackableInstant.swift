/// An instant that is whole nanoseconds: coded near the one before in few bytes.
///
/// It is no ``Packable``, so that a public type of a library gets no members that only packing needs.
public protocol PackableInstant {
  /// Nanoseconds since a fixed instant.
  var nanoseconds: Int64 { get set }
  /// Makes an instant.
  init(nanoseconds: Int64)
}

extension PackableInstant {
  /// A value that reading replaces.
  @inlinable public static var blank: Self { Self(nanoseconds: 0) }
}

extension StateCoder {
  /// Writes or reads an instant.
  @inlinable @inline(__always)
  public mutating func code<Instant: PackableInstant>(_ instant: inout Instant) throws(Failure) {
    try code(instant: &instant.nanoseconds)
  }

  /// An optional instant, of which a flag tells whether it is there.
  @inlinable @inline(__always)
  public mutating func code<Instant: PackableInstant>(
    _ instant: inout Instant?, if isThere: Bool
  ) throws(Failure) {
    guard isThere else {
      if Self.isReading { instant = nil }
      return
    }
    var known = Self.isReading ? .blank : instant ?? .blank
    try code(&known)
    if Self.isReading { instant = known }
  }

  /// An optional instant behind a flag of its own.
  @inlinable @inline(__always)
  public mutating func code<Instant: PackableInstant>(
    optional instant: inout Instant?
  ) throws(Failure) {
    var isThere = instant != nil
    try code(flags: &isThere)
    try code(&instant, if: isThere)
  }
}
