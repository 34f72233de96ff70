internal import Traces

/// What one client wants to see, as the WATCH that it sent last left it.
struct WatchPolicy: Hashable {
  private(set) var isEnabled = false
  private var json = false
  private var nmea = false
  private var raw = 0
  private var scaled = false
  private var timing = false
  private var split24 = false
  private var pps = false
  private var device: String?

  /// Takes a change over; what it does not name stays.
  mutating func take(_ change: WatchChange) {
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

  /// How reports are written for this client; nil when it gets none.
  ///
  /// The receiver speaks NMEA, so that its raw bytes are the sentences.
  func flavour(on board: Board) -> Flavour? {
    let flavour = Flavour(
      json: json, nmea: nmea || raw > 0, device: device.flatMap(board.index(of:)))
    return isEnabled && (flavour.json || flavour.nmea) ? flavour : nil
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

/// A form of the reports that some clients want: those of one flavour get the same bytes.
struct Flavour: Hashable {
  var json: Bool
  var nmea: Bool
  /// Only this device; nil for all.
  var device: Int?
}
