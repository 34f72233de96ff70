/// Names by number and numbers by name, in few bytes more than the names.
///
/// A hash table over one array of bytes, at most three quarters full. Names are compared byte by
/// byte and are never removed.
struct NameTable: Sendable {
  /// All names one after the other, and where each of them ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// A hash table with linear probing: numbers plus 1; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 16)

  /// How many names there are.
  var count: Int { ends.count }

  /// The name with a number.
  subscript(number: Int) -> String {
    String(decoding: bytes[range(number)], as: UTF8.self)
  }

  /// Calls `body` with the bytes of all names, by number.
  func forEach(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      for number in ends.indices { body(UnsafeBufferPointer(rebasing: bytes[range(number)])) }
    }
  }

  /// The number of a name, which is added when it is new.
  /// - Complexity: O(length) on average.
  mutating func number(of name: String) -> (number: Int, isNew: Bool) {
    var name = name
    return name.withUTF8 { text in
      var place = Self.hash(text) & (slots.count - 1)
      while slots[place] != 0 {
        let number = Int(slots[place]) - 1
        if isSame(text, range(number)) { return (number, false) }
        place = (place + 1) & (slots.count - 1)
      }
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
      slots[place] = UInt32(ends.count)
      if ends.count * 4 > slots.count * 3 { grow() }
      return (ends.count - 1, true)
    }
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  private func isSame(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    text.count == range.count && bytes[range].elementsEqual(text)
  }

  /// Doubles the table and fills it again, so that adding a name costs O(length) on average.
  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: 2 * slots.count)
    for number in ends.indices {
      let hash = bytes[range(number)].withUnsafeBufferPointer(Self.hash)
      var place = hash & (slots.count - 1)
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = UInt32(number + 1)
    }
  }

  /// A hash with the seed of the process, so that nobody can choose names that collide.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(text))
    return hasher.finalize()
  }
}
