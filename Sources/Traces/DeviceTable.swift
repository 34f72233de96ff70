internal import Text

/// Finds devices by the bytes of their names, without making a String for every fix.
///
/// A hash table with open addressing; the names are stored in sequence.
public struct DeviceTable: Sendable {
  /// Device numbers, -1 for a free slot; at most half of the slots are taken.
  private var places: [Int32] = []
  @usableFromInline private(set) var hashes: [UInt64] = []
  /// The offset of each name in ``names``, then the end of the last.
  private var starts = [0]
  private var names: [UInt8] = []
  /// That of the process, so that nobody can choose names that collide.
  private let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  package init() {}

  /// Index of `name` in `devices`, to which it is added when it is new.
  @inlinable
  public mutating func index(of name: borrowing Span<UInt8>, in devices: inout [String]) -> Int32 {
    // Another decoder may have added names since, or this may be another batch.
    if hashes.count != devices.count { learn(devices) }
    let hash = hash(name)
    return find(name, hash) ?? insert(name, hash, &devices)
  }

  @usableFromInline
  mutating func insert(
    _ name: borrowing Span<UInt8>, _ hash: UInt64, _ devices: inout [String]
  ) -> Int32 {
    let index = Int32(devices.count)
    devices.append(name.string)
    add(name, hash)
    return index
  }

  @usableFromInline
  func find(_ name: borrowing Span<UInt8>, _ hash: UInt64) -> Int32? {
    guard !places.isEmpty else { return nil }
    let mask = places.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let index = places[place]
      if index < 0 { return nil }
      if hashes[Int(index)] == hash, isName(Int(index), name) { return index }
      place = (place &+ 1) & mask
    }
  }

  private func isName(_ index: Int, _ name: borrowing Span<UInt8>) -> Bool {
    let start = starts[index]
    guard starts[index &+ 1] &- start == name.count else { return false }
    let names = names.span
    guard name.count > 8 else {
      return Bytes.word(names, start, count: name.count) == Bytes.word(name, 0, count: name.count)
    }
    // Eight bytes at a time; the last eight overlap the ones before.
    var at = 0
    while at &+ 8 < name.count {
      guard Bytes.word(names, start &+ at) == Bytes.word(name, at) else { return false }
      at &+= 8
    }
    return Bytes.word(names, start &+ name.count &- 8) == Bytes.word(name, name.count &- 8)
  }

  /// Appends the next name.
  private mutating func add(_ name: borrowing Span<UInt8>, _ hash: UInt64) {
    let index = Int32(hashes.count)
    hashes.append(hash)
    for offset in 0..<name.count { names.append(name[offset]) }
    starts.append(names.count)
    if hashes.count * 2 > places.count {
      places = [Int32](repeating: -1, count: max(16, places.count * 2))
      for (index, hash) in hashes.enumerated() { put(Int32(index), hash) }
    } else {
      put(index, hash)
    }
  }

  private mutating func put(_ index: Int32, _ hash: UInt64) {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] >= 0 { place = (place + 1) & mask }
    places[place] = index
  }

  @usableFromInline
  mutating func learn(_ devices: [String]) {
    self = DeviceTable()
    for device in devices {
      var device = device
      device.withUTF8 { name in
        // The name is only read, and not after this closure.
        let name = Span(_unsafeElements: name)
        add(name, hash(name))
      }
    }
  }

  /// Eight bytes at a time, each folded from the 128 bits of a product, as in wyhash by Wang Yi.
  @usableFromInline
  func hash(_ name: borrowing Span<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: name.count) ^ seed
    guard name.count > 8 else { return Self.mixed(hash, Bytes.word(name, 0, count: name.count)) }
    var at = 0
    while at &+ 8 < name.count {
      hash = Self.mixed(hash, Bytes.word(name, at))
      at &+= 8
    }
    // The last eight bytes overlap the ones before.
    return Self.mixed(hash, Bytes.word(name, name.count &- 8))
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
