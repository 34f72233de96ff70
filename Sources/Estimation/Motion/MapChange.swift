internal import Geodesy

/// A change from one flat map to another.
///
/// The engine changes its map when the device is ``MotionModel/mapRadius`` from the origin.
/// Positions are shown through their coordinates. Velocities and offsets are turned by the angle
/// between the norths of both maps at their position, taken from a step of 100 m to the north.
struct MapChange {
  let old: LocalFrame
  let new: LocalFrame

  init(from old: LocalFrame, to new: LocalFrame) {
    self.old = old
    self.new = new
  }

  /// A position on the new map, and the direction there of the old map's north.
  fileprivate func show(_ place: Vector) -> (place: Vector, north: Vector) {
    let here = new.vector(to: old.coordinate(at: place))
    let there = new.vector(to: old.coordinate(at: Vector(x: place.x, y: place.y + 100)))
    let north = Vector(x: there.x - here.x, y: there.y - here.y)
    let length = north.length
    return (here, Vector(x: north.x / length, y: north.y / length))
  }
}

extension Modes {
  /// Their means as another map shows them; the covariances are the same in all directions.
  mutating func move(_ change: MapChange) {
    for lane in px.indices {
      let place = Vector(x: Double(px[lane]), y: Double(py[lane]))
      let (here, north) = change.show(place)
      func turn(_ x: inout Lanes, _ y: inout Lanes) {
        let turned = Vector(x: Double(x[lane]), y: Double(y[lane])).turned(to: north)
        (x[lane], y[lane]) = (Float(turned.x), Float(turned.y))
      }
      turn(&vx, &vy)
      turn(&bx, &by)
      (px[lane], py[lane]) = (Float(here.x), Float(here.y))
    }
  }
}

extension Jitter {
  /// Its last step, which ended at `place`, as another map shows it.
  mutating func move(_ change: MapChange, at place: Vector) {
    step = step.turned(to: change.show(place).north)
  }
}

extension VelocityCheck {
  /// Its sum, at `place`, as another map shows it.
  mutating func move(_ change: MapChange, at place: Vector) {
    let sum = Vector(x: Double(east), y: Double(north)).turned(to: change.show(place).north)
    (east, north) = (Float(sum.x), Float(sum.y))
  }
}

extension Spell {
  /// Its fixes as another map shows them.
  mutating func move(_ change: MapChange) {
    let mean = change.show(Vector(x: Double(x), y: Double(y))).place
    let last = change.show(Vector(x: Double(lastX), y: Double(lastY))).place
    (x, y) = (Float(mean.x), Float(mean.y))
    (lastX, lastY) = (Float(last.x), Float(last.y))
  }
}

extension Vector {
  /// The same where north points in this direction.
  fileprivate func turned(to north: Vector) -> Vector {
    Vector(x: x * north.y + y * north.x, y: y * north.y - x * north.x)
  }
}

extension FixMeasurement {
  /// As another map shows it.
  mutating func move(_ change: MapChange) {
    let (here, north) = change.show(Vector(x: x, y: y))
    (x, y) = (here.x, here.y)
    let velocity = Vector(x: Double(east), y: Double(self.north)).turned(to: north)
    (east, self.north) = (Float(velocity.x), Float(velocity.y))
  }
}
