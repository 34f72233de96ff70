internal import Geodesy

/// Where a fence is, as it lies in memory.
///
/// 24 bytes: three numbers of double precision.
struct PlaceRecord {
  /// Of a circle: its centre, degrees; of polygons the first holds the number of the shape.
  let latitude, longitude: Double
  /// Metres; negative for polygons.
  let radius: Double

  init(_ circle: Circle) {
    latitude = circle.center.latitude
    longitude = circle.center.longitude
    radius = circle.radius
  }

  init(shape: Int) {
    latitude = Double(bitPattern: UInt64(shape))
    (longitude, radius) = (0, -1)
  }

  /// The number of the shape; nil for a circle.
  var shape: Int? { radius < 0 ? Int(truncatingIfNeeded: latitude.bitPattern) : nil }
  var center: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// The settings of a fence, as they lie in memory; most fences of a set share them.
package struct FenceSettings: Hashable {
  private static var none: Int64 { .min }

  /// Nanoseconds.
  private let dwellTime: Int64
  /// Bytes, from the lowest: the notifications, and the places of the others in their lists.
  private let codes: UInt64

  init(_ fence: Fence) {
    dwellTime = fence.dwell ?? Self.none
    let initial = Fence.Initial.allCases.firstIndex(of: fence.initial) ?? 0
    let decision = Decision.allCases.firstIndex(of: fence.decision) ?? 0
    codes = UInt64(fence.notifications.rawValue) | UInt64(initial) << 8 | UInt64(decision) << 16
  }

  /// The default settings.
  static var usual: FenceSettings { FenceSettings(Fence(id: "", area: .polygons([]))) }

  package var dwell: Int64? { dwellTime == Self.none ? nil : dwellTime }

  package var notifications: Fence.Notifications {
    Fence.Notifications(rawValue: UInt8(truncatingIfNeeded: codes))
  }

  var initial: Fence.Initial {
    switch UInt8(truncatingIfNeeded: codes >> 8) {
    case 0: .none
    case 1: .state
    default: .enter
    }
  }

  var decision: Decision {
    switch UInt8(truncatingIfNeeded: codes >> 16) {
    case 0: .eager
    case 1: .balanced
    case 2: .strict
    case 3: .apple
    default: .naive
    }
  }
}

/// A cell that some fence meets, as it lies in memory.
struct CellRecord {
  /// See ``CellGrid/key(_:row:column:)``; 0 for a free slot.
  let key: UInt64
  /// Where its entries begin, in words of 4 bytes.
  let start: UInt32
  /// How many there are; the highest bit is set when some are not circles on the cell's map.
  private let countAndFlag: UInt32

  init(key: UInt64, start: Int, count: Int, isMixed: Bool) {
    self.key = key
    self.start = UInt32(truncatingIfNeeded: start)
    countAndFlag = UInt32(truncatingIfNeeded: count) | (isMixed ? 1 << 31 : 0)
  }

  /// How many entries the cell has.
  var count: Int { Int(countAndFlag & ~(1 << 31)) }
  /// Whether some of them need the exact area.
  var isMixed: Bool { countAndFlag >> 31 != 0 }
}

/// The entries of a cell: the numbers of the fences that meet it, ascending, and of each a circle on
/// the cell's map.
///
/// Columns of numbers, of x, of y and of radii, one after the other: ten bytes for each entry.
/// Eight entries are read at a time, so the last read of a cell may go beyond its end by
/// ``spareWords``.
struct CellEntries {
  /// In place of a radius: the exact area decides.
  static var asks: UInt16 { .max }

  let count: Int
  let fences: UnsafePointer<UInt32>
  let xs, ys: UnsafePointer<Int16>
  /// In whole units, to the nearest.
  let radii: UnsafePointer<UInt16>

  @inline(__always)
  init(_ start: UnsafeRawPointer, count: Int) {
    self.count = count
    fences = start.assumingMemoryBound(to: UInt32.self)
    xs = (start + 4 * count).assumingMemoryBound(to: Int16.self)
    ys = xs + count
    radii = UnsafeRawPointer(ys + count).assumingMemoryBound(to: UInt16.self)
  }

  /// Writes a circle: only while a table is made.
  @inline(__always)
  func write(_ circle: CellCircle, at place: Int) {
    UnsafeMutablePointer(mutating: xs)[place] = circle.x
    UnsafeMutablePointer(mutating: ys)[place] = circle.y
    UnsafeMutablePointer(mutating: radii)[place] = circle.radius
  }

  /// Words that are read, but not used, behind the entries of a cell when they are read by eights.
  static var spareWords: Int { 8 }

  /// Words of 4 bytes that so many entries take.
  static func words(_ count: Int) -> Int { (10 * count + 3) / 4 }
}
