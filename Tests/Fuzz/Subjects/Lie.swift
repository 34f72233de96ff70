import Tracking

/// A receiver that reports the same wrong speed and course in every fix, as one does whose wheel sensor is
/// stuck, or that holds its last course.
struct Lie {
  private let speed: Double?
  private let course: Double?
  private let (speedAccuracy, courseAccuracy): (Double?, Double?)

  init(_ reader: inout ByteReader) {
    speed = reader.one(of: [0, 0.3, 1.4, 8, 30, 300, nil, 0.01])
    course = reader.one(of: [0, 90, 180, 270, nil, 359.9])
    speedAccuracy = reader.one(of: [nil, 0.1, 0.01, 5])
    courseAccuracy = reader.one(of: [nil, 0.1, 1, 30])
  }

  /// A fix as the receiver reports it.
  func told(_ fix: Fix) -> Fix {
    var fix = fix
    (fix.speed, fix.course) = (speed, course)
    (fix.speedAccuracy, fix.courseAccuracy) = (speedAccuracy, courseAccuracy)
    return fix
  }
}
