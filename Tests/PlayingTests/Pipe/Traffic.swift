import EventLog
import Formats
import Foundation
import Geodesy
import Playing
import System
import TestSupport
import Tracking

/// Made-up fixes of several devices around some fences, with what goes wrong in real ones: standing,
/// silence, duplicates, leaps and missing times.
struct Traffic {
  /// A line of NDJSON with a line feed, and its device.
  struct Line {
    var device: String
    var seconds: Double
    var text: String
  }

  private(set) var lines: [Line] = []

  /// The fences that they pass: some that overlap, a polygon, and every rule.
  static var fences: [Fence] {
    let decisions: [Decision] = [.balanced, .naive, .eager, .apple, .strict, .balanced]
    return decisions.enumerated().map { number, decision in
      let center = Coordinate(latitude: 52.5 + 0.002 * Double(number % 3), longitude: 13.4)
      let radius = 100 + 60 * Double(number)
      var fence = Fence(
        id: "fence \(number)", area: .circle(Circle(center: center, radius: radius)))
      fence.decision = decision
      fence.dwell = 300_000_000_000
      fence.notifications.insert(.dwell)
      fence.initial = number % 2 == 0 ? .state : .enter
      return fence
    }
  }

  /// The rules for them, with visits and significant changes.
  static func rules() throws -> Rules {
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    return rules
  }

  init(devices: Int, fixes: Int, using random: inout SeededGenerator) {
    var (places, speeds) = ([Coordinate](), [Double]())
    var clocks = [Double](repeating: 0, count: devices)
    for _ in 0..<devices {
      places.append(
        Coordinate(
          latitude: 52.5 + Double.random(in: -0.01...0.01, using: &random),
          longitude: 13.4 + Double.random(in: -0.01...0.01, using: &random)))
      speeds.append(0)
    }
    for _ in 0..<devices * fixes {
      let device = Int.random(in: 0..<devices, using: &random)
      if Int.random(in: 0..<20, using: &random) == 0 {
        speeds[device] = [0, 0, 1.4, 12].randomElement(using: &random) ?? 0
      }
      let gap = Int.random(in: 0..<60, using: &random) == 0 ? 4_000.0 : 10
      clocks[device] += gap
      let step = speeds[device] * gap / 111_000
      places[device].latitude += Double.random(in: -1...1, using: &random) * step
      // Towards the middle, so that fences are passed again and again.
      let east = places[device].longitude < 13.4 ? step : -step
      places[device].longitude += Double.random(in: -0.5...1, using: &random) * 1.6 * east
      add(device, clocks[device], places[device], using: &random)
    }
  }

  private mutating func add(
    _ device: Int, _ seconds: Double, _ place: Coordinate, using random: inout SeededGenerator
  ) {
    var place = place
    let chance = Int.random(in: 0..<100, using: &random)
    if chance == 0 { place.latitude += 1 }
    place.latitude += Double.random(in: -4e-5...4e-5, using: &random)
    place.longitude += Double.random(in: -6e-5...6e-5, using: &random)
    let name = "device \(device)"
    let time = chance == 1 ? "" : #","time":\#(1_741_593_600 + seconds)"#
    let text =
      #"{"type":"fix","device":"\#(name)"\#(time),"latitude":\#(place.latitude),"#
      + #""longitude":\#(place.longitude),"accuracy":\#(Int.random(in: 3...30, using: &random))}"#
      + "\n"
    lines.append(Line(device: name, seconds: seconds, text: text))
    if chance == 2 { lines.append(Line(device: name, seconds: seconds, text: text)) }
  }
}

extension PlayingFixture {
  /// What a pipe gave: its log, its warnings and its counts.
  struct Piped: Equatable {
    var log: String
    var warnings: [String]
    var totals: PipeTotals

    var lines: [String] { log.split(separator: "\n").map(String.init) }
  }

  /// Runs a pipe over a text.
  func pipe(
    _ text: String, rules: Rules, input: PipeOptions.Input = .ndjson,
    order: PipeOptions.Order = .check, threads: Int = 1,
    kinds: Set<LogEntry.Kind> = Set(LogEntry.Kind.allCases), state: String? = nil,
    carriesStates: Bool = false, mostHeldBytes: Int? = nil, mostSorted: Int? = nil,
    reading: ReadingOptions = ReadingOptions()
  ) throws -> Piped {
    try pipe(
      Array(text.utf8), rules: rules, input: input, order: order, threads: threads, kinds: kinds,
      state: state, carriesStates: carriesStates, mostHeldBytes: mostHeldBytes,
      mostSorted: mostSorted, reading: reading)
  }

  /// Runs a pipe over bytes.
  func pipe(
    _ bytes: [UInt8], rules: Rules, input: PipeOptions.Input = .ndjson,
    order: PipeOptions.Order = .check, threads: Int = 1,
    kinds: Set<LogEntry.Kind> = Set(LogEntry.Kind.allCases), state: String? = nil,
    carriesStates: Bool = false, mostHeldBytes: Int? = nil, mostSorted: Int? = nil,
    reading: ReadingOptions = ReadingOptions()
  ) throws -> Piped {
    var plan = PipeOptions(
      rules: rules, input: input, order: order, kinds: kinds, format: .jsonl, device: "stdin")
    plan.threads = threads
    plan.reading = reading
    plan.state = state.map { "\(folder)/\($0)" }
    plan.carriesStates = carriesStates
    if let mostHeldBytes { plan.mostHeldBytes = mostHeldBytes }
    if let mostSorted { plan.mostSorted = mostSorted }
    let (path, log) = ("\(folder)/in", "\(folder)/out")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let output = try OutputFile(path: log)
    var pipe = try PipeProcessor(plan, path: path, output: output)
    var warnings: [String] = []
    pipe.warn = { warnings.append($0.replacingOccurrences(of: path, with: "in")) }
    try pipe.resume()
    let totals = try pipe.run()
    try pipe.writeStates()
    try output.close()
    try pipe.keepState()
    let said = try String(contentsOfFile: log, encoding: .utf8)
    return Piped(
      log: said.replacingOccurrences(of: path, with: "in"), warnings: warnings, totals: totals)
  }
}
