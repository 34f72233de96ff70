import EventLog
import Geodesy
import Text
import TrackFiles
import Tracking

extension SimulatedDevice {
  /// The trace of the fixes in order of arrival.
  package func fixesFile(_ format: SimulationFormat) -> [UInt8] {
    var text: [UInt8] = []
    switch format {
    case .csv: write(.csv, to: &text)
    case .gpx: write(.gpx, to: &text)
    case .ndjson:
      for fix in fixes { JSONLinesWriter.append(LogEntry(device: name, .fix(fix)), to: &text) }
    }
    return text
  }

  private func write(_ format: TrackFormat, to text: inout [UInt8]) {
    var writer = TrackWriter(format, style: .simulated)
    writer.begin(into: &text)
    writer.append(RecordedTrack(device: name, segments: [fixes]), to: &text)
    writer.end(into: &text)
  }

  /// A config with the fences, to copy and tune.
  package var configurationFile: [UInt8] {
    var text: [UInt8] = []
    text += "# Fences of a simulated device; see Docs/Simulation.md.\n"
    text += "device: \(name)\nfences:\n"
    for fence in fences {
      let centre = coordinate(fence.centre)
      text += "  - id: \(fence.id)  # \(fence.reason.rawValue)\n    center: ["
      DecimalText.append(centre.latitude, decimals: 7, to: &text)
      text += ", "
      DecimalText.append(centre.longitude, decimals: 7, to: &text)
      text += "]\n    radius: \(Int(fence.radius)) m\n"
    }
    if fences.isEmpty { text += "  []\n" }
    return text
  }

  /// The fences as a JSON array.
  package var fencesFile: [UInt8] {
    JSONLine.array(
      fences.map { fence in
        let centre = coordinate(fence.centre)
        var line = JSONLine()
        line.add("id", fence.id)
        line.add("latitude", centre.latitude, decimals: 7)
        line.add("longitude", centre.longitude, decimals: 7)
        line.add("radius", fence.radius, decimals: 1)
        line.add("why", fence.reason.rawValue)
        return line
      })
  }

  /// The true stays, one JSON object per line.
  package var visitLines: [UInt8] {
    JSONLine.lines(
      truth.stays.enumerated().map { number, stay in
        let centre = coordinate(stay.centre)
        let heard =
          fixSeconds.count(before: stay.departure) - fixSeconds.count(before: stay.arrival)
        var line = JSONLine()
        line.add("device", name)
        line.add("id", number)
        line.add("arrival", time(stay.arrival))
        line.add("departure", time(stay.departure))
        line.add("latitude", centre.latitude, decimals: 7)
        line.add("longitude", centre.longitude, decimals: 7)
        line.add("kind", stay.kind.rawValue)
        line.add("required", stay.isLong && heard >= Self.leastFixes)
        line.add("clipped_start", stay.arrival <= 0)
        line.add("clipped_end", stay.departure >= Double(truth.length))
        line.add("fixes", heard)
        line.add("env", stay.environment.name)
        return line
      })
  }

  /// A stay with fewer fixes cannot be found.
  private static let leastFixes = 2

  /// The true crossings of all fences, one JSON object per line.
  package var crossingLines: [UInt8] {
    JSONLine.lines(
      fences.flatMap { fence in
        let truth = crossings(of: fence)
        return truth.passages.map { line($0, of: fence, beginsInside: truth.beginsInside) }
      })
  }

  private func line(
    _ passage: FenceTruth.Passage, of fence: FencePlacement.SimulatedFence, beginsInside: Bool
  ) -> JSONLine {
    var line = JSONLine()
    line.add("device", name)
    line.add("fence", fence.id)
    line.add("type", passage.kind.rawValue)
    let span = span(of: passage)
    line.add("time", time(passage.time))
    line.add("time_first", time(span.lowerBound))
    line.add("time_last", time(span.upperBound))
    line.add("required", passage.isRequired)
    line.addOrNull("fix_before", passage.fixBefore.map(time))
    line.addOrNull("fix_after", passage.fixAfter.map(time))
    if let inside = passage.inside {
      line.add("inside_s", inside, decimals: 3)
    } else {
      line.addNull("inside_s")
    }
    line.add("initial", beginsInside)
    line.add("why", fence.reason.rawValue)
    line.add("radius", fence.radius, decimals: 1)
    return line
  }

