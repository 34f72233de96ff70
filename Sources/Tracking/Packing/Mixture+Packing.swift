internal import Geodesy

extension Mixture {
  func pack(into packer: inout Packer) {
    modes.pack(into: &packer)
    last.pack(into: &packer)
    packer.put(outlier)
    packer.put(claim)
    packer.put(whiteness)
    jitter.pack(into: &packer)
    packer.put(optional: strayed?.nanoseconds)
    packer.put(resumed.nanoseconds)
    packer.put(flags: isBack)
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let modes = try Modes(unpacking: &unpacker)
    self.init(try Sighting(unpacking: &unpacker))
    self.modes = modes
    outlier = try unpacker.take(Double.self)
    claim = try unpacker.take(Double.self)
    whiteness = try unpacker.take(Double.self)
    jitter = try Jitter(unpacking: &unpacker)
    strayed = try unpacker.takeOptionalTime()
    resumed = try unpacker.takeTime()
    isBack = try unpacker.takeFlags(1)[0]
  }
}

extension Modes {
  /// What does not move has no velocity to write.
  fileprivate func pack(into packer: inout Packer) {
    for lanes in [px, py, bx, by, pp, pb, bb, weight] { packer.put(lanes) }
    for lanes in [vx, vy, pv, vv, vb] {
      packer.put(lanes[Self.walk])
      packer.put(lanes[Self.ride])
    }
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

extension Unpacker {
  fileprivate mutating func takeMoving() throws(PackedStateError) -> Modes.Lanes {
    Modes.Lanes(0, try take(Float.self), try take(Float.self), 0)
  }
}

extension Sighting {
  func pack(into packer: inout Packer) {
    packer.put(time.nanoseconds)
    packer.put(x)
    packer.put(y)
    packer.put(accuracy)
    packer.put(optional: speed)
    packer.put(flags: hasVelocity)
    if hasVelocity {
      packer.put(east)
      packer.put(north)
    }
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    self.init(
      time: try unpacker.takeTime(), x: try unpacker.take(Double.self),
      y: try unpacker.take(Double.self), accuracy: try unpacker.take(Double.self))
    speed = try unpacker.takeOptional(Float.self)
    guard try unpacker.takeFlags(1)[0] else { return }
    hasVelocity = true
    east = try unpacker.take(Float.self)
    north = try unpacker.take(Float.self)
  }
}

extension Jitter {
  fileprivate func pack(into packer: inout Packer) {
    packer.put(step)
    packer.put(stepTime)
    packer.put(count)
    packer.put(variance)
  }

  fileprivate init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    self.init()
    step = try unpacker.takeVector()
    stepTime = try unpacker.take(Double.self)
    count = try unpacker.take(Double.self)
    variance = try unpacker.take(Double.self)
  }
}

extension Estimate {
  func pack(into packer: inout Packer) {
    packer.put(time.nanoseconds)
    packer.put(map.origin.latitude)
    packer.put(map.origin.longitude)
    packer.put(coordinate.latitude)
    packer.put(coordinate.longitude)
    packer.put(sigma)
    packer.put(widest)
    packer.put(velocity)
    for lanes in [px, py, offsets, sigmas, weights] { packer.put(lanes) }
  }

  init(unpacking unpacker: inout Unpacker) throws(PackedStateError) {
    let time = try unpacker.takeTime()
    self.init(Modes(), at: time, on: LocalFrame(origin: try unpacker.takeCoordinate()))
    coordinate = try unpacker.takeCoordinate()
    sigma = try unpacker.take(Double.self)
    widest = try unpacker.take(Double.self)
    velocity = try unpacker.takeVector()
    px = try unpacker.take(Modes.Lanes.self)
    py = try unpacker.take(Modes.Lanes.self)
    offsets = try unpacker.take(Modes.Lanes.self)
    sigmas = try unpacker.take(Modes.Lanes.self)
    weights = try unpacker.take(Modes.Lanes.self)
  }
}
