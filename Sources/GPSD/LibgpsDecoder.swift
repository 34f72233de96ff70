@_implementationOnly import CGPS
internal import Locking
internal import Receivers
internal import Tracking

/// The memory that libgps reads lines into.
///
/// The lock lets copies of a reader share it safely, which the compiler checks. A single reader never
/// waits for it.
final class LibgpsDecoder: Sendable {
  private let memory: Mutex<Memory>

  /// Nil without libgps, or when memory is exhausted.
  init?() {
    guard let pointer = CGPSDecoderCreate() else { return nil }
    memory = Mutex(Memory(pointer: pointer))
  }

  /// Decodes a line of class TPV; nil when it is too long.
  func position(_ line: Span<UInt8>) -> CGPSPosition? {
    memory.withLock { memory in
      var position = CGPSPosition()
      // The bytes are only read, and only within this closure.
      let isRead = line.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map {
          CGPSDecodePosition(memory.pointer, $0, bytes.count, &position)
        }
      }
      return isRead == true ? position : nil
    }
  }

  /// Decodes a line of class SKY; nil when it is too long.
  func sky(_ line: Span<UInt8>) -> CGPSSky? {
    memory.withLock { memory in
      var sky = CGPSSky()
      // The bytes are only read, and only within this closure.
      let isRead = line.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { CGPSDecodeSky(memory.pointer, $0, bytes.count, &sky) }
      }
      return isRead == true ? sky : nil
    }
  }

  /// Owns the memory.
  private struct Memory: ~Copyable {
    let pointer: OpaquePointer

    deinit { CGPSDecoderDestroy(pointer) }
  }
}

extension CGPSPosition {
  /// The report; nil when libgps decoded other fields than the line has.
  func report(of line: GPSDPlainLine) -> GPSDReport? {
    guard has(line.fields), mode == line.mode,
      !line.fields.contains(.status) || status == line.status
    else { return nil }
    var position = GPSDPosition()
    position.device = line.device
    position.mode = line.mode
    position.status = line.status
    position.time = time
    position.latitude = GPSDNumber.degrees(latitude)
    position.longitude = GPSDNumber.degrees(longitude)
    position.ellipsoidalAltitude = GPSDNumber.metres(ellipsoidalAltitude)
    position.altitude = GPSDNumber.metres(altitude.isNaN ? oldAltitude : altitude)
    position.speed = GPSDNumber.metres(speed)
    position.course = GPSDNumber.metres(course)
    position.horizontalError = GPSDNumber.metres(horizontalError)
    position.longitudeError = GPSDNumber.metres(longitudeError)
    position.latitudeError = GPSDNumber.metres(latitudeError)
    position.verticalError = GPSDNumber.metres(verticalError)
    position.courseError = GPSDNumber.metres(courseError)
    position.variation = GPSDNumber.metres(variation)
    return .position(position)
  }

  /// Nil when libgps saw no time.
  private var time: Timestamp? {
    if seconds == 0, nanoseconds == 0 { return nil }
    // libgps reads the fraction as a Double, a nanosecond off; a plain line has microseconds.
    let microseconds = (nanoseconds + 500) / 1000
    return Timestamp(nanoseconds: seconds &* 1_000_000_000 &+ microseconds &* 1000)
  }

  private func has(_ fields: GPSDPlainLine.Fields) -> Bool {
    var seen: GPSDPlainLine.Fields = time == nil ? [] : .time
    if !latitude.isNaN { seen.insert(.latitude) }
    if !longitude.isNaN { seen.insert(.longitude) }
    if !ellipsoidalAltitude.isNaN { seen.insert(.ellipsoidalAltitude) }
    if !altitude.isNaN { seen.insert(.altitude) }
    if !oldAltitude.isNaN { seen.insert(.oldAltitude) }
    if !speed.isNaN { seen.insert(.speed) }
    if !course.isNaN { seen.insert(.course) }
    if !horizontalError.isNaN { seen.insert(.horizontalError) }
    if !longitudeError.isNaN { seen.insert(.longitudeError) }
    if !latitudeError.isNaN { seen.insert(.latitudeError) }
    if !verticalError.isNaN { seen.insert(.verticalError) }
    if !courseError.isNaN { seen.insert(.courseError) }
    if !variation.isNaN { seen.insert(.variation) }
    return seen == fields.subtracting(Self.unseen)
  }

  /// Fields for which libgps does not distinguish a value from its absence.
  ///
  /// A constant, because a literal in the code would allocate.
  private static let unseen: GPSDPlainLine.Fields = [.device, .mode, .status]
}

extension CGPSSky {
  /// The report; nil when libgps decoded other fields than the line has.
  func report(of line: GPSDPlainLine) -> GPSDReport? {
    var seen: GPSDPlainLine.Fields = []
    if !hdop.isNaN { seen.insert(.hdop) }
    if !vdop.isNaN { seen.insert(.vdop) }
    if !pdop.isNaN { seen.insert(.pdop) }
    let hasList = line.fields.contains(.satellites)
    guard seen == line.fields.subtracting(Self.unseen),
      !hasList
        || (satellitesUsed == line.satellitesUsed && satellitesVisible == line.satellitesVisible)
    else { return nil }
    var sky = GPSDSky()
    sky.device = line.device
    sky.hdop = GPSDNumber.metres(hdop)
    sky.vdop = GPSDNumber.metres(vdop)
    sky.pdop = GPSDNumber.metres(pdop)
    if hasList {
      sky.satellitesUsed = Int(satellitesUsed)
      sky.satellitesVisible = Int(satellitesVisible)
    }
    return .sky(sky)
  }

  /// Fields for which libgps does not distinguish a value from its absence, as in ``CGPSPosition``.
  private static let unseen: GPSDPlainLine.Fields = [.device, .satellites]
}
