/// The fields that are read, of the messages that are (FIT Profile, "Messages").
enum FITField: Sendable {
  case time
  case latitude, longitude, altitude, enhancedAltitude, speed, enhancedSpeed, accuracy
  case event, eventType
  case fileType, manufacturer, product, productName
  case courseName

  var isText: Bool { self == .productName || self == .courseName }
}

/// The messages that are read, by their numbers.
enum FITMessage: UInt16, Sendable {
  case fileID = 0
  case session = 18
  case record = 20
  case event = 21
  case course = 31

  /// The field of a number.
  func field(_ number: UInt8) -> FITField? {
    switch (self, number) {
    case (.record, 0): .latitude
    case (.record, 1): .longitude
    case (.record, 2): .altitude
    case (.record, 6): .speed
    case (.record, 31): .accuracy
    case (.record, 73): .enhancedSpeed
    case (.record, 78): .enhancedAltitude
    case (.event, 0): .event
    case (.event, 1): .eventType
    case (.fileID, 0): .fileType
    case (.fileID, 1): .manufacturer
    case (.fileID, 2): .product
    case (.fileID, 8): .productName
    case (.course, 5): .courseName
    default: nil
    }
  }
}

/// A type of numbers, with the value that stands for none.
struct FITType: Sendable {
  let size: Int
  private let isSigned: Bool
  private let invalid: UInt64

  /// The integer type of a number in a definition; nil for texts, decimals and unknown numbers.
  ///
  /// The highest bit says only that the byte order matters.
  init?(_ number: UInt8) {
    switch number & 0x1F {
    case 0x00, 0x02, 0x0D: self.init(1, invalid: 0xFF)
    case 0x01: self.init(1, isSigned: true, invalid: 0x7F)
    case 0x03: self.init(2, isSigned: true, invalid: 0x7FFF)
    case 0x04: self.init(2, invalid: 0xFFFF)
    case 0x05: self.init(4, isSigned: true, invalid: 0x7FFF_FFFF)
    case 0x06: self.init(4, invalid: 0xFFFF_FFFF)
    case 0x0A: self.init(1, invalid: 0)
    case 0x0B: self.init(2, invalid: 0)
    case 0x0C: self.init(4, invalid: 0)
    default: return nil
    }
  }

  private init(_ size: Int, isSigned: Bool = false, invalid: UInt64) {
    (self.size, self.isSigned, self.invalid) = (size, isSigned, invalid)
  }

  /// The number at `start`; nil when it is the invalid one.
  func value(_ bytes: Span<UInt8>, at start: Int, isBigEndian: Bool) -> Int? {
    var bits: UInt64 = 0
    for place in 0..<size {
      let byte = bytes[start + (isBigEndian ? size - 1 - place : place)]
      bits |= UInt64(byte) &<< UInt64(8 &* place)
    }
    guard bits != invalid else { return nil }
    let unused = UInt64(64 - 8 * size)
    return isSigned ? Int(Int64(bitPattern: bits << unused) >> Int64(unused)) : Int(bits)
  }
}
