internal import Text

/// Why a sentence of NMEA 0183 is invalid.
struct NMEAError: Error, Sendable, Hashable {
  /// The offset in bytes from the beginning of the sentence.
  var offset: Int
  /// What was found and what was expected: one sentence, no full stop.
  var message: String
  /// Whether the sentence is only incomplete.
  var isCutShort = false
  /// What is wrong, for programs.
  var code = IssueCode.unknownRecord
}

/// One sentence of NMEA 0183 split into fields; its storage is reused.
struct NMEASentence: Sendable {
  /// The supported sentences, of any talker (IEC 61162-1).
  enum Kind: Sendable {
    case rmc, gga, gns, gll, zda, gsa, gst, vtg, wpl, hdg, hdm, hdt, ths, dtm
    /// Of u-blox: a position, and a time with its date.
    case pubx00, pubx04

    /// The three letters of the name; of u-blox's sentences their number as well.
    var name: String {
      switch self {
      case .pubx00: "PUBX,00"
      case .pubx04: "PUBX,04"
      default: "\(self)".uppercased()
      }
    }

    /// The least number of fields, without the address.
    var fieldCount: Int {
      switch self {
      case .rmc: 9
      case .gga: 11
      case .gns: 10
      case .gll: 4
      case .zda: 4
      case .gsa: 17
      case .gst: 8
      case .vtg: 4
      case .wpl: 4
      case .hdg: 1
      case .hdm: 1
      case .hdt: 1
      case .ths: 2
      case .dtm: 0
      case .pubx00: 12
      case .pubx04: 3
      }
    }
  }

  /// The kind; nil for an unsupported sentence, including proprietary ones.
  private(set) var kind: Kind?
  /// Whether it ends with a checksum.
  private(set) var hasChecksum = false
  /// Whether any earlier sentence had a checksum.
  private var hadChecksums = false
  /// The number of fields; the first is the address, such as `GPRMC`.
  private var fieldCount = 0
  /// The offsets of the first ``placeLimit`` fields, and after each the byte that ends it.
  private var places = [Int32](repeating: 1, count: placeLimit + 1)
  /// More fields than any supported sentence has.
  private static let placeLimit = 32

  /// Splits the sentence, which begins with `$` or `!` and ends with the last of `bytes`.
  ///
  /// A checksum may be missing, but must be correct. At the end of a trace that has checksums, a
  /// sentence without one is incomplete, and its last field is not reliable.
  mutating func read(_ bytes: Span<UInt8>, isCut: Bool) throws(NMEAError) {
    kind = nil
    let (at, sum) = split(bytes)
    hasChecksum = at < bytes.count
    if hasChecksum {
      try check(sum, bytes, at)
      hadChecksums = true
    } else if isCut, hadChecksums {
      throw NMEAError(
        offset: at, message: "the trace ends inside a sentence; it is left out", isCutShort: true)
    }
    kind = Self.kind(bytes.extracting(fieldRange(0))) ?? proprietaryKind(bytes)
    try checkCount(bytes)
  }

  /// Finds the fields; returns where they end and the sum of their bytes.
  private mutating func split(_ bytes: Span<UInt8>) -> (end: Int, sum: UInt8) {
    fieldCount = 0
    places[0] = 1
    var at = 1
    var sums: UInt64 = 0
    while at &+ 8 <= bytes.count {
      let word = Bytes.word(bytes, at)
      guard Bytes.equal(word, Bytes.ones &* 0x2A) == 0 else { break }
      sums ^= word
      var commas = Bytes.allEqual(word, Bytes.ones &* 0x2C)
      while commas != 0 {
        endField(at &+ commas.trailingZeroBitCount >> 3)
        commas &= commas &- 1
      }
      at &+= 8
    }
    // Combines eight sums.
    sums ^= sums >> 32
    sums ^= sums >> 16
    var sum = UInt8(truncatingIfNeeded: sums ^ sums >> 8)
    while at < bytes.count, bytes[at] != UInt8(ascii: "*") {
      sum ^= bytes[at]
      if bytes[at] == UInt8(ascii: ",") { endField(at) }
      at &+= 1
    }
    endField(at)
    return (at, sum)
  }

