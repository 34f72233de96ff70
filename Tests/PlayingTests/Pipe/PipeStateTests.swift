import Foundation
import Glibc
@testable import Playing
@testable import System
import TestSupport
import Testing
import Tracking

@Suite("A pipe's state")
struct PipeStateTests {
  private func lines(seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    return Traffic(devices: 6, fixes: 150, using: &random).lines.map(\.text)
  }

  @Test(
    "two runs over the halves of an input give what one gives",
    arguments: [PipeOptions.Order.check, .trust])
  func halves(order: PipeOptions.Order) throws {
    let (rules, lines) = (try Traffic.rules(), lines(seed: 21))
    let whole = try PlayingFixture().pipe(lines.joined(), rules: rules, order: order)
    for cut in stride(from: 0, through: lines.count, by: 151) {
      let fixture = try PlayingFixture()
      let first = try fixture.pipe(
        lines[..<cut].joined(), rules: rules, order: order, state: "fleet")
      let second = try fixture.pipe(
        lines[cut...].joined(), rules: rules, order: order, threads: 3, state: "fleet")
      #expect(first.log + second.log == whole.log, "cut at \(cut)")
      let (a, b, sum) = (first.totals, second.totals, whole.totals)
      #expect(b.devices == sum.devices && b.gate.waiting == sum.gate.waiting)
      #expect(a.gate.received + b.gate.received == sum.gate.received)
      #expect(a.gate.accepted + b.gate.accepted == sum.gate.accepted)
      #expect(a.gate.dropped + b.gate.dropped == sum.gate.dropped)
      #expect(b.resumed == a.gate.waiting)
      #expect(b.gate.received + b.resumed == b.gate.accepted + b.gate.dropped + b.gate.waiting)
    }
  }

  @Test("is private, and is replaced atomically")
  func file() throws {
    let fixture = try PlayingFixture()
    _ = try fixture.pipe(lines(seed: 22).joined(), rules: try Traffic.rules(), state: "fleet")
    let path = "\(fixture.folder)/fleet"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
  }

