/// On which side of the edges of a cell's circles a place is, by the cell's map.
///
/// Units are whole numbers below 2^15, which single precision holds exactly. Where the distance
/// from an edge is beyond ``band``, the side is that of the exact geodesic; within it, and for
/// polygons, the caller tests the exact area.
struct CellSides {
  /// Of eight circles a number each, those at even places and those at odd ones apart.
  ///
  /// Two neighbours make a word of the columns, so that nothing needs to be moved about.
  struct Distances {
    var even, odd: SIMD4<Float>
  }

  /// So many circles are tested at once.
  static var width: Int { 8 }

  /// Units; for a circle whose edge is nearer the exact area decides.
  let band: Float
  private let x, y: Float

  @inline(__always)
  init(x: Double, y: Double, band: Float) {
    (self.x, self.y, self.band) = (Float(x), Float(y), band)
  }

  /// Distances of the place from the edges of eight circles, units, negative inside; those of no
  /// circle are far.
  @inline(__always)
  func distances(_ entries: CellEntries, from start: Int) -> Distances {
    let (xs, ys) = (Self.signed(entries.xs + start), Self.signed(entries.ys + start))
    let radii = Self.unsigned(entries.radii + start)
    let count = Float(entries.count - start)
    return Distances(
      even: distances(xs.even, ys.even, radii.even, SIMD4(0, 2, 4, 6), count),
      odd: distances(xs.odd, ys.odd, radii.odd, SIMD4(1, 3, 5, 7), count))
  }

  @inline(__always)
  private func distances(
    _ xs: SIMD4<Float>, _ ys: SIMD4<Float>, _ radii: SIMD4<Float>, _ numbers: SIMD4<Float>,
    _ count: Float
  ) -> SIMD4<Float> {
    let (dx, dy) = (xs - x, ys - y)
    let distances = (dx * dx + dy * dy).squareRoot() - radii
    return distances.replacing(with: 1e9, where: numbers .>= count)
  }

  /// The distance of the place from the edge of one circle.
  func distance(_ entries: CellEntries, _ index: Int) -> Float {
    let dx = Float(entries.xs[index]) - x
    let dy = Float(entries.ys[index]) - y
    return (dx * dx + dy * dy).squareRoot() - Float(entries.radii[index])
  }

  /// Eight numbers with a sign, read as four words of two.
  @inline(__always)
  private static func signed(_ start: UnsafePointer<Int16>) -> Distances {
    let words = UnsafeRawPointer(start).loadUnaligned(as: SIMD4<Int32>.self)
    return Distances(even: SIMD4((words &<< 16) &>> 16), odd: SIMD4(words &>> 16))
  }

  /// Eight numbers without a sign, read as four words of two.
  @inline(__always)
  private static func unsigned(_ start: UnsafePointer<UInt16>) -> Distances {
    let words = UnsafeRawPointer(start).loadUnaligned(as: SIMD4<UInt32>.self)
    return Distances(
      even: SIMD4(SIMD4<Int32>(truncatingIfNeeded: words & 0xFFFF)),
      odd: SIMD4(SIMD4<Int32>(truncatingIfNeeded: words &>> 16)))
  }
}

extension CellSides.Distances {
  init(repeating number: Float) {
    self.init(even: SIMD4(repeating: number), odd: SIMD4(repeating: number))
  }

  /// A bit in the byte of each number that is less than `limit`.
  @inline(__always)
  func bits(below limit: Float) -> UInt64 {
    let low = SIMD4<UInt32>().replacing(with: 1, where: even .< limit)
    let pairs = low.replacing(with: low | 1 << 16, where: odd .< limit)
    let words = unsafeBitCast(pairs, to: SIMD8<UInt16>.self)
    return unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: words), to: UInt64.self)
  }

  /// Lowers the numbers to those of others without their signs.
  @inline(__always)
  mutating func lower(toMagnitudesOf other: Self) {
    even = Self.least(even, Self.magnitudes(other.even))
    odd = Self.least(odd, Self.magnitudes(other.odd))
  }

  /// The least number.
  @inline(__always)
  var least: Float {
    let four = Self.least(even, odd)
    let two = four.z < four.x ? four.z : four.x
    let other = four.w < four.y ? four.w : four.y
    return other < two ? other : two
  }

  /// What the library has for it is no vector.
  @inline(__always)
  private static func least(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    var least = a
    for lane in 0..<4 { least[lane] = b[lane] < a[lane] ? b[lane] : a[lane] }
    return least
  }

  @inline(__always)
  private static func magnitudes(_ lanes: SIMD4<Float>) -> SIMD4<Float> {
    unsafeBitCast(unsafeBitCast(lanes, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF, to: SIMD4.self)
  }
}
