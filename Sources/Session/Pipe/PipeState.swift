internal import Geodesy
internal import Tracking
internal import Traces

/// What a pipe knows of all devices, in a file: another run goes on from there.
///
/// The states are as the engine packs them, so that a file is of use to the same engine on the same
/// kind of machine, with the same fences; whatever else is set may be another.
enum PipeState {
  private static let file = CheckedFile("pipe", version: 1)

  /// A device and its packed state.
  struct Record {
    var device: String
    var state: ArraySlice<UInt8>
  }

  /// Reads a file; no records when there is none.
  static func read(_ path: String, rules: Rules) throws(PipeStateError) -> [Record] {
    let body: ArraySlice<UInt8>
    do throws(CheckedFile.Absence) {
      body = try file.readBody(from: path)
    } catch {
      switch error {
      case .missing: return []
      case .unusable(let reason): throw .unusable(path: path, reason: reason)
      case .unreadable(let reason): throw .refused(path: path, reason: "cannot be read: \(reason)")
      }
    }
    var rest = body
    guard take(8, &rest)?.elementsEqual(bytes(of: machine)) == true else {
      throw .unusable(path: path, reason: "it is of another kind of machine or engine")
    }
    guard take(8, &rest)?.elementsEqual(bytes(of: fingerprint(of: rules.fences))) == true else {
      let reason = "it is of other fences: their ids, places or decisions were not these"
      throw .unusable(path: path, reason: reason)
    }
    var records: [Record] = []
    while !rest.isEmpty {
      guard let name = takePart(&rest), let state = takePart(&rest) else {
        throw .unusable(path: path, reason: "it is damaged")
      }
      records.append(Record(device: String(decoding: name, as: UTF8.self), state: state))
    }
    return records
  }

  /// Writes a file: the beginning of it, to which records are added.
  static func start(rules: Rules) -> [UInt8] {
    bytes(of: machine) + bytes(of: fingerprint(of: rules.fences))
  }

  /// Adds a record.
  static func append(_ device: String, _ state: UnsafeRawBufferPointer, to body: inout [UInt8]) {
    body += bytes(of: UInt64(device.utf8.count))
    body += device.utf8
    body += bytes(of: UInt64(state.count))
    body += state
  }

  /// Replaces the file in one step.
  static func write(_ body: [UInt8], to path: String) throws(PipeStateError) {
    do {
      try file.write(body: body, to: path)
    } catch {
      throw .refused(path: path, reason: "cannot be written: \(error.reason)")
    }
  }

  // MARK: Bytes

  /// Differs where the engine's values lie in memory in another way.
  private static var machine: UInt64 { 0x0102_0304_0000_0000 | UInt64(Fleet.packingSize) }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private static func takePart(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = take(8, &rest) else { return nil }
    let count = length.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    return Int(exactly: count).flatMap { take($0, &rest) }
  }

  // MARK: Fences

  /// Tells fences apart by all that a state depends on.
  private static func fingerprint(of fences: FenceSet) -> UInt64 {
    var hash = FNV1a()
    func add(_ number: Double) { for byte in bytes(of: number.bitPattern) { hash.add(byte) } }
    func add(_ ring: [Coordinate]) {
      for vertex in ring {
        add(vertex.latitude)
        add(vertex.longitude)
      }
      hash.add(1)
    }
    for fence in fences {
      hash.add(fence.id)
      hash.add(0)
      hash.add(fence.decision.rawValue)
      switch fence.area {
      case .circle(let circle):
        add(circle.center.latitude)
        add(circle.center.longitude)
        add(circle.radius)
      case .polygons(let polygons):
        for polygon in polygons {
          add(polygon.exterior)
          for hole in polygon.holes { add(hole) }
          hash.add(2)
        }
      }
    }
    return hash.value
  }
}

/// Why a pipe's state is of no use.
package enum PipeStateError: Error, CustomStringConvertible {
  /// What is there is no state to go on from.
  case unusable(path: String, reason: String)
  /// The system does not let it be read or written.
  case refused(path: String, reason: String)

  package var description: String {
    switch self {
    case .unusable(let path, let reason):
      "\(path): \(reason); to begin anew, name another file or take this one away"
    case .refused(let path, let reason): "\(path): the state \(reason)"
    }
  }
}
