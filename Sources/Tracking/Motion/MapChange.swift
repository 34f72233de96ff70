internal import Geodesy
internal import Glibc

/// The way from one flat map to another.
struct MapChange {
  let old: LocalFrame
  let new: LocalFrame

  init(from old: LocalFrame, to new: LocalFrame) {
    self.old = old
    self.new = new
  }

  /// A place as the new map shows it, and the direction there of the old map's north.
  fileprivate func show(_ place: Vector) -> (place: Vector, north: Vector) {
    let here = new.vector(to: old.coordinate(at: place))
    let there = new.vector(to: old.coordinate(at: Vector(x: place.x, y: place.y + 100)))
    let north = Vector(x: there.x - here.x, y: there.y - here.y)
    let length = north.length
    return (here, Vector(x: north.x / length, y: north.y / length))
  }
}

extension Hypothesis {
  /// Its means as another map shows them; the covariance is the same in all directions.
  mutating func move(_ change: MapChange) {
    let (here, north) = change.show(Vector(x: x.position, y: y.position))
    let rate = Vector(x: x.rate, y: y.rate).turned(to: north)
    let bias = Vector(x: x.bias, y: y.bias).turned(to: north)
    (x.position, y.position) = (here.x, here.y)
    (x.rate, y.rate) = (rate.x, rate.y)
    (x.bias, y.bias) = (bias.x, bias.y)
  }
}

extension Jitter {
  /// Its last step, which ended at `place`, as another map shows it.
  mutating func move(_ change: MapChange, at place: Vector) {
    step = step.turned(to: change.show(place).north)
  }
}

extension Vector {
  /// The same where north points in this direction.
  fileprivate func turned(to north: Vector) -> Vector {
    Vector(x: x * north.y + y * north.x, y: y * north.y - x * north.x)
  }
}

extension Sighting {
  /// As another map shows it.
  mutating func move(_ change: MapChange) {
    let (here, north) = change.show(Vector(x: x, y: y))
    (x, y) = (here.x, here.y)
    course = course.map { $0 + atan2(north.x, north.y) * 180 / .pi }
  }
}
