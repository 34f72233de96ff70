internal import Geodesy
internal import Tracking

/// Makes NMEA 0183 of gpsd's reports, for clients that ask for sentences of a recording that has none.
///
/// A real gpsd does so for receivers that speak a protocol of their own.
struct ReportSentences {
  /// False once the recording has sentences of its receivers.
  var isNeeded = true
  private var skies: [String: Sky] = [:]
  private var errors: [String: SentenceValues.Errors] = [:]

  /// The last SKY with satellites, and the last one with a dilution: gpsd reports them apart too.
  private struct Sky {
    var satellites: [Satellite] = []
    var hdop: Double?
    var vdop: Double?
    var pdop: Double?
  }

  /// Most receivers that are remembered.
  private static let mostReceivers = 64

  mutating func note(sky report: RecordedReport) {
    let device = report.device ?? ""
    guard isNeeded, skies[device] != nil || skies.count < Self.mostReceivers else { return }
    var sky = skies[device] ?? Sky()
    let satellites = report.list.compactMap { Satellite($0, of: report) }
    if !satellites.isEmpty { sky.satellites = satellites }
    if let hdop = report.number("hdop") {
      (sky.hdop, sky.vdop, sky.pdop) = (hdop, report.number("vdop"), report.number("pdop"))
    }
    skies[device] = sky
  }

  mutating func note(errors report: RecordedReport) {
    let device = report.device ?? ""
    guard isNeeded, errors[device] != nil || errors.count < Self.mostReceivers else { return }
    errors[device] = SentenceValues.Errors(
      ranges: report.number("rms"), major: report.number("major"), minor: report.number("minor"),
      orientation: report.number("orient"), latitude: report.number("lat"),
      longitude: report.number("lon"), altitude: report.number("alt"))
  }

  /// The sentences of a TPV; none when the recording has its own.
  func sentences(position report: RecordedReport) -> [UInt8] {
    guard isNeeded else { return [] }
    let device = report.device ?? ""
    var values = SentenceValues()
    values.time = report.time
    if let sky = skies[device] {
      values.satellites = sky.satellites
      values.satellitesUsed = sky.satellites.isEmpty ? nil : sky.satellites.count(where: \.isUsed)
      (values.hdop, values.vdop, values.pdop) = (sky.hdop, sky.vdop, sky.pdop)
    }
    if let latitude = report.number("lat"), let longitude = report.number("lon"),
      let mode = report.number("mode"), mode >= 2
    {
      take(report, Coordinate(latitude: latitude, longitude: longitude), mode, &values)
      values.errors = errors[device] ?? SentenceValues.Errors()
    }
    var buffer: [UInt8] = []
    NMEASentences.append(values, to: &buffer)
    return buffer
  }

  private func take(
    _ report: RecordedReport, _ coordinate: Coordinate, _ mode: Double,
    _ values: inout SentenceValues
  ) {
    guard coordinate.isValid else { return }
    values.coordinate = coordinate
    values.dimensions = mode >= 3 ? 3 : 2
    values.status = report.number("status").flatMap { Int(exactly: $0) } ?? 1
    // Before gpsd 3.20 there was only `alt`.
    values.altitude = report.number("altMSL") ?? report.number("alt")
    values.geoidHeight = report.number("geoidSep")
    values.speed = report.number("speed")
    values.course = report.number("track")
  }
}

extension Satellite {
  /// A satellite of a SKY; nil without a number, or of a system that NMEA 0183 has no numbers for.
  init?(_ element: RecordedReport.Element, of report: RecordedReport) {
    guard let number = report.number("PRN", of: element).flatMap({ Int(exactly: $0) }),
      let name = Self.name(number, report.number("svid", of: element).flatMap { Int(exactly: $0) })
    else { return nil }
    self.init(
      talker: name.talker, number: name.number, elevation: report.number("el", of: element),
      azimuth: report.number("az", of: element), signal: report.number("ss", of: element),
      isUsed: report.flag("used", of: element))
  }

  /// The talker and the number of a satellite for gpsd's PRN (gpsd_json(5), SKY).
  private static func name(_ number: Int, _ inSystem: Int?) -> (talker: String, number: Int)? {
    switch number {
    case 1...64: ("GP", number)
    case 65...96: ("GL", number)
    // Augmentation satellites have the numbers from 33 on.
    case 120...158: ("GP", number - 87)
    case 193...202: ("GQ", inSystem ?? number - 192)
    case 301...336: ("GA", inSystem ?? number - 300)
    case 401...463: ("GB", inSystem ?? number - 400)
    default: nil
    }
  }
}
