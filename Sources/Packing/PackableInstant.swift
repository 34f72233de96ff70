/// An instant that is whole nanoseconds: coded near the one before in few bytes.
///
/// It is separate from ``Packable``, so a public type of a library gets no members for packing only.
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
  public mutating func code<Instant: PackableInstant>(_ instant: inout Instant) {
    code(instant: &instant.nanoseconds)
  }

  /// Writes or reads an optional instant; the caller codes whether there is one.
  @inlinable @inline(__always)
  public mutating func code<Instant: PackableInstant>(
    _ instant: inout Instant?, if isThere: Bool
  ) {
    guard isThere else {
      if Self.isReading { instant = nil }
      return
    }
    var known = Self.isReading ? .blank : instant ?? .blank
    code(&known)
    if Self.isReading { instant = known }
  }

  /// Writes or reads an optional instant after a flag.
  @inlinable @inline(__always)
  public mutating func code<Instant: PackableInstant>(
    optional instant: inout Instant?
  ) {
    var isThere = instant != nil
    code(flags: &isThere)
    code(&instant, if: isThere)
  }
}
