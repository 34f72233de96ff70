internal import System
internal import Tracking

/// The state of one device as bytes that another process can continue from.
///
/// The bytes are little-endian: a title, the version of the form, the version of the engine, the
/// fingerprint of the fences, the packed state and a checksum of all before it.
package enum DeviceState {
  private static let title = Array("waymark".utf8)
  /// Raised with every change of the form.
  private static let version: UInt8 = 1
  private static let headSize = title.count + 1 + 8 + 8
  private static let checksumSize = 8

  /// Why a state cannot be used.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    case foreign
    case damaged
    case version(Int)
    case engine
    case fences

    package var description: String {
      switch self {
      case .foreign: "these bytes are no state of a device"
      case .damaged: "the state is damaged or cut off"
      case .version(let version):
        "the state has version \(version), this release reads version \(DeviceState.version)"
      case .engine: "the state is from another release of the engine"
      case .fences: "the state is from other fences: their ids, areas or decisions differ"
      }
    }
  }

  /// The bytes for a packed state under rules with fences of a fingerprint.
  package static func bytes(_ packed: UnsafeRawBufferPointer, fences: UInt64) -> [UInt8] {
    var bytes = title + [version]
    append(UInt64(Fleet.packingSize), to: &bytes)
    append(fences, to: &bytes)
    bytes.append(contentsOf: packed)
    append(checksum(bytes[...]), to: &bytes)
    return bytes
  }

  /// The packed state in bytes, for rules with the same fences.
  package static func packed(
    in bytes: [UInt8], fences: UInt64
  ) throws(Failure) -> ArraySlice<UInt8> {
    guard bytes.count > title.count, bytes.starts(with: title) else { throw .foreign }
    // A later version may have its checksum elsewhere.
    guard bytes[title.count] == version else { throw .version(Int(bytes[title.count])) }
    let end = bytes.count - checksumSize
    guard end >= headSize, number(bytes, at: end) == checksum(bytes[..<end]) else { throw .damaged }
    guard Fleet.canUnpack(size: number(bytes, at: title.count + 1)) else { throw .engine }
    guard number(bytes, at: title.count + 9) == fences else { throw .fences }
    return bytes[headSize..<end]
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.add(byte) }
    return hash.mixed
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
