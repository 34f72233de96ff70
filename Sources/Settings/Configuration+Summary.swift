internal import Foundation
internal import Geodesy
internal import Session
internal import Text
internal import Tracking

extension Configuration {
  /// A summary of the config in a few lines, for `waymark check`.
  package var summary: String {
    var lines: [String] = []
    if let device { lines.append("device: \(device.withoutControls)") }
    if !sources.isEmpty || !inlets.isEmpty { lines.append(sourceLine) }
    if let timeZone { lines.append("time-zone: \(timeZone.identifier)") }
    lines.append("fences: \(kinds)")
    if !anchors.isEmpty {
      lines.append(
        "placed by fixes: "
          + anchors.map { "\($0.fence.id.withoutControls) (\(Self.metres($0.radius)))" }
          .joined(separator: ", "))
    }
    if !compiled.isEmpty {
      lines.append("compiled fences: \(compiled.reduce(0) { $0 + $1.count })")
    }
    if let box { lines.append("area: \(box)") }
    if !entries.isEmpty { lines += ["notify: \(notified)", "decision: \(decided)"] }
    lines.append("visits: \(visited)")
    lines.append("significant-changes: \(changed)")
    lines.append("gate: \(gated)")
    lines += sections.sorted { $0.key < $1.key }.compactMap(\.value.summary)
    return lines.joined(separator: "\n")
  }

  private var sourceLine: String {
    let texts =
      sources.map { source in
        (source.device.map { "\(source.address) as \($0)" } ?? "\(source.address)")
          + (source.ships == nil ? "" : " with ships")
          + (source.allowsSimulated ? " with simulated positions" : "")
      }
      + inlets.map(\.address)
    return "source\(texts.count > 1 ? "s" : ""): \(texts.joined(separator: ", ").withoutControls)"
  }

  /// How many fences there are of each kind.
  private var kinds: String {
    let circles = entries.filter { if case .circle = $0.fence.area { true } else { false } }.count
    let polygons = entries.count - circles
    let parts = [(circles, "circle"), (polygons, "polygon")].filter { $0.0 > 0 }
      .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return parts.isEmpty ? "none" : "\(entries.count) (\(parts.joined(separator: ", ")))"
  }

  /// The bounding box of all fences: its south-western and north-eastern corners.
  private var box: String? {
    let boxes = entries.compactMap(\.fence.area.boundingBox)
    guard let first = boxes.first else { return nil }
    let box = boxes.dropFirst().reduce(first) { $0.union($1) }
    let corners = [box.south, box.west, box.north, box.east].map(Self.degrees)
    return "\(corners[0]), \(corners[1]) to \(corners[2]), \(corners[3])"
  }

  private static func degrees(_ value: Double) -> String {
    var text: [UInt8] = []
    DecimalText.append(value, decimals: 5, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The number of fences that report each kind of event.
  private var notified: String {
    let kinds: [(Fence.Notifications, String)] = [
      (.enter, "enter"), (.exit, "exit"), (.dwell, "dwell"),
    ]
    return kinds.map { kind, name in
      "\(name) \(entries.filter { $0.fence.notifications.contains(kind) }.count)"
    }.joined(separator: ", ")
  }

  /// The number of fences by decision.
  private var decided: String {
    Decision.allCases.compactMap { decision in
      let count = entries.filter { $0.fence.decision == decision }.count
      return count > 0 ? "\(decision.rawValue) \(count)" : nil
    }.joined(separator: ", ")
  }

  private var visited: String {
    visits.map {
      "minimum-stay \(Readable.duration($0.minimumStay)), radius \(Self.metres($0.radius))"
    } ?? "off"
  }

  private var gated: String {
    "clock-jump \(Readable.duration(gate.clockJump)), memory \(Readable.duration(memory)), "
      + "lateness \(Readable.duration(gate.lateness))"
  }

  private var changed: String {
    significantChanges.map {
      "distance \(Self.metres($0.distance)), interval \(Readable.duration($0.interval))"
    } ?? "off"
  }
}
