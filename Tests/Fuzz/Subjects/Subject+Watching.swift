import Foundation
import Geodesy
import Session
@testable import Text
import Tracking

@testable import Watching

extension Subject {
  /// What a live run shows of itself.
  static let watching = [
    Subject(name: "status", decodes: "names and numbers in the status file") { bytes in
      var recipe = SnapshotRecipe(bytes)
      try checkStatus(&recipe)
      return true
    },
    Subject(name: "view", decodes: "names and numbers in the view of a terminal") { bytes in
      var recipe = SnapshotRecipe(bytes)
      try checkView(&recipe)
      return true
    },
  ]

  // MARK: The status file

  private static func checkStatus(_ recipe: inout SnapshotRecipe) throws {
    let run = recipe.run()
    var states = [recipe.snapshot()]
    while recipe.flag(), states.count < 4 { states.append(recipe.snapshot()) }
    var bytes: [UInt8] = []
    StatusJSON.append(states, run, to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    try hold("a status is one line", bytes.last == 0x0A && bytes.count { $0 < 0x20 } == 1, text)
    guard let file = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] else {
      throw Violation(description: "violated: a status is an object of JSON\n\(text)")
    }
    let isList = states.count > 1 || !run.inlets.isEmpty
    let written = isList ? file["sources"] as? [[String: Any]] ?? [] : [file]
    try hold("a status has every device", written.count == states.count, text)
    for (state, read) in zip(states, written) { try checkState(state, read, text) }
    let listed = file["inlets"] as? [[String: Any]] ?? []
    try holdAlike(listed.map { $0["source"] }, run.inlets.map(\.address), text)
    let receivers = file["receivers"] as? [[String: Any]] ?? []
    let queues = run.queues
    try holdAlike(receivers.map { $0["name"] }, queues.map(\.name), text)
    try holdAlike(receivers.map { $0["error"] }, queues.map(\.error), text)
    try holdAlike(receivers.map { $0["oldest"] }, queues.map(\.oldest), text)
    try hold(
      "counts are read back", receivers.map { $0["waiting"] as? Int } == queues.map(\.waiting))
  }

  private static func checkState(
    _ state: LiveSnapshot, _ read: [String: Any], _ text: String
  ) throws {
    try holdAlike(
      [read["status"], read["device"], read["source"], read["reason"]],
      [state.status.word, state.device, state.source, state.status.reason], text)
    let inside = read["inside"] as? [[String: Any]] ?? []
    try holdAlike(inside.map { $0["fence"] }, state.presence.map(\.fence), text)
    let anchors = read["anchors"] as? [[String: Any]] ?? []
    try holdAlike(anchors.map { $0["fence"] }, state.anchors.map(\.fence), text)
    try hold("counts are read back", read["fixes"] as? Int == state.totals.gate.received, text)
    let visit = read["visit"] as? [String: Any]
    for (place, object) in [
      (state.fix?.coordinate, read), (state.stay?.coordinate, visit ?? [:]),
    ] {
      let (latitude, longitude) = (object["latitude"] as? Double, object["longitude"] as? Double)
      try hold(
        "a position is read back",
        isNear(latitude, place?.latitude) && isNear(longitude, place?.longitude),
        text)
    }
    let times = inside.map { $0["since"] } + [read["time"], visit?["arrival"]].filter { $0 != nil }
    for time in times {
      let text = Array((time as? String ?? "").utf8)
      try hold(
        "a time is one", TimeText.parse(text.span) != nil, String(decoding: text, as: UTF8.self))
    }
  }

  /// To seven decimals.
  private static func isNear(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) < 0.6e-7
  }

  /// Texts that are read back are those that were written, to the byte.
  private static func holdAlike(_ read: [Any?], _ written: [String?], _ text: String) throws {
    let isAlike = read.elementsEqual(written) {
      ($0 as? String).map { Array($0.utf8) } == $1.map { Array($0.utf8) }
    }
    try hold("texts are read back", isAlike, "\(written)\n\(text)")
  }

  // MARK: The view

  private static func checkView(_ recipe: inout SnapshotRecipe) throws {
    let isColoured = recipe.flag()
    var view = LiveView(isColoured: isColoured)
    var drawn = 0
    repeat {
      var scene = LiveView.Scene(states: [recipe.snapshot()], events: [])
      if recipe.flag() { scene.states.append(recipe.snapshot()) }
      (scene.notes, scene.events) = (recipe.texts(atMost: 2), recipe.texts(atMost: 3))
      let (width, height) = (recipe.size(), recipe.size())
      let bytes = view.draw(scene, width: width, height: height)
      let erased = drawn == 0 ? "" : "\r\u{1B}[\(drawn)A\u{1B}[J"
      try hold("what was drawn is erased", bytes.starts(with: erased.utf8), "\(bytes)")
      let text = String(decoding: bytes.dropFirst(erased.utf8.count), as: UTF8.self)
      var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      let end = lines.popLast()
      try hold("every line ends", end == "", text)
      try hold("a view leaves the last row free", lines.count <= max(height - 1, 0), text)
      for line in lines { try checkLine(isColoured ? plain(line) : line, width) }
      drawn = lines.count
    } while !recipe.isAtEnd
    let end = view.erase()
    try hold("in the end all is erased", end.isEmpty == (drawn == 0))
  }

  /// A line without the colour around it.
  private static func plain(_ line: String) -> String {
    let end = "\u{1B}[0m"
    for colour in [31, 32, 33] {
      let start = "\u{1B}[\(colour)m"
      // By scalars: a mark at its start would join the letter before it.
      let scalars = Array(line.unicodeScalars)
      guard scalars.starts(with: start.unicodeScalars),
        scalars.suffix(4).elementsEqual(end.unicodeScalars)
      else { continue }
      var plain = String.UnicodeScalarView()
      plain.append(contentsOf: scalars.dropFirst(5).dropLast(4))
      return String(plain)
    }
    return line
  }

  private static func checkLine(_ line: String, _ width: Int) throws {
    for scalar in line.unicodeScalars {
      let properties = scalar.properties
      let isControl =
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        || properties.isBidiControl
      try hold("a line has no control characters", !isControl, "\(Array(line.unicodeScalars))")
    }
    let most = max(width - 1, 1)
    try hold("a line is as wide as the terminal", DisplayWidth.of(line) <= most, line)
  }
}
