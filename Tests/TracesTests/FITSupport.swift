@testable import Formats

/// A FIT file while a test makes it.
struct FITFile {
  /// A field of a definition: its number, its size and the number of its type.
  typealias Field = (number: UInt8, size: UInt8, type: UInt8)

  static let position: [Field] = [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)]

  private(set) var data: [UInt8] = []

  mutating func define(
    _ local: UInt8, _ message: UInt16, _ fields: [Field], isBig: Bool = false,
    developer: [Field] = []
  ) {
    data += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBig ? 1 : 0]
    add(message, isBig)
    data.append(UInt8(fields.count))
    for field in fields { data += [field.number, field.size, field.type] }
    guard !developer.isEmpty else { return }
    data.append(UInt8(developer.count))
    for field in developer { data += [field.number, field.size, field.type] }
  }

  mutating func add(_ bytes: [UInt8]) { data += bytes }

  mutating func add(_ number: some FixedWidthInteger, _ isBig: Bool = false) {
    let bytes = withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { Array($0) }
    data += bytes
  }

  /// A record of ``position``.
  mutating func record(
    _ local: UInt8, time: UInt32, _ latitude: Int32, _ longitude: Int32, isBig: Bool = false
  ) {
    data.append(local)
    add(time, isBig)
    add(latitude, isBig)
    add(longitude, isBig)
  }

  /// The type of the file, a message of its own.
  mutating func identify(_ type: UInt8) {
    define(15, 0, [(0, 1, 0)])
    data += [15, type]
  }

  /// The file with its header and checksum.
  func bytes(header: UInt8 = 14, size: Int? = nil) -> [UInt8] {
    var file = FITFile()
    file.data = [header, 0x20, 0x54, 0x08]
    file.add(UInt32(size ?? data.count))
    file.data += Array(".FIT".utf8)
    if header == 14 { file.add(Self.checksum(file.data)) }
    file.data += data
    file.add(Self.checksum(file.data))
    return file.data
  }

  static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var sum = FITChecksum()
    sum.add(bytes.span, 0..<bytes.count)
    return sum.value
  }
}
