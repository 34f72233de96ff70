/// Finds devices by the bytes of their names, without making a String for every fix.
struct DeviceTable: Sendable {
  private var indices: [UInt64: Int32] = [:]
  private var known = 0

  /// Index of `name` in `devices`, to which it is added when it is new.
  mutating func index(of name: Span<UInt8>, in devices: inout [String]) -> Int32 {
    // Another decoder may have added names since, or this may be another batch.
    if known != devices.count { learn(devices) }
    var hash = FNV1a()
    hash.add(name)
    if let index = indices[hash.value] {
      if Self.isSame(devices[Int(index)], name) { return index }
      // Two names with one hash: slow, but right.
      if let other = devices.firstIndex(where: { Self.isSame($0, name) }) { return Int32(other) }
    }
    let index = Int32(devices.count)
    devices.append(name.string)
    if indices[hash.value] == nil { indices[hash.value] = index }
    known = devices.count
    return index
  }

  private mutating func learn(_ devices: [String]) {
    indices.removeAll(keepingCapacity: true)
    for (index, device) in devices.enumerated() {
      var hash = FNV1a()
      hash.add(device)
      if indices[hash.value] == nil { indices[hash.value] = Int32(index) }
    }
    known = devices.count
  }

  private static func isSame(_ device: String, _ name: Span<UInt8>) -> Bool {
    let utf8 = device.utf8
    guard utf8.count == name.count else { return false }
    var offset = 0
    for byte in utf8 {
      if byte != name[offset] { return false }
      offset += 1
    }
    return true
  }
}
