internal import Geodesy
internal import Glibc
internal import Receivers
internal import Session
internal import System
internal import Text
internal import Traces
package import Tracking

/// The status of a live source for other programs: one JSON object, absent values left out.
///
/// Docs/Live.md describes the keys.
package enum StatusJSON {
  /// Appends the object of the status file.
  ///
  /// - Parameter states: One for each source, then one for each device that appeared; several are a list,
  ///   and so is what a run with inlets has.
  static func append(
    _ states: [LiveSnapshot], _ run: LiveRunState = LiveRunState(), to buffer: inout [UInt8]
  ) {
    let isList = states.count > 1 || !run.inlets.isEmpty
    if isList { buffer += Array("{\"sources\":[".utf8) }
    for (index, state) in states.enumerated() {
      if index > 0 { buffer += Array("},".utf8) }
      addDevice(state, to: &buffer)
    }
    if isList { buffer += Array((states.isEmpty ? "]" : "}]").utf8) }
    buffer.append(UInt8(ascii: ","))
    addRun(run, to: &buffer)
    buffer += Array("}\n".utf8)
  }

  /// The state of a device, an object as in the list of the status file, and the number of its
  /// source from 1, unless it appeared.
  package static func device(_ state: LiveSnapshot) -> [UInt8] {
    var buffer: [UInt8] = []
    addDevice(state, to: &buffer)
    if let number = state.number { buffer += Array(",\"number\":\(number + 1)".utf8) }
    return buffer + [UInt8(ascii: "}")]
  }

  /// What a run has beside its devices, an object with the keys that follow the list of the status file.
  package static func run(_ run: LiveRunState) -> [UInt8] {
    var buffer = [UInt8(ascii: "{")]
    addRun(run, to: &buffer)
    return buffer + [UInt8(ascii: "}")]
  }

  private static func addRun(_ run: LiveRunState, to buffer: inout [UInt8]) {
    if !run.inlets.isEmpty {
      addInlets(run.inlets, to: &buffer)
      buffer += Array(",\"forgotten\":\(run.forgotten),".utf8)
    }
    if !run.queues.isEmpty { addReceivers(run.queues, to: &buffer) }
    buffer += Array("\"pid\":\(getpid()),\"version\":\"\(Release.version)\"".utf8)
  }

  /// Appends what is known of a device, without the brace at its end.
  private static func addDevice(_ state: LiveSnapshot, to buffer: inout [UInt8]) {
    buffer += Array("{\"status\":\"\(state.status.word)\",\"device\":".utf8)
    JSONText.append(state.device, to: &buffer)
    if let title = state.title {
      buffer += Array(",\"name\":".utf8)
      JSONText.append(title, to: &buffer)
    }
    buffer += Array(",\"source\":".utf8)
    JSONText.append(state.source, to: &buffer)
    if let reason = state.status.reason {
      buffer += Array(",\"reason\":".utf8)
      JSONText.append(reason, to: &buffer)
    }
    if let fix = state.fix {
      if let time = fix.time { add("time", time, to: &buffer) }
      add("age", state.age, decimals: 1, to: &buffer)
      add(fix.coordinate, to: &buffer)
      add("accuracy", fix.horizontalAccuracy, decimals: 2, to: &buffer)
      add("speed", fix.speed, decimals: 2, to: &buffer)
      add("course", fix.course.map { $0 >= 359.95 ? 0 : $0 }, decimals: 1, to: &buffer)
      if state.solution != .plain {
        buffer += Array(",\"solution\":\"\(state.solution.word)\"".utf8)
      }
    }
    buffer += Array(",\"mode\":\(state.receiver.mode)".utf8)
    if let used = state.receiver.satellitesUsed {
      buffer += Array(",\"satellites\":\(used)".utf8)
    }
    addPresence(state.presence, to: &buffer)
    if let stay = state.stay {
      buffer += Array(",\"visit\":{\"arrival\":\"".utf8)
      TimeText.append(stay.arrival, to: &buffer)
      buffer.append(UInt8(ascii: "\""))
      add(stay.coordinate, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    }
    addAnchors(state.anchors, to: &buffer)
    let gate = state.totals.gate
    buffer += Array(",\"fixes\":\(gate.received),\"used\":\(gate.accepted)".utf8)
    buffer += Array(",\"dropped\":\(gate.dropped),\"ignored\":\(state.ignored)".utf8)
  }

  private static func addInlets(_ inlets: [InletReporter], to buffer: inout [UInt8]) {
    buffer += Array("\"inlets\":[".utf8)
    for (index, inlet) in inlets.enumerated() {
      buffer += Array((index > 0 ? ",{\"source\":" : "{\"source\":").utf8)
      JSONText.append(inlet.address, to: &buffer)
      buffer += Array(
        ",\"devices\":\(inlet.devices.count),\"messages\":\(inlet.messages)".utf8)
      buffer += Array(",\"ignored\":\(inlet.ignored),\"refused\":\(inlet.refused)".utf8)
      if let status = inlet.status {
        buffer += Array(",\"status\":".utf8)
        JSONText.append(status, to: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private static func addAnchors(_ anchors: [AnchorDrift], to buffer: inout [UInt8]) {
    guard !anchors.isEmpty else { return }
    buffer += Array(",\"anchors\":[".utf8)
    for (index, anchor) in anchors.enumerated() {
      buffer += Array((index > 0 ? ",{\"fence\":" : "{\"fence\":").utf8)
      JSONText.append(anchor.fence, to: &buffer)
      buffer += Array(",\"state\":\"\(anchor.state.rawValue)\"".utf8)
      if let center = anchor.center { add(center, to: &buffer) }
      add("radius", anchor.radius, decimals: 2, to: &buffer)
      add("distance", anchor.distance, decimals: 2, to: &buffer)
      add("bearing", anchor.bearing.map { $0 >= 359.95 ? 0 : $0 }, decimals: 1, to: &buffer)
      if anchor.center != nil { add("swing", anchor.reach, decimals: 2, to: &buffer) }
      add("timeToEdge", anchor.timeToEdge, decimals: 0, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private static func addReceivers(_ queues: [DeliveryQueue], to buffer: inout [UInt8]) {
    buffer += Array("\"receivers\":[".utf8)
    for (index, queue) in queues.enumerated() {
      buffer += Array((index > 0 ? ",{\"name\":" : "{\"name\":").utf8)
      JSONText.append(queue.name, to: &buffer)
      buffer += Array(",\"waiting\":\(queue.waiting)".utf8)
      if let oldest = queue.oldest {
        buffer += Array(",\"oldest\":".utf8)
        JSONText.append(oldest, to: &buffer)
      }
      buffer += Array(",\"delivered\":\(queue.delivered),\"givenUp\":\(queue.dead)".utf8)
      if let error = queue.error {
        buffer += Array(",\"error\":".utf8)
        JSONText.append(error, to: &buffer)
      }
      if let next = queue.nextAttempt, next.magnitude < 1e10 {
        buffer += Array(",\"nextAttempt\":\"".utf8)
        TimeText.append(Timestamp(nanoseconds: Int64(next) * 1_000_000_000), to: &buffer)
        buffer.append(UInt8(ascii: "\""))
      }
      buffer.append(UInt8(ascii: "}"))
    }
    buffer += Array("],".utf8)
  }

  /// A position as `[time, latitude, longitude, accuracy, speed]`: seconds since 1970, degrees, metres and
  /// metres per second; null for what is unknown.
  package static func position(_ fix: Fix) -> [UInt8] {
    var text = Array("[".utf8)
    let values: [(Double?, Int)] = [
      (fix.time.map { Double($0.nanoseconds) / 1e9 }, 3), (fix.coordinate.latitude, 7),
      (fix.coordinate.longitude, 7), (fix.horizontalAccuracy, 1), (fix.speed, 2),
    ]
    for (index, (value, decimals)) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if let value, value.isFinite {
        DecimalText.append(value, decimals: decimals, to: &text)
      } else {
        text += Array("null".utf8)
      }
    }
    return text + [UInt8(ascii: "]")]
  }

  private static func addPresence(_ presence: [Presence], to buffer: inout [UInt8]) {
    buffer += Array(",\"inside\":[".utf8)
    for (index, place) in presence.enumerated() {
      buffer += Array((index > 0 ? ",{\"fence\":" : "{\"fence\":").utf8)
      JSONText.append(place.fence, to: &buffer)
      buffer += Array(",\"since\":\"".utf8)
      TimeText.append(place.since, to: &buffer)
      buffer += Array("\"}".utf8)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private static func add(_ coordinate: Coordinate, to buffer: inout [UInt8]) {
    add("latitude", coordinate.latitude, decimals: 7, to: &buffer)
    add("longitude", coordinate.longitude, decimals: 7, to: &buffer)
  }

  private static func add(_ name: String, _ time: Timestamp, to buffer: inout [UInt8]) {
    buffer += Array(",\"\(name)\":\"".utf8)
    TimeText.append(time, to: &buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  private static func add(
    _ name: String, _ value: Double?, decimals: Int, to buffer: inout [UInt8]
  ) {
    guard let value, value.isFinite else { return }
    buffer += Array(",\"\(name)\":".utf8)
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }
}
