import Foundation
import TestSupport
import Testing
import Tracking
import Traces

@testable import Session

@Suite("A pipe's state")
struct PipeStateTests {
  private func lines(seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    return Traffic(devices: 6, fixes: 150, using: &random).lines.map(\.text)
  }

  @Test(
    "two runs over the halves of an input give what one gives",
    arguments: [PipePlan.Order.check, .trust])
  func halves(order: PipePlan.Order) throws {
    let (rules, lines) = (try Traffic.rules(), lines(seed: 21))
    let whole = try Stage().pipe(lines.joined(), rules: rules, order: order)
    for cut in stride(from: 0, through: lines.count, by: 151) {
      let stage = try Stage()
      let first = try stage.pipe(
        lines[..<cut].joined(), rules: rules, order: order, state: "fleet")
      let second = try stage.pipe(
        lines[cut...].joined(), rules: rules, order: order, threads: 3, state: "fleet")
      #expect(first.log + second.log == whole.log, "cut at \(cut)")
      let (a, b, sum) = (first.tally, second.tally, whole.tally)
      #expect(b.devices == sum.devices && b.gate.waiting == sum.gate.waiting)
      #expect(a.gate.received + b.gate.received == sum.gate.received)
      #expect(a.gate.accepted + b.gate.accepted == sum.gate.accepted)
      #expect(a.gate.dropped + b.gate.dropped == sum.gate.dropped)
      #expect(b.resumed == a.gate.waiting)
      #expect(b.gate.received + b.resumed == b.gate.accepted + b.gate.dropped + b.gate.waiting)
    }
  }

  @Test("is private, and replaced as a whole")
  func file() throws {
    let stage = try Stage()
    _ = try stage.pipe(lines(seed: 22).joined(), rules: try Traffic.rules(), state: "fleet")
    let path = "\(stage.folder)/fleet"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
  }

  @Test("of other fences, damaged or of something else, is refused and stays as it is")
  func unusable() throws {
    let stage = try Stage()
    let rules = try Traffic.rules()
    _ = try stage.pipe(lines(seed: 23).joined(), rules: rules, state: "fleet")
    let path = "\(stage.folder)/fleet"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func refusal(_ rules: Rules) -> String {
      do {
        _ = try stage.pipe("", rules: rules, state: "fleet")
        return "none"
      } catch {
        return "\(error)"
      }
    }
    var other = rules
    other.fences = try FenceSet(Array(rules.fences.dropLast()))
    #expect(refusal(other).contains("it is of other fences"))
    // What is not of the fences may be set anew.
    other = rules
    other.memory = 5
    #expect(refusal(other) == "none")
    for place in [0, 15, 30, bytes.count / 2, bytes.count - 1] {
      var damaged = bytes
      damaged[place] ^= 0x40
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(refusal(rules).contains("; to begin anew,"), "byte \(place)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    }
    try bytes.dropLast(9).write(to: URL(fileURLWithPath: path))
    #expect(refusal(rules).contains("it is damaged"))
  }
}
