internal import Text

/// What one client wants to receive, as set by its WATCH requests.
struct ClientPolicy: Hashable {
  private(set) var isEnabled = false
  private var json = false
  private var nmea = false
  private var raw = 0
  private var scaled = false
  private var timing = false
  private var split24 = false
  private var pps = false
  private var device: String?

  /// That of a client that gets sentences without a request.
  static let sentences = {
    var policy = ClientPolicy()
    (policy.isEnabled, policy.nmea) = (true, true)
    return policy
  }()

  /// Applies a change; settings that it does not name stay.
  mutating func take(_ change: PolicyChange) {
    isEnabled = change.enable
    json = change.json ?? json
    nmea = change.nmea ?? nmea
    raw = change.raw ?? raw
    scaled = change.scaled ?? scaled
    timing = change.timing ?? timing
    split24 = change.split24 ?? split24
    pps = change.pps ?? pps
    device = change.device ?? device
  }

  /// The format of the reports for this client; nil if it gets none.
  ///
  /// The served receivers speak NMEA, so raw bytes are the sentences.
  func format(from registry: DeviceRegistry) -> ReportFormat? {
    let format = ReportFormat(
      json: json, nmea: nmea || raw > 0, pps: pps, device: device.flatMap(registry.index(of:)))
    return isEnabled && (format.json || format.nmea || pps) ? format : nil
  }

  /// The answer to a WATCH.
  func append(to buffer: inout [UInt8]) {
    buffer.append(
      contentsOf: """
        {"class":"WATCH","enable":\(isEnabled),"json":\(json),"nmea":\(nmea),"raw":\(raw),\
        "scaled":\(scaled),"timing":\(timing),"split24":\(split24),"pps":\(pps)
        """.utf8)
    if let device {
      buffer.append(contentsOf: ",\"device\":".utf8)
      JSONText.append(device, to: &buffer)
    }
    buffer.append(contentsOf: "}\r\n".utf8)
  }
}

/// A format of the reports; all clients of one format get the same bytes.
struct ReportFormat: Hashable {
  var json: Bool
  var nmea: Bool
  /// Whether reports of pulses and their times are wanted; only recordings of gpsd have them.
  var pps = false
  /// Only this device; nil for all.
  var device: Int?
}
