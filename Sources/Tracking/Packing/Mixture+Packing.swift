internal import Geodesy

extension Mixture {
  /// Writes it without its last sighting where that is the one of the device's last fix.
  func pack(into packer: inout Packer, lastFix: Sighting?) {
    let isLastFix = last == lastFix
    packer.put(flags: isLastFix, isBack, strayed != nil)
    if !isLastFix { last.pack(into: &packer) }
    modes.pack(into: &packer)
    packer.put(outlier)
    packer.put(claim)
    packer.put(whiteness)
    jitter.pack(into: &packer)
    if let strayed { packer.put(time: strayed) }
    packer.put(time: resumed)
  }

  init(unpacking unpacker: inout Unpacker, lastFix: Sighting?) throws(PackedStateError) {
    let flags = try unpacker.takeFlags(3)
    let last = flags[0] ? lastFix : try Sighting(unpacking: &unpacker)
    guard let last else { throw PackedStateError() }
    self.init(
      modes: try Modes(unpacking: &unpacker), last: last, outlier: try unpacker.take(Double.self),
      claim: try unpacker.take(Double.self), whiteness: try unpacker.take(Double.self),
      jitter: try Jitter(unpacking: &unpacker), strayed: flags[2] ? try unpacker.takeTime() : nil,
      resumed: try unpacker.takeTime(), isBack: flags[1])
  }
}

extension Modes {
  /// What does not move has no velocity to write.
  fileprivate func pack(into packer: inout Packer) {
    packer.put((px, py, bx, by, pp, pb, bb, weight))
    packer.put((vx.moving, vy.moving, pv.moving, vv.moving, vb.moving))
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    px = try unpacker.take(Lanes.self)
    py = try unpacker.take(Lanes.self)
    bx = try unpacker.take(Lanes.self)
    by = try unpacker.take(Lanes.self)
    pp = try unpacker.take(Lanes.self)
    pb = try unpacker.take(Lanes.self)
    bb = try unpacker.take(Lanes.self)
    weight = try unpacker.take(Lanes.self)
    vx = try unpacker.takeMoving()
    vy = try unpacker.takeMoving()
    pv = try unpacker.takeMoving()
    vv = try unpacker.takeMoving()
    vb = try unpacker.takeMoving()
  }
}

extension Modes.Lanes {
  /// Those that have a velocity.
  fileprivate var moving: SIMD2<Float> { SIMD2(self[Modes.walk], self[Modes.ride]) }
}

extension Unpacker {
  fileprivate mutating func takeMoving() throws(PackedStateError) -> Modes.Lanes {
    Modes.Lanes(0, try take(Float.self), try take(Float.self), 0)
  }
}

extension Sighting {
  func pack(into packer: inout Packer) {
    packer.put(time: time)
    packer.put(x)
    packer.put(y)
    let short = Float(exactly: accuracy)
    packer.put(flags: hasVelocity, speed != nil, short != nil)
    if let short { packer.put(short) } else { packer.put(accuracy) }
    if let speed { packer.put(speed) }
    if hasVelocity {
      packer.put(east)
      packer.put(north)
    }
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let time = try unpacker.takeTime()
    let (x, y) = (try unpacker.take(Double.self), try unpacker.take(Double.self))
    let flags = try unpacker.takeFlags(3)
    self.init(time: time, x: x, y: y, accuracy: try unpacker.takeNumber(isShort: flags[2]))
    if flags[1] { speed = try unpacker.take(Float.self) }
    guard flags[0] else { return }
    hasVelocity = true
    east = try unpacker.take(Float.self)
    north = try unpacker.take(Float.self)
  }
}

extension Jitter {
  fileprivate func pack(into packer: inout Packer) {
    packer.put(step)
    let (time, number) = (Float(exactly: stepTime), Float(exactly: count))
    packer.put(flags: time != nil, number != nil)
    if let time { packer.put(time) } else { packer.put(stepTime) }
    if let number { packer.put(number) } else { packer.put(count) }
    packer.put(variance)
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    self.init()
    step = try unpacker.takeVector()
    let flags = try unpacker.takeFlags(2)
    stepTime = try unpacker.takeNumber(isShort: flags[0])
    count = try unpacker.takeNumber(isShort: flags[1])
    variance = try unpacker.take(Double.self)
  }
}

extension Estimate {
  func pack(into packer: inout Packer) {
    packer.put(time: time)
    packer.put(coordinate.latitude)
    packer.put(coordinate.longitude)
    packer.put(sigma)
    packer.put(widest)
    packer.put(velocity)
    packer.put(stillness)
    packer.put(flags: isMoving)
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    time = try unpacker.takeTime()
    coordinate = try unpacker.takeCoordinate()
    sigma = try unpacker.take(Double.self)
    widest = try unpacker.take(Double.self)
    velocity = try unpacker.takeVector()
    stillness = try unpacker.take(Double.self)
    isMoving = try unpacker.takeFlags(1)[0]
  }
}