  @Test("with other fences, damaged or of another kind, is rejected and unchanged")
  func unusable() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    _ = try fixture.pipe(lines(seed: 23).joined(), rules: rules, state: "fleet")
    let path = "\(fixture.folder)/fleet"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func refusal(_ rules: Rules) -> String {
      do {
        _ = try fixture.pipe("", rules: rules, state: "fleet")
        return "none"
      } catch {
        return "\(error)"
      }
    }
    var other = rules
    other.fences = try FenceSet(Array(rules.fences.dropLast()))
    #expect(refusal(other).contains("it is from other fences"))
    // What is not of the fences may be set anew.
    other = rules
    other.memory = 5
    #expect(refusal(other) == "none")
    // The head, what comes before the devices, and the names, lengths and states of some.
    let places = Array(0..<120) + Array(stride(from: 120, to: bytes.count, by: 1_009))
    for place in places + [bytes.count - 1] {
      var damaged = bytes
      damaged[place] ^= 0x40
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(refusal(rules).contains("; to start over,"), "byte \(place)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    }
    for count in [0, 1, 20, 33, 40, 50, 70, bytes.count - 9] {
      try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(refusal(rules).contains("; to start over,"), "\(count) bytes")
    }
    #expect(refusal(rules).contains("it is damaged"))
    try (bytes + [0]).write(to: URL(fileURLWithPath: path))
    #expect(refusal(rules).contains("it is damaged"))
  }

  @Test("with a valid checksum and invalid content is rejected in one sentence")
  func contradictory() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    _ = try fixture.pipe(lines(seed: 24).joined(), rules: rules, state: "fleet")
    let path = "\(fixture.folder)/fleet"
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
    // Behind the head are five numbers and the start of the input.
    let devices = 16 + 5 * 8 + PipeInputMark.longestStart
    func refusal(_ change: (inout [UInt8]) -> Void) throws -> String {
      var content = Array(bytes[start...])
      change(&content)
      try ChecksummedFile("pipe", version: 2).write(to: path) {
        (writer) throws(WholeFile.Failure) in try writer.append(content)
      }
      do {
        _ = try fixture.pipe("", rules: rules, state: "fleet")
        return "none"
      } catch {
        return "\(error)".replacingOccurrences(of: path, with: "it")
      }
    }
    let end = "; to start over, name another file or delete this one"
    #expect(try refusal { _ in } == "none")
    #expect(
      try refusal { $0[0] ^= 1 } == "it: it is from another kind of machine or another engine" + end
    )
    #expect(
      try refusal { $0[8] ^= 1 }
        == "it: it is from other fences: their ids, areas or decisions differ"
        + end)
    #expect(try refusal { $0 = Array($0[..<12]) }.hasPrefix("it: it is from other fences"))
    // What it says of its run.
    for place in [16, 16 + 3 * 8 + 4, 16 + 4 * 8, 16 + 4 * 8 + 7] {
      #expect(try refusal { $0[place] ^= 0x42 } == "it: it is damaged" + end, "byte \(place)")
    }
    // A name and a state that are longer than the file, and a state that is cut short.
    let long = "it: it is damaged" + end
    #expect(try refusal { $0[devices + 5] = 1 } == long)
    #expect(try refusal { $0[devices + 7] = 0x80 } == long)
    #expect(try refusal { $0[devices + 8 + 8 + 4] = 1 } == long)
    #expect(try refusal { $0.removeLast() } == long)
    #expect(try refusal { $0 += [1, 2, 3] } == long)
    #expect(
      try refusal { $0 += [1, 0, 0, 0, 0, 0, 0, 0, 65] + [UInt8](repeating: 0, count: 8) }
        == "it: the state of 'A' in it is invalid" + end)
  }

  @Test("of many devices is the same on any number of threads, and resumes")
  func many() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    var random = SeededGenerator(seed: 25)
    // More than is in memory at a time.
    let lines = Traffic(devices: 1_600, fixes: 3, using: &random).lines.map(\.text)
    let cut = lines.count / 2
    let whole = try fixture.pipe(lines.joined(), rules: rules, state: "whole")
    let first = try fixture.pipe(lines[..<cut].joined(), rules: rules, threads: 2, state: "halves")
    let second = try fixture.pipe(lines[cut...].joined(), rules: rules, threads: 3, state: "halves")
    #expect(first.log + second.log == whole.log)
    let state = try devices(of: "whole", fixture, rules)
    #expect(try state == devices(of: "halves", fixture, rules))
    // More than is in memory at a time; chance left some out.
    #expect(state.count > 1_500)
  }

  /// The states in a file, by device.
  private func devices(
    of name: String, _ fixture: PlayingFixture, _ rules: Rules
  ) throws -> [String: [UInt8]] {
    var devices: [String: [UInt8]] = [:]
    try PipeStateFile("\(fixture.folder)/\(name)", rules: rules)?.forEachDevice {
      devices[$0] = $1
      return true
    }
    return devices
  }

  @Test(
    "knows devices by the bytes of their names, in whatever form Unicode has them",
    arguments: PipeOptions.Order.allCases)
  func names(order: PipeOptions.Order) throws {
    let (fixture, rules) = (try PlayingFixture(), try Traffic.rules())
    // As strings of Swift these two are equal.
    let names = ["device 0": "caf\u{E9}", "device 1": "cafe\u{301}"]
    let plain = lines(seed: 26)
    let lines = plain.map { line in
      names.reduce(line) { $0.replacing($1.key, with: $1.value) }
    }
    let unnamed = try fixture.pipe(plain.joined(), rules: rules, order: order)
    let whole = try fixture.pipe(lines.joined(), rules: rules, order: order, state: "whole")
    #expect(whole.totals.devices == 6)
    func count(_ name: String, in log: String) -> Int {
      let mark = Array(#""device":"\#(name)""#.utf8)
      return log.utf8.split(separator: UInt8(ascii: "\n"))
        .count(where: { $0.firstRange(of: mark) != nil })
    }
    for (old, new) in names { #expect(count(new, in: whole.log) == count(old, in: unnamed.log)) }
    let many = try fixture.pipe(lines.joined(), rules: rules, order: order, threads: 3)
    let isSame = many.log.utf8.elementsEqual(whole.log.utf8)
    #expect(isSame)
    // A sorted input is sorted by itself.
    guard order != .sort else { return }
    let cut = lines.count / 2
    for carriesStates in [false, true] {
      let first = try fixture.pipe(
        lines[..<cut].joined(), rules: rules, order: order, threads: 2,
        state: carriesStates ? nil : "halves", carriesStates: carriesStates)
      let states = first.lines.filter { $0.hasPrefix(#"{"type":"device-state","#) }
      #expect(states.count == (carriesStates ? 6 : 0))
      let second = try fixture.pipe(
        states.map { $0 + "\n" }.joined() + lines[cut...].joined(), rules: rules, order: order,
        threads: 3, state: carriesStates ? nil : "halves", carriesStates: carriesStates)
      #expect(second.totals.devices == 6 && second.totals.problems == 0)
      let log = (first.lines + second.lines).filter { !$0.contains(#""type":"device-state""#) }
      let isWhole = log.joined(separator: "\n").utf8.elementsEqual(whole.log.utf8.dropLast())
      #expect(isWhole)
    }
  }

  @Test("that cannot be read or written is reported with the system's reason")
  func refused() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    for (name, says) in [
      (".", "the state cannot be "),
      (
        "no/such/folder",
        "the state cannot be used, so nothing was read or written: no such file or directory; "
          + "make its folder, or name a file in another"
      ),
    ] {
      do {
        _ = try fixture.pipe("", rules: rules, state: name)
        Issue.record("\(name) was taken")
      } catch let error as PipeStateError {
        #expect("\(error)".contains(says), "\(error)")
      }
    }
  }

  @Test("that another program uses is refused; a file of another kind is refused and not changed")
  func held() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    let path = "\(fixture.folder)/fleet"
    let lock = try PipeState.lock(path)
    let error = #expect(throws: PipeStateError.self) {
      _ = try fixture.pipe("", rules: rules, state: "fleet")
    }
    #expect(error?.description.hasPrefix("\(path): in use by another waymark") == true)
    withExtendedLifetime(lock) {}
    let diary = "\(fixture.folder)/diary"
    #expect(
      FileManager.default.createFile(
        atPath: diary, contents: Data("dear diary".utf8), attributes: [.posixPermissions: 0o644]))
    let refusal = #expect(throws: PipeStateError.self) {
      _ = try fixture.pipe("", rules: rules, state: "diary")
    }
    #expect(refusal?.description.hasPrefix("\(diary): not a waymark pipe file") == true)
    let attributes = try FileManager.default.attributesOfItem(atPath: diary)
    #expect((attributes[.posixPermissions] as? Int) == 0o644)
    #expect(!FileManager.default.fileExists(atPath: diary + ".lock"))
  }

  @Test(
    "that is empty or damaged is refused with its permissions, a whole one becomes private",
    arguments: [("", "it is empty"), ("waymark-pipe 2 0000000000000000\n", "it is damaged")])
  func permissions(text: String, reason: String) throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    let path = "\(fixture.folder)/fleet"
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o644]))
    let error = #expect(throws: PipeStateError.self) {
      _ = try fixture.pipe("", rules: rules, state: "fleet")
    }
    #expect(error?.description.hasPrefix("\(path): \(reason)") == true)
    #expect(try mode() == 0o644)
    #expect(unlink(path) == 0)
    _ = try fixture.pipe(lines(seed: 4).joined(), rules: rules, state: "fleet")
    #expect(chmod(path, 0o644) == 0)
    _ = try PipeStateFile(path, rules: rules)
    #expect(try mode() == 0o600)
  }

  @Test("in a folder that other users can change is neither read nor written")
  func untrusted() throws {
    let fixture = try PlayingFixture()
    let rules = try Traffic.rules()
    let folder = "\(fixture.folder)/open"
    #expect(mkdir(folder, 0o700) == 0 && chmod(folder, 0o777) == 0)
    let error = #expect(throws: PipeStateError.self) {
      _ = try fixture.pipe("", rules: rules, state: "open/state")
    }
    let says = "the state cannot be used, so nothing was read or written: other users may write to "
    #expect(error?.description.contains(says) == true)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/state"))
  }
}