  @inline(__always)
  private mutating func endField(_ end: Int) {
    fieldCount &+= 1
    if fieldCount <= Self.placeLimit { places[fieldCount] = Int32(truncatingIfNeeded: end) &+ 1 }
  }

  /// The range of an existing field.
  private func fieldRange(_ number: Int) -> Range<Int> {
    Int(places[number])..<Int(places[number &+ 1]) &- 1
  }

  private func check(_ sum: UInt8, _ bytes: Span<UInt8>, _ star: Int) throws(NMEAError) {
    let found = bytes.trimmed(star + 1..<bytes.count)
    if found.count == 2, let high = bytes[found.lowerBound].hexDigit,
      let low = bytes[found.lowerBound + 1].hexDigit
    {
      if high << 4 | low == sum { return }
      throw NMEAError(
        offset: found.lowerBound,
        message:
          "found the checksum \(bytes.quoted(found)), expected \"\(Self.hex(sum))\" for what "
          + "the sentence says; it is left out", code: .damaged)
    }
    throw NMEAError(
      offset: star,
      message:
        "found \(bytes.quoted(star..<bytes.count)), expected the checksum \"*\(Self.hex(sum))\""
        + " and the end of the sentence; it is left out",
      isCutShort: found.count < 2)
  }

  private func checkCount(_ bytes: Span<UInt8>) throws(NMEAError) {
    guard let kind, fieldCount <= kind.fieldCount else { return }
    throw NMEAError(
      offset: bytes.count,
      message: "the sentence ends after \(fieldCount - 1) fields, expected at least "
        + "\(kind.fieldCount) in \(kind.name); it is left out",
      isCutShort: !hasChecksum)
  }

  private static func kind(_ address: Span<UInt8>) -> Kind? {
    // `P` marks a proprietary sentence, such as Garmin's PGRMC, which is not an RMC.
    guard address.count == 5, address[0] != UInt8(ascii: "P") else { return nil }
    let name = UInt32(address[2]) << 16 | UInt32(address[3]) << 8 | UInt32(address[4])
    switch name {
    case 0x52_4D_43: return .rmc
    case 0x47_47_41: return .gga
    case 0x47_4E_53: return .gns
    case 0x47_4C_4C: return .gll
    case 0x5A_44_41: return .zda
    case 0x47_53_41: return .gsa
    case 0x47_53_54: return .gst
    case 0x56_54_47: return .vtg
    case 0x57_50_4C: return .wpl
    case 0x48_44_47: return .hdg
    case 0x48_44_4D: return .hdm
    case 0x48_44_54: return .hdt
    case 0x54_48_53: return .ths
    case 0x44_54_4D: return .dtm
    default: return nil
    }
  }

  /// The kind of a sentence of u-blox, whose number is its first field.
  private func proprietaryKind(_ bytes: Span<UInt8>) -> Kind? {
    guard bytes.extracting(fieldRange(0)).equals("PUBX"), let range = range(1) else { return nil }
    let number = bytes.extracting(range)
    return number.equals("00") ? .pubx00 : number.equals("04") ? .pubx04 : nil
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  /// The range of field `number`, from 1; nil when it is missing or empty.
  func range(_ number: Int) -> Range<Int>? {
    guard number < min(fieldCount, Self.placeLimit) else { return nil }
    let range = fieldRange(number)
    return range.isEmpty ? nil : range
  }

  /// The error of an invalid field.
  func invalidField(_ number: Int, _ expectation: String, _ bytes: Span<UInt8>) -> NMEAError {
    let field =
      number < min(fieldCount, Self.placeLimit)
      ? fieldRange(number) : bytes.count..<bytes.count
    let name = kind.map { "\($0.name) " } ?? ""
    return NMEAError(
      offset: field.lowerBound,
      message: "\(name)field \(number) is \(bytes.quoted(field)), expected \(expectation); the "
        + "sentence is left out", code: .wrongValue)
  }
}