  /// The times that an event of a passage may have, seconds after the start.
  ///
  /// Of a passage that need not be noticed, anything between the fixes around it is right; phones with
  /// a fix a minute or more are scored without that.
  private func span(of passage: FenceTruth.Passage) -> ClosedRange<Double> {
    guard kind != .phone, !passage.isRequired else { return passage.first...passage.last }
    let before = fixSeconds.count(before: passage.first)
    let after = fixSeconds.count(before: passage.last)
    let first = before > 0 ? fixSeconds[before - 1] : passage.first
    let last = after < fixSeconds.count ? fixSeconds[after] : passage.last
    return min(first, passage.first)...max(last, passage.last)
  }

  /// The true position of the device every 30 s.
  package var trackFile: [UInt8] {
    var text: [UInt8] = []
    text += "time,latitude,longitude\n"
    for second in stride(from: 0, to: truth.positions.count, by: 30) {
      let position = coordinate(truth.positions[second])
      TimeText.append(time(Double(second)), to: &text)
      text += ","
      DecimalText.append(position.latitude, decimals: 7, to: &text)
      text += ","
      DecimalText.append(position.longitude, decimals: 7, to: &text)
      text += "\n"
    }
    return text
  }

  private func time(_ second: Double) -> Timestamp { start.advanced(bySeconds: second) }

  /// The device's entry in the list of devices.
  fileprivate var entry: JSONLine {
    let origin = truth.town.frame.origin
    var line = JSONLine()
    line.add("device", name)
    line.add("split", isForTuning ? "train" : "test")
    line.add("regime", kind == .phone ? sampling.name : kind.rawValue)
    line.add("interval", sampling.interval)
    line.add("profile", kind.isCarried ? profile.rawValue : kind.rawValue)
    line.add("days", days)
    line.add("base", [origin.latitude, origin.longitude], decimals: 7)
    line.add("start", start)
    line.add("end", time(Double(truth.length)))
    line.add("first_fix", fixes.first?.time)
    line.add("fixes", fixes.count)
    line.add("fences", fences.count)
    line.add("tau", phone.tau, decimals: 1)
    line.add("quality", phone.quality, decimals: 3)
    line.add("doze", phone.dozes)
    line.add("nospeed", fixes.allSatisfy { $0.speed == nil })
    return line
  }

  /// The device's line in the list of devices (``deviceList(_:)``).
  package var summary: [UInt8] { entry.finished }

  /// The list of devices, from their summaries.
  package static func deviceList(_ summaries: [[UInt8]]) -> [UInt8] {
    JSONLine.array(of: summaries)
  }
}

extension JSONLine {
  fileprivate static func lines(_ lines: [JSONLine]) -> [UInt8] {
    lines.flatMap { $0.finished + [UInt8(ascii: "\n")] }
  }

  fileprivate static func array(_ lines: [JSONLine]) -> [UInt8] {
    array(of: lines.map(\.finished))
  }

  fileprivate static func array(of objects: [[UInt8]]) -> [UInt8] {
    var text = Array("[\n".utf8)
    text += objects.joined(separator: Array(",\n".utf8))
    text += objects.isEmpty ? "]\n" : "\n]\n"
    return text
  }

  fileprivate mutating func addOrNull(_ key: String, _ value: Timestamp?) {
    if value == nil { addNull(key) } else { add(key, value) }
  }
}

extension Environment {
  /// The name in files.
  fileprivate var name: String {
    switch self {
    case .deepIndoor: "indoordeep"
    case .covered: "tunnel"
    default: "\(self)"
    }
  }
}

extension [UInt8] {
  static func += (bytes: inout [UInt8], text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
