/// Takes an input for a recipe: numbers for what is to be done, zeroes when it is used up.
struct ByteReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isAtEnd: Bool { bytes.isEmpty }

  /// What is left.
  var rest: [UInt8] { Array(bytes) }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number from 0 up to `limit`, which is not among them and at most 256.
  mutating func below(_ limit: Int) -> Int { Int(byte()) % limit }

  /// One of `values`, which are not none.
  mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

  /// From -128 to 127.
  mutating func signed() -> Double { Double(Int8(bitPattern: byte())) }

  /// From -32 768 to 32 767.
  mutating func signed16() -> Double {
    let high = UInt16(byte())
    return Double(Int16(bitPattern: high << 8 | UInt16(byte())))
  }

  /// `good`, of which bytes are others: a place and a byte each, to the end.
  mutating func changed(_ good: [UInt8]) -> [UInt8] {
    var bytes = good
    while !isAtEnd, !bytes.isEmpty {
      let place = below(256) * 256 + below(256)
      bytes[place % bytes.count] = byte()
    }
    return bytes
  }

  mutating func word() -> UInt64 {
    var word: UInt64 = 0
    for _ in 0..<8 { word = word << 8 | UInt64(byte()) }
    return word
  }
}
