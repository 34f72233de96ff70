internal import Geodesy
internal import Text
internal import Traces
internal import Estimation

/// Combines sentences of NMEA 0183, of any talker, to epochs: RMC, GGA, GNS, GLL, ZDA, GSA, GST,
/// VTG and WPL.
///
/// Headings come from HDG, HDM, HDT and THS. Of u-blox's own sentences PUBX,00 and PUBX,04 are read.
/// DTM only shows whether the positions are of WGS 84.
///
/// An epoch contains all sentences of one time of day; it ends at a sentence with a position at
/// another time. A time in milliseconds and one in hundredths may be the same, rounded, as receivers
/// of Magellan write it. Sentences without a time (GSA, VTG) belong to the current epoch. The date
/// comes from RMC, ZDA and PUBX,04 (``ReceiverCalendar``); without a date the fixes have no time.
struct NMEAReader: Sendable {
  /// The current epoch.
  private struct Epoch: Sendable {
    var report = GPSDPosition()
    var sky = GPSDSky()
    var time: NMEATime
    /// Days since 1970, when a sentence of the epoch contains it.
    var day: Int?
    /// The dimensions of the solution from GSA: 2 or 3.
    var dimensions: Int?
    var line: Int
  }

  private var sentence = NMEASentence()
  private var epoch: Epoch?
  private var calendar = ReceiverCalendar()
  /// The errors of a GST before its epoch.
  private var early: (time: NMEATime, errors: GPSDPosition)?
  /// What to note of the datum that a DTM named; nil for WGS 84.
  private(set) var datumNote: String?
  /// The line of the first position without a date, until a date is known.
  private var undatedLine: Int?

  /// The first ``mostTalkers`` talkers of positions, two bytes each.
  private var talkerCodes: [UInt16] = []
  private static let mostTalkers = 8
  /// `PU`, with which the sentences of u-blox begin.
  private static let ublox: UInt16 = 0x50_55

