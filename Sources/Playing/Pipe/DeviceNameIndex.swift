internal import Glibc

/// Sorts the devices of all shards by the bytes of their names.
///
/// The names lie in one array, so a million of them take little more memory than their bytes.
struct DeviceNameIndex {
  /// A device: its shard and its number there.
  struct Device: Equatable {
    private let shardNumber, deviceNumber: UInt32

    init(shard: Int, number: Int) {
      shardNumber = UInt32(truncatingIfNeeded: shard)
      deviceNumber = UInt32(truncatingIfNeeded: number)
    }

    var shard: Int { Int(shardNumber) }
    var number: Int { Int(deviceNumber) }
  }

  private var names: [UInt8] = []
  private var starts: [Int] = [0]
  private var devices: [Device] = []

  mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ device: Device) {
    names.append(contentsOf: name)
    starts.append(names.count)
    devices.append(device)
  }

  /// The devices in order.
  /// - Complexity: O(n log n).
  func sorted() -> [Device] {
    var order = Array(0..<UInt32(truncatingIfNeeded: devices.count))
    names.withUnsafeBufferPointer { names in
      starts.withUnsafeBufferPointer { starts in
        func name(_ index: UInt32) -> UnsafeRawBufferPointer {
          let index = Int(index)
          return UnsafeRawBufferPointer(
            UnsafeBufferPointer(rebasing: names[starts[index]..<starts[index + 1]]))
        }
        order.sort { Self.isBefore(name($0), name($1)) }
      }
    }
    return order.map { devices[Int($0)] }
  }

  private static func isBefore(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count < b.count }
    let sign = memcmp(first, second, min(a.count, b.count))
    return sign == 0 ? a.count < b.count : sign < 0
  }
}
