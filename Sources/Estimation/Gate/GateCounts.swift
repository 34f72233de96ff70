internal import Packing

/// Why a fix was dropped.
public enum Defect: String, Sendable, Hashable, Codable, CaseIterable {
  /// It has no time.
  case timeless
  /// The receiver itself reported that it had no position, or reported 0, 0, far from where the
  /// device was.
  case withoutPosition
  /// A coordinate is not a number or not on Earth.
  case invalid
  /// The same time and place as the fix before.
  case duplicate
  /// The same time as the fix before but another place: only the first fix of an instant is used.
  case sameTime
  /// Earlier than a fix that was already used.
  case outOfOrder
  /// Too far away to have been reached, and the next fix did not confirm it.
  case teleport
  /// A clock jump that the next fix did not confirm.
  case clockJump
  /// It claims to be far less accurate than the fixes shortly before it: a position of the mobile
  /// network between those of satellites or wifi.
  case coarse
}

/// How many fixes of one device were accepted, held or dropped, by reason.
///
/// Every fix is counted in `received` and in exactly one of `accepted`, `dropped` and `waiting`.
public struct GateCounts: Sendable, Hashable, Codable {
  /// All fixes given.
  public var received = 0
  /// Fixes that the engine used.
  public var accepted = 0
  /// A suspect fix that still waits for the next one (0 or 1 a device); lost if none comes.
  public var waiting = 0
  /// Accepted though late, and inserted in order among the last ones.
  public var reordered = 0
  /// Accepted with a break in the track: a position jump that the next fix confirmed.
  public var believedTeleports = 0
  /// Accepted with a break in the track: a clock jump that the next fix confirmed.
  public var believedClockJumps = 0
  /// Accepted without a field (speed, accuracy, course…) that could not be true.
  public var cleaned = 0
  private var defects = [Int](repeating: 0, count: Defect.allCases.count)

  /// Nothing counted.
  public init() {}

  /// How many fixes were dropped for this reason.
  public internal(set) subscript(defect: Defect) -> Int {
    get { defects[defect.position] }
    set { defects[defect.position] = newValue }
  }

  /// All dropped fixes.
  public var dropped: Int { defects.reduce(0, +) }

  /// Whether it has a number for every defect; counts that were read may not.
  package var isWhole: Bool { defects.count == Defect.allCases.count }

  /// Whether all counts are in the valid range; counts that were read may not be.
  package var isPossible: Bool { numbers.allSatisfy(Self.possible.contains) }

  /// The range of valid counts.
  package static var possible: Range<Int> { Unpacker.possibleCounts }

  /// Every number.
  @inline(__always)
  mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&received)
    body(&accepted)
    body(&waiting)
    body(&reordered)
    body(&believedTeleports)
    body(&believedClockJumps)
    body(&cleaned)
    for position in defects.indices { body(&defects[position]) }
  }

  private var numbers: [Int] {
    var (counts, numbers) = (self, [Int]())
    counts.forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Adds the counts of another device.
  public static func += (sum: inout GateCounts, other: GateCounts) {
    var others = other.numbers[...]
    sum.forEachNumber { $0 += others.removeFirst() }
  }

  /// The difference to `earlier` counts; `waiting` is the number that wait now.
  package func since(_ earlier: GateCounts) -> GateCounts {
    var (counts, others) = (self, earlier.numbers[...])
    counts.forEachNumber { $0 -= others.removeFirst() }
    counts.waiting = waiting
    return counts
  }
}

extension Defect {
  var position: Int {
    switch self {
    case .timeless: 0
    case .withoutPosition: 1
    case .invalid: 2
    case .duplicate: 3
    case .sameTime: 4
    case .outOfOrder: 5
    case .teleport: 6
    case .clockJump: 7
    case .coarse: 8
    }
  }
}
