package import Estimation
package import Fences
internal import Foundation
package import Geodesy

/// A flat place on which tests lay out what a device does, in metres and seconds.
package struct Ground {
  package var frame = LocalFrame(origin: Coordinate(latitude: 52.5, longitude: 13.4))

  package init() {}

  /// Second 0 of a test.
  package static let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)

  package init(latitude: Double, longitude: Double) {
    frame = LocalFrame(origin: Coordinate(latitude: latitude, longitude: longitude))
  }

  package static func time(_ seconds: Double) -> Timestamp {
    start.advanced(bySeconds: seconds)
  }

  package func place(_ east: Double, _ north: Double = 0) -> Coordinate {
    frame.coordinate(at: Vector(x: east, y: north))
  }

  package func fix(
    _ seconds: Double, _ east: Double, _ north: Double = 0, accuracy: Double? = 8
  ) -> Fix {
    var fix = Fix(time: Self.time(seconds), coordinate: place(east, north))
    fix.horizontalAccuracy = accuracy
    return fix
  }

  /// Metres from a place on this ground to where the estimate is.
  package func error(_ estimate: Estimate, _ east: Double, _ north: Double = 0) -> Double {
    place(east, north).distance(to: estimate.coordinate)
  }

  package func circle(_ id: String, radius: Double, decision: Decision = .balanced) -> Fence {
    var fence = Fence(id: id, area: .circle(Circle(center: frame.origin, radius: radius)))
    fence.decision = decision
    return fence
  }
}

/// The error of a receiver along both axes: a slow part and one that is new with every fix.
package struct Noise {
  /// Sigma along one axis, metres.
  package var sigma: Double
  /// Correlation time of the slow part, seconds.
  package var time = 75.0
  private var slow: (x: Double, y: Double)?
  private var last = 0.0

  package init(sigma: Double, time: Double = 75) {
    self.sigma = sigma
    self.time = time
  }

  package mutating func next(_ seconds: Double, _ random: inout SeededGenerator) -> (
    x: Double, y: Double
  ) {
    let decay = exp(-(seconds - last) / time)
    last = seconds
    let fresh = sigma * (1 - decay * decay).squareRoot()
    let old = slow ?? (sigma * random.normal(), sigma * random.normal())
    let new = (
      x: decay * old.x + fresh * random.normal(), y: decay * old.y + fresh * random.normal()
    )
    slow = new
    return (new.x + 0.1 * sigma * random.normal(), new.y + 0.1 * sigma * random.normal())
  }
}

extension SeededGenerator {
  /// Normal with sigma 1 (Box and Muller).
  package mutating func normal() -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}

extension Motion {
  /// Takes a fix and tells what comes of it.
  package mutating func see(_ fix: Fix) -> Estimate? {
    ingest(fix)
    return estimate
  }
}
