internal import Geodesy
internal import Packing

/// Which of its last fixes a device sent, so that a batch that is sent again is known.
///
/// Senders that get no answer send again what was taken: phones, brokers, a reader of a queue. Ten such
/// fixes in a row would be taken for a clock that was set back (``Retreat``), and what happened in them
/// would be reported twice. Every eighth fix is marked by a hash of its time and place, so ten in a row
/// hold a mark, and 128 marks reach 1,024 fixes back. A fix that was never sent has the hash of one of them
/// once in 500 times: then ten others confirm the clock.
struct SeenFixes: Sendable, Hashable, Codable {
  /// Hashes; when there are ``most``, the oldest is replaced.
  private(set) var marks: [UInt16] = []

  /// One of so many fixes is marked; fewer than ``Retreat/confirming``.
  private static let step = 8
  private static let most = 128

  /// Nothing was sent.
  init() {}

  /// Marks a fix if it is its turn.
  ///
  /// - Parameter number: How many fixes were accepted so far, this one included.
  @inline(__always)
  mutating func note(_ fix: Fix, number: Int) {
    if number % Self.step == 0 { mark(fix, at: (number / Self.step - 1) % Self.most) }
  }

  private mutating func mark(_ fix: Fix, at place: Int) {
    guard let hash = Self.hash(fix) else { return }
    if place < marks.count { marks[place] = hash } else { marks.append(hash) }
  }

  /// Whether a fix of this time and place was marked.
  ///
  /// - Complexity: O(marks).
  func holds(_ fix: Fix) -> Bool { Self.hash(fix).map(marks.contains) ?? false }

  /// Sixteen bits of the time and the place; nil without a time.
  ///
  /// Each is multiplied by an odd number with bits all over (the fractions of √2, √3 and √5), and the
  /// highest bits depend on all of them.
  private static func hash(_ fix: Fix) -> UInt16? {
    guard let time = fix.time else { return nil }
    var mixed = UInt64(bitPattern: time.nanoseconds) &* 0x6A09_E667_F3BC_C909
    mixed = (mixed ^ mixed >> 32 ^ fix.coordinate.latitude.bitPattern) &* 0xBB67_AE85_84CA_A73B
    mixed = (mixed ^ mixed >> 32 ^ fix.coordinate.longitude.bitPattern) &* 0x3C6E_F372_FE94_F82B
    return UInt16(truncatingIfNeeded: mixed >> 48)
  }

  /// Whether this is a state that fixes can leave; one that was read may be none.
  var isValid: Bool { marks.count <= Self.most }
}

extension SeenFixes: Packable {
  static var blank: SeenFixes { SeenFixes() }

  /// Writes or reads the marks.
  static func code<Coder: StateCoder>(
    _ value: inout SeenFixes, _ coder: inout Coder
  ) {
    var length = value.marks.count
    coder.code(length: &length)
    coder.require(length <= most)
    guard coder.isValid else { return }
    if Coder.isReading { value.marks.removeAll(keepingCapacity: true) }
    for place in 0..<length {
      var mark = Coder.isReading ? 0 : value.marks[place]
      coder.code(bits: &mark)
      if Coder.isReading { value.marks.append(mark) }
    }
  }
}

extension KeyedDecodingContainer {
  /// Reads the marks of a checkpoint; those of 0.2.0 have none.
  ///
  /// The decoder of ``Gate``, which the compiler writes, calls this form for a field of this type.
  func decode(_ type: SeenFixes.Type, forKey key: Key) throws -> SeenFixes {
    try decodeIfPresent(type, forKey: key) ?? SeenFixes()
  }
}
