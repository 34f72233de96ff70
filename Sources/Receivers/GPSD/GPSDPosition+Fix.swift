internal import Geodesy
internal import Traces
internal import Estimation

extension GPSDPosition {
  /// What a position report may contain and the next one may lack.
  struct Content: OptionSet, Sendable {
    let rawValue: UInt8
    static let speed = Content(rawValue: 1)
    static let altitude = Content(rawValue: 2)
    static let accuracy = Content(rawValue: 4)
    static let course = Content(rawValue: 8)
  }

  /// What the report contains besides the position.
  var content: Content {
    var content: Content = []
    if !speed.isNaN { content.insert(.speed) }
    if !altitude.isNaN || !ellipsoidalAltitude.isNaN { content.insert(.altitude) }
    if radius != nil { content.insert(.accuracy) }
    if !course.isNaN { content.insert(.course) }
    return content
  }

  /// Whether the report has a position: the mode shows it, not the status, which gpsd omits from an
  /// ordinary fix.
  var hasPosition: Bool { mode >= 2 && !latitude.isNaN && !longitude.isNaN }

  /// Takes the known values of a later report of the same instant.
  mutating func merge(_ later: GPSDPosition) {
    mode = max(mode, later.mode)
    // A part that says nothing of simulation does not make the instant real.
    if later.status != 0, solution != .simulated { status = later.status }
    // A latitude of one report and a longitude of another do not form a position.
    if later.hasPosition { (latitude, longitude) = (later.latitude, later.longitude) }
    if !later.ellipsoidalAltitude.isNaN { ellipsoidalAltitude = later.ellipsoidalAltitude }
    if !later.altitude.isNaN { altitude = later.altitude }
    if !later.speed.isNaN { speed = later.speed }
    if !later.course.isNaN { course = later.course }
    if !later.horizontalError.isNaN { horizontalError = later.horizontalError }
    if !later.longitudeError.isNaN { longitudeError = later.longitudeError }
    if !later.latitudeError.isNaN { latitudeError = later.latitudeError }
    if !later.verticalError.isNaN { verticalError = later.verticalError }
    if !later.courseError.isNaN { courseError = later.courseError }
    if !later.variation.isNaN { variation = later.variation }
  }

  /// The fix of the report, in the engine's units; without a position its mode is
  /// ``Fix/Mode/none``.
  ///
  /// eps and epc are not read: when the receiver reports none, gpsd derives them from the errors of
  /// two positions, some 30 m/s at a fix per second.
  var fix: Fix {
    var fix = Fix(time: time, coordinate: Coordinate(latitude: .nan, longitude: .nan))
    fix.mode = .none
    guard hasPosition else { return fix }
    fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    fix.mode = mode(of: solution)
    fix.altitude = altitude.known
    fix.ellipsoidalAltitude = ellipsoidalAltitude.known
    fix.speed = speed.known
    fix.course = course == 360 ? 0 : course.known
    fix.horizontalAccuracy = radius
    fix.verticalAccuracy = verticalError.positive.map(Accuracy.sigma(from95:))
    fix.courseAccuracy = courseError.positive.map(Accuracy.sigma(from95:))
    return fix
  }

  /// How the position was found.
  var solution: SolutionKind { SolutionKind(status: status) }

  /// gpsd_json(5), TPV: `mode` and `status`.
  private func mode(of solution: SolutionKind) -> Fix.Mode {
    switch solution {
    case .differential, .rtkFixed, .rtkFloat: .differential
    case .precise: .precise
    case .plain, .deadReckoning, .combined, .surveyed, .simulated: mode == 2 ? .twoD : .threeD
    }
  }

  /// The 68 % radius in metres, as far as the report contains it.
  private var radius: Double? {
    if let error = horizontalError.positive { return Accuracy.radius(from95: error) }
    guard let east = longitudeError.positive, let north = latitudeError.positive else {
      return nil
    }
    return Accuracy.radius(from95East: east, north: north)
  }
}

extension Double {
  /// The number, nil for NaN.
  fileprivate var known: Double? { isNaN ? nil : self }
  /// The number when it is above 0: an error of 0 is unknown.
  fileprivate var positive: Double? { self > 0 ? self : nil }
}
