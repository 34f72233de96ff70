/// Why a sentence of NMEA 0183 cannot be read.
struct NMEAFault: Error, Sendable, Hashable {
  /// Where, in bytes from the beginning of the sentence.
  var offset: Int
  /// What was found and what was expected: one sentence, no full stop.
  var message: String
  /// Whether the sentence only ends too early.
  var isCutShort = false
}

/// One sentence of NMEA 0183 taken apart; its storage is used again and again.
struct NMEASentence: Sendable {
  /// The sentences that are read, whoever the talker is (IEC 61162-1).
  enum Kind: Sendable {
    case rmc, gga, gns, gll, zda, gsa, gst, vtg

    /// Its three letters.
    var name: String { "\(self)".uppercased() }

    /// How many fields it has at least, its address not counted.
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
      }
    }
  }

  /// What it is; nil for a sentence that is not read, proprietary ones among them.
  private(set) var kind: Kind?
  /// Whether it ends with a checksum.
  private(set) var hasChecksum = false
  /// Whether any sentence before it did.
  private var hadChecksums = false
  /// Where its fields stand; the first is the address, such as `GPRMC`.
  private var fields: [Range<Int>] = []

  /// Takes the sentence apart, which begins with `$` or `!` and ends with the last of `bytes`.
  ///
  /// A checksum need not be there, but must be right. At the end of a trace that has checksums, a
  /// sentence without one is cut short, and what its last field says is not to be believed.
  mutating func read(_ bytes: Span<UInt8>, isCut: Bool) throws(NMEAFault) {
    fields.removeAll(keepingCapacity: true)
    kind = nil
    var (at, start) = (1, 1)
    var sum: UInt8 = 0
    while at < bytes.count, bytes[at] != UInt8(ascii: "*") {
      sum ^= bytes[at]
      if bytes[at] == UInt8(ascii: ",") {
        fields.append(start..<at)
        start = at + 1
      }
      at += 1
    }
    fields.append(start..<at)
    hasChecksum = at < bytes.count
    if hasChecksum {
      try check(sum, bytes, at)
      hadChecksums = true
    } else if isCut, hadChecksums {
      throw NMEAFault(
        offset: at, message: "the trace ends inside a sentence; it is left out", isCutShort: true)
    }
    kind = Self.kind(bytes.extracting(fields[0]))
    try checkCount(bytes)
  }

  private func check(_ sum: UInt8, _ bytes: Span<UInt8>, _ star: Int) throws(NMEAFault) {
    let found = bytes.trimmed(star + 1..<bytes.count)
    if found.count == 2, let high = bytes[found.lowerBound].hexDigit,
      let low = bytes[found.lowerBound + 1].hexDigit
    {
      if high << 4 | low == sum { return }
      throw NMEAFault(
        offset: found.lowerBound,
        message:
          "found the checksum \(bytes.quoted(found)), expected \"\(Self.hex(sum))\" for what "
          + "the sentence says; it is left out")
    }
    throw NMEAFault(
      offset: star,
      message:
        "found \(bytes.quoted(star..<bytes.count)), expected the checksum \"*\(Self.hex(sum))\""
        + " and the end of the sentence; it is left out",
      isCutShort: found.count < 2)
  }

  private func checkCount(_ bytes: Span<UInt8>) throws(NMEAFault) {
    guard let kind, fields.count <= kind.fieldCount else { return }
    throw NMEAFault(
      offset: bytes.count,
      message: "the sentence ends after \(fields.count - 1) fields, expected at least "
        + "\(kind.fieldCount) in \(kind.name); it is left out",
      isCutShort: !hasChecksum)
  }

  private static func kind(_ address: Span<UInt8>) -> Kind? {
    // P is no talker: what follows it is a maker's own, as Garmin's PGRMC, which is no RMC.
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
    default: return nil
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  /// Where field `number` stands, from 1; nil when it is not there or empty.
  func range(_ number: Int) -> Range<Int>? {
    guard number < fields.count, !fields[number].isEmpty else { return nil }
    return fields[number]
  }

  /// The fault of a field that is not what it should be.
  func fault(_ number: Int, _ expectation: String, _ bytes: Span<UInt8>) -> NMEAFault {
    let field = number < fields.count ? fields[number] : bytes.count..<bytes.count
    let name = kind.map { "\($0.name) " } ?? ""
    return NMEAFault(
      offset: field.lowerBound,
      message: "\(name)field \(number) is \(bytes.quoted(field)), expected \(expectation); the "
        + "sentence is left out")
  }
}
