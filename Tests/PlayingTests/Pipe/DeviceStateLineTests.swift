import Foundation
import Playing
import TestSupport
import Testing
import Tracking

@Suite("The states of devices in the lines of a pipe")
struct DeviceStateLineTests {
  private func lines(seed: UInt64, fixes: Int = 150) -> [String] {
    var random = SeededGenerator(seed: seed)
    return Traffic(devices: 6, fixes: fixes, using: &random).lines.map(\.text)
  }

  private func isState(_ line: String) -> Bool { line.hasPrefix(#"{"type":"device-state","#) }

  /// Runs a pipe over lines, and gives the lines of the log, those of states and all of the result.
  private func run(
    _ lines: some Sequence<String>, order: PipeOptions.Order = .check, threads: Int = 1
  ) throws -> (log: [String], states: [String], piped: PlayingFixture.Piped) {
    let piped = try PlayingFixture().pipe(
      lines.joined(), rules: try Traffic.rules(), order: order, threads: threads,
      carriesStates: true)
    return (piped.lines.filter { !isState($0) }, piped.lines.filter(isState), piped)
  }

  @Test(
    "two runs over the halves of an input give what one gives, wherever it is cut",
    arguments: [PipeOptions.Order.check, .trust])
  func halves(order: PipeOptions.Order) throws {
    let lines = lines(seed: 31, fixes: 25)
    let whole = try run(lines, order: order)
    #expect(whole.states.count == 6 && whole.log.count > 20)
    for cut in 0...lines.count {
      let first = try run(lines[..<cut], order: order)
      let second = try run(
        first.states.map { $0 + "\n" } + lines[cut...], order: order, threads: 1 + cut % 3)
      let isSame = first.log + second.log == whole.log
      #expect(isSame, "cut at \(cut)")
      let isSameState = second.states == whole.states
      #expect(isSameState, "cut at \(cut)")
      let (a, b, sum) = (first.piped.totals, second.piped.totals, whole.piped.totals)
      #expect(a.gate.received + b.gate.received == sum.gate.received)
      #expect(b.resumed == a.gate.waiting && b.problems == 0)
    }
  }

  @Test(
    "a state may stand right before the first fix of its device, and with a sorted input anywhere")
  func places() throws {
    let lines = lines(seed: 32)
    let (whole, cut) = (try run(lines), lines.count / 2)
    let first = try run(lines[..<cut])
    var mixed: [String] = []
    var states = Dictionary(
      uniqueKeysWithValues: first.states.map { ($0.components(separatedBy: "\"")[7], $0 + "\n") })
    for line in lines[cut...] {
      if let state = states.removeValue(forKey: line.components(separatedBy: "\"")[7]) {
        mixed.append(state)
      }
      mixed.append(line)
    }
    let isSame =
      try run(mixed + states.values, threads: 2).log
      == Array(whole.log.dropFirst(first.log.count))
    #expect(isSame && !mixed.isEmpty)

    let sorted = try run(first.states.map { $0 + "\n" } + lines[cut...], order: .sort)
    let behind = try run(lines[cut...] + first.states.map { $0 + "\n" }, order: .sort)
    let isSameBehind = behind.log == sorted.log && behind.states == sorted.states
    #expect(isSameBehind && sorted.log.count > 20)
  }

  @Test("a fix that comes twice changes nothing")
  func duplicates() throws {
    let lines = Array(lines(seed: 33).filter { $0.contains("\"time\":") })
    let (whole, cut) = (try run(lines), 200)
    let first = try run(lines[..<cut])
    let last = lines[cut - 1]
    let second = try run(first.states.map { $0 + "\n" } + [last] + lines[cut...])
    // The log has the fix itself once more.
    let events = (first.log + second.log).filter { !$0.hasPrefix(#"{"type":"fix""#) }
    let isSame = events == whole.log.filter { !$0.hasPrefix(#"{"type":"fix""#) }
    #expect(isSame && events.count > 20)
  }

  @Test("a state that cannot be used is a problem with its line, and the device starts over")
  func problems() throws {
    let fix =
      #"{"type":"fix","device":"a","time":1741593600,"latitude":52.5,"longitude":13.4}"# + "\n"
    let good = try #require(try run([fix]).states.first) + "\n"
    let bytes = try #require(Data(base64Encoded: good.components(separatedBy: "\"")[11]))
    func line(_ change: (inout Data) -> Void) -> String {
      var changed = bytes
      change(&changed)
      return #"{"type":"device-state","device":"a","state":"\#(changed.base64EncodedString())"}"#
        + "\n"
    }
    let cases = [
      (line { $0[7] = 2 }, "the state has version 2, this release reads version 1"),
      (line { $0[40] ^= 1 }, "the state is damaged or cut off"),
      (line { $0.removeLast(3) }, "the state is damaged or cut off"),
      (line { $0 = Data() }, "these bytes are no state of a device"),
      (#"{"type":"device-state","device":"a","state":"*"}"# + "\n", "the state is not base64"),
      (#"{"type":"device-state","device":"a","state":7}"# + "\n", "these bytes are no state"),
      (good.replacingOccurrences(of: #""device":"a","#, with: ""), "the state names no device"),
    ]
    for (line, message) in cases {
      let result = try run([line, fix]).piped
      #expect(result.warnings.count == 1 && result.warnings[0].hasPrefix("in:1:1: \(message)"))
      #expect(result.totals.problems == 1 && result.totals.gate.accepted == 1)
    }
    let late = try run([fix, good]).piped
    #expect(
      late.warnings == [
        "in:2:1: the state of 'a' comes after a fix or a state of it, expected it first"
      ])
    let other = try PlayingFixture().pipe(
      good, rules: Rules(fences: try FenceSet([.center()])), carriesStates: true)
    #expect(other.warnings.first?.contains("from other fences") == true)
  }

  @Test("without states in lines, such lines are other records")
  func others() throws {
    let state = try run(lines(seed: 34)).states[0] + "\n"
    let piped = try PlayingFixture().pipe(state, rules: try Traffic.rules())
    #expect(piped.totals.others == 1 && piped.totals.problems == 0 && piped.log.isEmpty)
  }
}
