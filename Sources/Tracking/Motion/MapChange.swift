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
    func turned(_ x: Double, _ y: Double) -> (Double, Double) {
      (x * north.y + y * north.x, y * north.y - x * north.x)
    }
    (x.position, y.position) = (here.x, here.y)
    (x.rate, y.rate) = turned(x.rate, y.rate)
    (x.bias, y.bias) = turned(x.bias, y.bias)
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
