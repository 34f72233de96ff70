internal import Geodesy
internal import Text
internal import Tracking

/// The devices of a server and the latest reports of each, as clients query them.
package struct DeviceRegistry: Sendable {
  package private(set) var devices: [ServedDevice] = []
  /// The VERSION that every client gets, with its line end.
  let greeting: [UInt8]
  private var latest: [Latest] = []
  private var indices: [ExactText: Int] = [:]
  /// The time of the latest fix that has one.
  private(set) var time: Timestamp?
  /// The last DEVICES of a recording, until another report changes a device.
  private var list: [UInt8]?

  /// The last reports of a device.
  private struct Latest {
    var served: ServedFix?
    /// Those of a recording: its DEVICE, and its last TPV, GST and SKY.
    var device: [UInt8]?
    var position: [UInt8]?
    var errors: [UInt8]?
    var sky: [UInt8]?

    var isKnown: Bool { served != nil || position != nil }
  }

  /// - Parameters:
  ///   - greeting: The VERSION of a recorded gpsd; nil for the server's own.
  ///   - list: The DEVICES with which a recording begins.
  package init(devices: [ServedDevice] = [], greeting: [UInt8]? = nil, list: [UInt8]? = nil) {
    self.greeting = greeting ?? Array(Self.version.utf8)
    for device in devices { add(device) }
    if let list { note(devices: list) }
  }

  mutating func add(_ device: ServedDevice) {
    indices[ExactText(device.path)] = devices.count
    devices.append(device)
    latest.append(Latest())
    list = nil
  }

  mutating func note(_ served: ServedFix) {
    latest[served.device].served = served
    time = served.fix.time ?? time
  }

  mutating func note(_ line: RecordedLine) {
    guard line.kind != .devices else { return note(devices: line.bytes) }
    guard let device = line.device else { return }
    switch line.kind {
    case .position:
      latest[device].position = line.bytes
      time = (try? RecordedReport(line.bytes))?.time ?? time
    case .errors: latest[device].errors = line.bytes
    case .sky: latest[device].sky = line.bytes
    case .device:
      latest[device].device = line.bytes
      list = nil
    case .devices, .timing, .other, .sentence: break
    }
  }

  private mutating func note(devices line: [UInt8]) {
    list = line
    // It was read before as one object.
    guard let report = try? RecordedReport(line) else { return }
    for element in report.list {
      guard let path = report.text("path", of: element), let index = indices[ExactText(path)] else {
        continue
      }
      latest[index].device = Array(line[element.range])
    }
  }

  /// The index of the device with this path, or else with one that Unicode calls equal.
  func index(of path: String) -> Int? {
    indices[ExactText(path)] ?? ExactText.firstIndex(of: path, in: devices.lazy.map(\.path))
  }
}

extension DeviceRegistry {
  /// The VERSION of the server: a gpsd with the protocol of release 3.22.
  static let version = """
    {"class":"VERSION","release":"3.22","rev":"waymark","proto_major":3,"proto_minor":14}\r\n
    """

  func appendDevices(to buffer: inout [UInt8]) {
    if let list {
      buffer += list
    } else {
      buffer.append(contentsOf: "{\"class\":\"DEVICES\",\"devices\":[".utf8)
      appendList(devices.indices, to: &buffer) { appendDevice($0, to: &$1) }
      buffer.append(contentsOf: "]}".utf8)
    }
    buffer.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a DEVICE without its line end.
  func appendDevice(_ index: Int, to buffer: inout [UInt8]) {
    if let recorded = latest[index].device {
      buffer += recorded
      return
    }
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
    let known = latest.indices.filter { latest[$0].isKnown }
    buffer.append(contentsOf: "{\"class\":\"POLL\",".utf8)
    if let time {
      buffer.append(contentsOf: "\"time\":\"".utf8)
      TimeText.append(time, to: &buffer)
      buffer.append(contentsOf: "\",".utf8)
    }
    buffer.append(contentsOf: "\"active\":".utf8)
    DecimalText.append(Int64(known.count), to: &buffer)
    buffer.append(contentsOf: ",\"tpv\":[".utf8)
    appendList(known, to: &buffer, appendPosition)
    buffer.append(contentsOf: "],\"gst\":[".utf8)
    appendList(known.filter { latest[$0].errors != nil }, to: &buffer) { index, buffer in
      buffer += latest[index].errors ?? []
    }
    buffer.append(contentsOf: "],\"sky\":[".utf8)
    // As gpsd does, also when nothing is known of the sky: clients take the last one of the list.
    appendList(known, to: &buffer, appendSky)
    buffer.append(contentsOf: "]}\r\n".utf8)
  }

  private func appendPosition(_ index: Int, to buffer: inout [UInt8]) {
    if let served = latest[index].served {
      JSONReport.appendPosition(
        served.fix, of: devices[index].path, served.solution, to: &buffer)
    } else {
      buffer += latest[index].position ?? []
    }
  }

  private func appendSky(_ index: Int, to buffer: inout [UInt8]) {
    if let sky = latest[index].sky {
      buffer += sky
    } else {
      // Of a recording without a SKY nothing but the receiver is known.
      let fix =
        latest[index].served?.fix
        ?? Fix(time: nil, coordinate: Coordinate(latitude: 0, longitude: 0))
      JSONReport.appendSky(fix, of: devices[index].path, to: &buffer)
    }
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
