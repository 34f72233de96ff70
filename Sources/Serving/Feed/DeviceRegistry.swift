internal import Text
internal import Tracking

/// The devices of a server and the latest fix of each, as clients query them.
package struct DeviceRegistry: Sendable {
  package private(set) var devices: [ServedDevice] = []
  private(set) var latest: [Fix?] = []
  private var indices: [String: Int] = [:]
  /// The time of the latest fix that has one.
  private(set) var time: Timestamp?

  package init(devices: [ServedDevice] = []) {
    for device in devices { add(device) }
  }

  mutating func add(_ device: ServedDevice) {
    indices[device.path] = devices.count
    devices.append(device)
    latest.append(nil)
  }

  mutating func note(_ served: ServedFix) {
    latest[served.device] = served.fix
    time = served.fix.time ?? time
  }

  /// The index of the device with this path.
  func index(of path: String) -> Int? { indices[path] }
}

extension DeviceRegistry {
  /// The VERSION of the server: a gpsd with the protocol of release 3.22.
  static let version = """
    {"class":"VERSION","release":"3.22","rev":"waymark","proto_major":3,"proto_minor":14}\r\n
    """

  func appendDevices(to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\"class\":\"DEVICES\",\"devices\":[".utf8)
    appendList(devices.indices, to: &buffer) { appendDevice($0, to: &$1) }
    buffer.append(contentsOf: "]}\r\n".utf8)
  }

  /// Appends a DEVICE without its line end.
  func appendDevice(_ index: Int, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\"class\":\"DEVICE\",\"path\":".utf8)
    JSONText.append(devices[index].path, to: &buffer)
    buffer.append(contentsOf: ",\"driver\":\"NMEA0183\",\"activated\":\"".utf8)
    // Clients take a device without a time for gone.
    let activated = devices[index].activated ?? Timestamp(nanoseconds: 0)
    TimeText.append(activated, to: &buffer)
    // Flags 1: it has given fixes (SEEN_GPS of gps.h). The line settings are those of 9600 bit/s.
    buffer.append(
      contentsOf: """
        ","flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00}
        """.utf8)
  }

  /// Appends a POLL with the latest reports of every device that has any.
  func appendPoll(to buffer: inout [UInt8]) {
    let known = latest.indices.filter { latest[$0] != nil }
    buffer.append(contentsOf: "{\"class\":\"POLL\",".utf8)
    if let time {
      buffer.append(contentsOf: "\"time\":\"".utf8)
      TimeText.append(time, to: &buffer)
      buffer.append(contentsOf: "\",".utf8)
    }
    buffer.append(contentsOf: "\"active\":".utf8)
    DecimalText.append(Int64(known.count), to: &buffer)
    buffer.append(contentsOf: ",\"tpv\":[".utf8)
    appendList(known, to: &buffer) { index, buffer in
      if let fix = latest[index] {
        JSONReport.appendPosition(fix, of: devices[index].path, to: &buffer)
      }
    }
    buffer.append(contentsOf: "],\"gst\":[],\"sky\":[".utf8)
    let seen = known.filter { latest[$0].map(JSONReport.hasSky) == true }
    appendList(seen, to: &buffer) { index, buffer in
      if let fix = latest[index] {
        JSONReport.appendSky(fix, of: devices[index].path, to: &buffer)
      }
    }
    buffer.append(contentsOf: "]}\r\n".utf8)
  }

  /// Most bytes of elements in a list; the rest of the elements is left out.
  ///
  /// libgps takes a line of more than 20,480 bytes for the end of the connection.
  private static let longestList = 8_192

  private func appendList(
    _ indices: some Sequence<Int>, to buffer: inout [UInt8],
    _ append: (Int, inout [UInt8]) -> Void
  ) {
    let start = buffer.count
    for index in indices {
      let end = buffer.count
      if end > start { buffer.append(UInt8(ascii: ",")) }
      append(index, &buffer)
      guard buffer.count - start <= Self.longestList else {
        buffer.removeSubrange(end...)
        return
      }
    }
  }
}
