public import CWaymark
internal import EventLog
internal import Tracking

/// Makes an engine without devices.
@c @implementation
public func waymark_engine_new(
  _ rules: OpaquePointer?, _ engine: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let result = try target(engine, "engine")
    result.pointee = Handle.make(EngineHandle(try Handle.object(rules, "rules")))
  }
}

/// Frees an engine.
@c @implementation
public func waymark_engine_free(_ engine: OpaquePointer?) { Handle.release(engine) }

/// The number of a device.
@c @implementation
public func waymark_engine_device(
  _ engine: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ device: UnsafeMutablePointer<Int32>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    let result = try target(device, "device")
    let bytes = try Received.bytes(name, length, "name")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Misuse("name is no UTF-8")
    }
    result.pointee = try engine.device(text)
  }
}

/// Plays fixes.
@c @implementation
public func waymark_engine_feed(
  _ engine: OpaquePointer?, _ fixes: UnsafePointer<waymark_fixes>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    guard let fixes else { throw Misuse("fixes is NULL") }
    if let columns = try FixColumns(fixes.pointee) { try engine.feed(columns) }
  }
}

/// Advances the clock of a silent device.
@c @implementation
public func waymark_engine_advance(
  _ engine: OpaquePointer?, _ device: Int32, _ now: Int64
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    try engine.advance(device, to: Timestamp(nanoseconds: now))
  }
}

/// Takes the events as columns.
@c @implementation
public func waymark_engine_events(
  _ engine: OpaquePointer?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ array: UnsafeMutablePointer<ArrowArray>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    let (schema, array) = (try target(schema, "schema"), try target(array, "array"))
    ArrowTable(EventColumns.columns(of: engine.takeEvents())).give(schema, array)
  }
}

/// Takes the events as lines.
@c @implementation
public func waymark_engine_log(
  _ engine: OpaquePointer?, _ lines: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    let (lines, length) = (try target(lines, "lines"), try target(length, "length"))
    var bytes: [UInt8] = []
    for entry in engine.takeEvents() { JSONLinesWriter.append(entry, to: &bytes) }
    (lines.pointee, length.pointee) = (Given.text(bytes), bytes.count)
  }
}

/// What became of the fixes.
@c @implementation
public func waymark_engine_counts(
  _ engine: OpaquePointer?, _ counts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    try target(counts, "counts").pointee = Given.text(engine.counts)
  }
}

/// The state of a device.
@c @implementation
public func waymark_engine_save(
  _ engine: OpaquePointer?, _ device: Int32,
  _ state: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    let (state, length) = (try target(state, "state"), try target(length, "length"))
    let bytes = try engine.state(of: device)
    state.pointee = Given.allocate(bytes).assumingMemoryBound(to: UInt8.self)
    length.pointee = bytes.count
  }
}

/// Replaces the state of a device.
@c @implementation
public func waymark_engine_resume(
  _ engine: OpaquePointer?, _ device: Int32, _ state: UnsafePointer<UInt8>?, _ length: Int
) -> UnsafeMutablePointer<CChar>? {
  reporting {
    let engine: EngineHandle = try Handle.object(engine, "engine")
    try engine.resume(device, from: try Received.bytes(state, length, "state"))
  }
}

/// Bytes of the caller.
enum Received {
  /// More than memory holds is an error of the caller.
  static let possibleCounts = 0..<(1 << 44)

  static func bytes(
    _ start: UnsafeRawPointer?, _ length: Int, _ name: String
  ) throws(Misuse) -> [UInt8] {
    guard let start else { throw Misuse("\(name) is NULL") }
    guard possibleCounts.contains(length) else {
      throw Misuse("the length of \(name) is \(UInt(bitPattern: length))")
    }
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }
}
