internal import Text

/// The layout of the data messages of one local type.
struct FITDefinition: Sendable {
  /// A field that is read.
  private struct Place: Sendable {
    let field: FITField
    let start: Int
    let size: Int
    /// Nil for a text.
    let type: FITType?
  }

  /// Nil for a message that is not read.
  let message: FITMessage?
  /// The size of a data message without its header, in bytes.
  private(set) var size = 0
  /// What is wrong with fields that are left out.
  private(set) var problems: [String] = []
  private let isBigEndian: Bool
  private var places: [Place] = []

  /// The bytes of a definition from its header on; nil when more bytes are needed.
  ///
  /// Reserved, byte order, number of the message, fields, each with its number, size and type, and
  /// developer fields when the header says so, each with its number, size and developer.
  static func length(_ bytes: Span<UInt8>, at start: Int) -> Int? {
    guard start + 6 <= bytes.count else { return nil }
    var length = 6 + 3 * Int(bytes[start + 5])
    guard bytes[start] & 0x20 != 0 else { return length }
    guard start + length < bytes.count else { return nil }
    length += 1 + 3 * Int(bytes[start + length])
    return length
  }

  /// Reads a definition whose bytes are all there; nil when the byte order is neither.
  init?(_ bytes: Span<UInt8>, at start: Int) {
    guard bytes[start + 2] < 2 else { return nil }
    isBigEndian = bytes[start + 2] == 1
    let (first, second) = (UInt16(bytes[start + 3]), UInt16(bytes[start + 4]))
    let number = isBigEndian ? first << 8 | second : second << 8 | first
    message = FITMessage(rawValue: number)
    let count = Int(bytes[start + 5])
    var (at, size) = (start + 6, 1)
    for _ in 0..<count {
      let (field, fieldSize) = (bytes[at], Int(bytes[at + 1]))
      let found = field == 253 ? .time : message?.field(field)
      if let found { add(found, start: size, size: fieldSize, type: bytes[at + 2]) }
      size += fieldSize
      at += 3
    }
    if bytes[start] & 0x20 != 0 {
      let end = at + 1 + 3 * Int(bytes[at])
      for place in stride(from: at + 1, to: end, by: 3) { size += Int(bytes[place + 1]) }
    }
    self.size = size - 1
  }

  private mutating func add(_ field: FITField, start: Int, size: Int, type number: UInt8) {
    if field.isText {
      places.append(Place(field: field, start: start, size: size, type: nil))
    } else if let type = FITType(number), type.size == size {
      places.append(Place(field: field, start: start, size: size, type: type))
    } else {
      problems.append(
        "the field \(field) has \(size) bytes of type \(number), expected an integer; it is left out"
      )
    }
  }

  /// The value of a field in a data message; nil when it has none.
  func value(_ field: FITField, _ bytes: Span<UInt8>, at start: Int) -> Int? {
    for place in places where place.field == field {
      return place.type?.value(bytes, at: start + place.start, isBigEndian: isBigEndian)
    }
    return nil
  }

  /// The text of a field, up to its first zero; nil when it is empty.
  func text(_ field: FITField, _ bytes: Span<UInt8>, at start: Int) -> String? {
    for place in places where place.field == field {
      let range = start + place.start..<start + place.start + place.size
      let end = range.first { bytes[$0] == 0 } ?? range.upperBound
      guard end > range.lowerBound else { return nil }
      return bytes.extracting(range.lowerBound..<end).string.withoutControls
    }
    return nil
  }
}
