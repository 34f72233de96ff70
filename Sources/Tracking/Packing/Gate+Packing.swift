internal import Geodesy

extension Gate {
  /// Writes what was counted first, so that it can be read alone.
  func pack(into packer: inout Packer) {
    counts.pack(into: &packer)
    packer.put(flags: last != nil, waiting != nil, waiting?.doubt == .clockJump)
    last?.pack(into: &packer)
    waiting?.fix.pack(into: &packer)
  }

  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    try counts.unpack(from: &unpacker)
    let flags = try unpacker.takeFlags(3)
    last = flags[0] ? try Fix(unpacking: &unpacker) : nil
    waiting = nil
    if flags[1] {
      let fix = try Fix(unpacking: &unpacker)
      waiting = Waiting(fix: fix, doubt: flags[2] ? .clockJump : .teleport)
    }
  }
}

extension GateCounts {
  /// Writes the numbers that are not 0, behind a word that says which they are.
  func pack(into packer: inout Packer) {
    var mask: UInt16 = 0
    forEachNumber { bit, number in if number != 0 { mask |= 1 << bit } }
    packer.put(mask)
    forEachNumber { _, number in if number != 0 { packer.put(count: number) } }
  }

  @inline(__always)
  private func forEachNumber(_ body: (_ bit: UInt16, _ number: Int) -> Void) {
    body(0, received)
    body(1, accepted)
    body(2, waiting)
    body(3, reordered)
    body(4, believedTeleports)
    body(5, believedClockJumps)
    body(6, cleaned)
    for defect in Defect.allCases { body(7 + UInt16(defect.position), self[defect]) }
  }

  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    let mask = try unpacker.take(UInt16.self)
    func count(_ bit: Int) throws(PackedStateError) -> Int {
      mask >> UInt16(bit) & 1 == 1 ? try unpacker.takeCount() : 0
    }
    received = try count(0)
    accepted = try count(1)
    waiting = try count(2)
    reordered = try count(3)
    believedTeleports = try count(4)
    believedClockJumps = try count(5)
    cleaned = try count(6)
    for defect in Defect.allCases { self[defect] = try count(7 + defect.position) }
  }
}

extension Fix {
  private static let timeBit: UInt16 = 13
  private static let satellitesBit: UInt16 = 14

  /// Writes what is known; a number that a Float holds takes four bytes.
  func pack(into packer: inout Packer) {
    var (known, short): (UInt16, UInt16) = (0, 0)
    forEachNumber { bit, number in
      guard let number else { return }
      known |= 1 << bit
      if Double(Float(number)) == number { short |= 1 << bit }
    }
    if time != nil { known |= 1 << Self.timeBit }
    if satellites != nil { known |= 1 << Self.satellitesBit }
    packer.put(known)
    packer.put(short)
    packer.put(mode.rawValue)
    packer.put(coordinate.latitude)
    packer.put(coordinate.longitude)
    if let time { packer.put(time: time) }
    if let satellites { packer.put(Int16(clamping: satellites)) }
    forEachNumber { bit, number in
      guard let number else { return }
      if short >> bit & 1 == 1 { packer.put(Float(number)) } else { packer.put(number) }
    }
  }

  @inline(__always)
  private func forEachNumber(_ body: (_ bit: UInt16, _ number: Double?) -> Void) {
    body(0, horizontalAccuracy)
    body(1, altitude)
    body(2, ellipsoidalAltitude)
    body(3, verticalAccuracy)
    body(4, speed)
    body(5, speedAccuracy)
    body(6, course)
    body(7, courseAccuracy)
    body(8, hdop)
    body(9, vdop)
    body(10, pdop)
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let (known, short) = (try unpacker.take(UInt16.self), try unpacker.take(UInt16.self))
    guard let mode = Mode(rawValue: try unpacker.take(UInt8.self)) else { throw PackedStateError() }
    let (latitude, longitude) = (try unpacker.take(Double.self), try unpacker.take(Double.self))
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    let hasTime = known >> Self.timeBit & 1 == 1
    // Only fixes with a time and a place are ever kept.
    guard hasTime, coordinate.isValid else { throw PackedStateError() }
    self.init(
      time: try unpacker.takeTime(), coordinate: coordinate)
    self.mode = mode
    if known >> Self.satellitesBit & 1 == 1 { satellites = Int(try unpacker.take(Int16.self)) }
    func number(_ bit: UInt16) throws(PackedStateError) -> Double? {
      guard known >> bit & 1 == 1 else { return nil }
      return short >> bit & 1 == 1
        ? Double(try unpacker.take(Float.self)) : try unpacker.take(Double.self)
    }
    horizontalAccuracy = try number(0)
    altitude = try number(1)
    ellipsoidalAltitude = try number(2)
    verticalAccuracy = try number(3)
    speed = try number(4)
    speedAccuracy = try number(5)
    course = try number(6)
    courseAccuracy = try number(7)
    hdop = try number(8)
    vdop = try number(9)
    pdop = try number(10)
  }
}