  /// The talkers of positions, such as `GP`, sorted.
  var talkers: [String] {
    talkerCodes.sorted().map {
      $0 == Self.ublox
        ? "PUBX" : String(decoding: [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)], as: UTF8.self)
    }
  }

  private mutating func noteTalker(_ bytes: Span<UInt8>) {
    let code = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
    guard talkerCodes.last != code, talkerCodes.count < Self.mostTalkers,
      !talkerCodes.contains(code)
    else { return }
    talkerCodes.append(code)
  }

  /// Checks a sentence without reading it; returns whether it has a checksum.
  mutating func check(_ bytes: Span<UInt8>, isCut: Bool) throws(NMEAError) -> Bool {
    try sentence.read(bytes, isCut: isCut)
    return sentence.hasChecksum
  }

  /// Reads a sentence, which begins with `$` or `!`.
  ///
  /// - Returns: whether it is one of the supported sentences.
  mutating func read(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ epochs: inout ReceiverEpochs,
    _ compass: inout Compass, _ batch: inout TraceBatch
  ) throws(NMEAError) -> Bool {
    try sentence.read(bytes, isCut: line.isCut)
    guard let kind = sentence.kind else { return false }
    switch kind {
    case .rmc, .gga, .gns, .gll, .pubx00:
      noteTalker(bytes)
      let part = try NMEAPosition(sentence, kind, bytes)
      compass.hear(variation: part.report.variation)
      return add(part, line.number, &epochs, &batch)
    case .zda: return try readDate(bytes)
    case .pubx04: return try readUbloxDate(bytes)
    case .gsa: return try readSatellites(bytes)
    case .gst: return try readErrors(bytes)
    case .vtg: return try readMotion(bytes)
    case .wpl: return try readWaypoint(bytes, &batch)
    case .dtm:
      readDatum(bytes)
      return false
    case .hdg, .hdm, .hdt, .ths: return try readHeading(kind, bytes, &compass, &batch)
    }
  }

  /// Emits the current epoch, which is complete.
  mutating func finish(_ epochs: inout ReceiverEpochs, _ batch: inout TraceBatch) {
    guard var epoch else { return }
    self.epoch = nil
    epoch.report.time = calendar.timestamp(at: epoch.time.nanoseconds, day: epoch.day)
    if let dimensions = epoch.dimensions, epoch.report.mode >= 2 {
      epoch.report.mode = dimensions
    }
    if calendar.isKnown {
      undatedLine = nil
    } else if epoch.report.hasPosition, undatedLine == nil {
      undatedLine = epoch.line
    }
    epochs.take(whole: epoch.sky)
    epochs.take(whole: epoch.report, line: epoch.line, into: &batch)
  }

  /// Reports that no sentence contained a date, when there were positions.
  func reportUndated(_ batch: inout TraceBatch) {
    guard let undatedLine else { return }
    batch.mark(
      .issue(
        TraceIssue(
          .record, line: undatedLine, column: 1,
          "from here on no sentence has a date, expected RMC, ZDA or PUBX,04; fixes without a date are "
            + "not used")))
  }

  /// Discards the current epoch, because gpsd's reports repeat it.
  ///
  /// - Returns: whether there was one.
  mutating func forget() -> Bool {
    defer { epoch = nil }
    return epoch != nil
  }

  // MARK: Sentences with a position

  private mutating func add(
    _ part: NMEAPosition, _ line: Int, _ epochs: inout ReceiverEpochs, _ batch: inout TraceBatch
  ) -> Bool {
    guard let time = part.time ?? epoch?.time else {
      guard part.report.hasPosition else { return false }
      epochs.take(whole: part.report, line: line, into: &batch)
      return true
    }
    if let epoch {
      let day = part.day.map { epoch.time.day($0, of: time) }
      if !epoch.time.isSame(as: time) || (day ?? epoch.day) != (epoch.day ?? day) {
        finish(&epochs, &batch)
      }
    }
    if epoch == nil { begin(time, line) }
    epoch?.report.merge(part.report)
    epoch?.sky.merge(part.sky)
    if let day = part.day { setDay(day, time) }
    return true
  }

  private mutating func begin(_ time: NMEATime, _ line: Int) {
    epoch = Epoch(time: time, line: line)
    if let early, early.time.isSame(as: time) { epoch?.report.merge(early.errors) }
    early = nil
  }

  // MARK: Sentences without

  /// ZDA: time, day, month, year.
  private mutating func readDate(_ bytes: Span<UInt8>) throws(NMEAError) -> Bool {
    guard let time = try sentence.timeOfDay(1, bytes), let day = try sentence.count(2, bytes),
      let month = try sentence.count(3, bytes), let year = try sentence.count(4, bytes)
    else { return false }
    setDay(try sentence.day(4, year: year, month: month, day: day, bytes), time)
    return true
  }

  /// PUBX,04: 2 a time, 3 its date.
  private mutating func readUbloxDate(_ bytes: Span<UInt8>) throws(NMEAError) -> Bool {
    guard let time = try sentence.timeOfDay(2, bytes), let date = try sentence.date(3, bytes)
    else { return false }
    setDay(date, time)
    return true
  }

  /// Sets the day of a time, and that of the current epoch when it is at that time.
  private mutating func setDay(_ day: Int, _ time: NMEATime) {
    calendar.set(day: day, time: time.nanoseconds)
    guard let epoch, epoch.time.isSame(as: time), epoch.day == nil else { return }
    self.epoch?.day = epoch.time.day(day, of: time)
  }

  /// WPL: 1 to 4 a position, 5 its name.
  private func readWaypoint(
    _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) throws(NMEAError) -> Bool {
    let place = Coordinate(
      latitude: try sentence.degrees(1, isLatitude: true, bytes),
      longitude: try sentence.degrees(3, isLatitude: false, bytes))
    guard !place.latitude.isNaN, !place.longitude.isNaN else { return false }
    batch.mark(.waypoint(place, name: sentence.range(5).map { bytes.extracting($0).string }))
    return true
  }

  /// GSA: 2 the dimensions, 15 to 17 the dilutions.
  ///
  /// The satellites used are those of one system, so their number comes from GGA.
  private mutating func readSatellites(_ bytes: Span<UInt8>) throws(NMEAError) -> Bool {
    let dimensions = try sentence.letter(2, of: "123", bytes)
    var sky = GPSDSky()
    sky.pdop = try sentence.number(15, bytes)
    sky.hdop = try sentence.number(16, bytes)
    sky.vdop = try sentence.number(17, bytes)
    guard epoch != nil else { return false }
    epoch?.sky.merge(sky)
    switch dimensions {
    case UInt8(ascii: "2"): epoch?.dimensions = 2
    case UInt8(ascii: "3"): epoch?.dimensions = 3
    default: break
    }
    return true
  }

  /// GST: 6 to 8 one sigma of latitude, longitude and altitude in metres.
  private mutating func readErrors(_ bytes: Span<UInt8>) throws(NMEAError) -> Bool {
    guard let time = try sentence.timeOfDay(1, bytes) else { return false }
    var errors = GPSDPosition()
    errors.latitudeError = Accuracy.bound95(sigma: try sentence.number(6, bytes))
    errors.longitudeError = Accuracy.bound95(sigma: try sentence.number(7, bytes))
    errors.verticalError = Accuracy.bound95(sigma: try sentence.number(8, bytes))
    if let epoch, epoch.time.isSame(as: time) {
      self.epoch?.report.merge(errors)
    } else {
      early = (time, errors)
    }
    return true
  }

  /// DTM: 1 the code of the datum of positions, 2 its subdivision; 999 is a datum of the user's.
  private mutating func readDatum(_ bytes: Span<UInt8>) {
    guard datumNote == nil, let code = sentence.range(1) else { return }
    let name = bytes.extracting(code).string
    guard let note = Datum.note(name == "999" ? "unknown (999)" : name) else { return }
    guard let subdivision = sentence.range(2) else {
      datumNote = note
      return
    }
    datumNote = Datum.note("\(name) \(bytes.extracting(subdivision).string)")
  }

  /// HDG: 1 the sensor's angle, 2 and 3 its deviation, 4 and 5 the variation; HDM, HDT and THS: 1 the angle
  /// from magnetic or true north; THS: 2 its mode, V for invalid.
  ///
  /// The time is that of the epoch, as far as the date is known.
  private func readHeading(
    _ kind: NMEASentence.Kind, _ bytes: Span<UInt8>, _ compass: inout Compass,
    _ batch: inout TraceBatch
  ) throws(NMEAError) -> Bool {
    var calendar = calendar
    let time = epoch.flatMap { calendar.timestamp(at: $0.time.nanoseconds, day: $0.day) }
    let angle = try sentence.number(1, bytes)
    guard angle.isNaN || 0...360 ~= angle else {
      throw sentence.invalidField(1, "an angle from 0 to 360", bytes)
    }
    let heading: Heading?
    switch kind {
    case .hdg:
      let deviation = try sentence.eastward(2, bytes)
      compass.hear(variation: try sentence.eastward(4, bytes))
      let magnetic = deviation.isNaN ? angle : angle + deviation
      heading = compass.heading(magnetic: magnetic, at: time)
    case .hdm: heading = compass.heading(magnetic: angle, at: time)
    case .ths where try sentence.letter(2, of: "AEMSV", bytes) == UInt8(ascii: "V"):
      heading = nil
    default: heading = compass.heading(magnetic: .nan, geographic: angle, at: time)
    }
    guard let heading else { return false }
    batch.mark(.heading(heading))
    return true
  }

  /// VTG: course and speed, when no other sentence of the epoch contains them.
  private mutating func readMotion(_ bytes: Span<UInt8>) throws(NMEAError) -> Bool {
    // Before NMEA 2.0 the units were not written: course, magnetic course, knots, km/h.
    let hasUnits = sentence.range(2).map { bytes[$0.lowerBound] == UInt8(ascii: "T") } ?? true
    let course = try sentence.number(1, bytes)
    let speed = try sentence.number(hasUnits ? 5 : 3, bytes) * NMEAPosition.knot
    guard let report = epoch?.report else { return false }
    if report.speed.isNaN { epoch?.report.speed = speed }
    if report.course.isNaN { epoch?.report.course = course }
    return true
  }
}

extension GPSDSky {
  /// Takes the known values of a later sentence of the same epoch.
  fileprivate mutating func merge(_ later: GPSDSky) {
    if !later.hdop.isNaN { hdop = later.hdop }
    if !later.vdop.isNaN { vdop = later.vdop }
    if !later.pdop.isNaN { pdop = later.pdop }
    satellitesUsed = later.satellitesUsed ?? satellitesUsed
  }
}
