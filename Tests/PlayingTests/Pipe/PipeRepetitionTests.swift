import Foundation
@testable import Playing
@testable import System
import TestSupport
import Testing
import Tracking

/// A run over an input that the state has seen already, as after a kill or an error at the end.
@Suite("A pipe with a state, over the same input again")
struct PipeRepetitionTests {
  private let fixture: PlayingFixture
  private let rules: Rules
  /// Two inputs that follow each other, each longer than what a state keeps of it.
  private let (first, second): (String, String)

  init() throws {
    fixture = try PlayingFixture()
    rules = try Traffic.rules()
    var random = SeededGenerator(seed: 31)
    let lines = Traffic(devices: 6, fixes: 150, using: &random).lines.map(\.text)
    first = lines[..<(lines.count / 2)].joined()
    second = lines[(lines.count / 2)...].joined()
    #expect(min(first.utf8.count, second.utf8.count) > PipeInputMark.longestStart)
  }

  private func bytes(_ name: String) -> Data? {
    FileManager.default.contents(atPath: "\(fixture.folder)/\(name)")
  }

  private func pipe(_ text: String, threads: Int = 1) throws -> PlayingFixture.Piped {
    try fixture.pipe(text, rules: rules, threads: threads, state: "fleet")
  }

  /// What is said of an input that is refused; the state must not change.
  private func refusal(_ text: String) throws -> String {
    let before = bytes("fleet")
    let error = #expect(throws: PipeStateError.self) { _ = try pipe(text) }
    #expect(bytes("fleet") == before)
    return (error?.description ?? "").replacingOccurrences(of: fixture.folder + "/", with: "")
  }

  private static let remark =
    "the last run with this state read this input too; its events are written again"

  @Test("writes the same events and the same state, as often as it is run")
  func again() throws {
    for text in [first, second] {
      let once = try pipe(text)
      let state = bytes("fleet")
      for threads in [1, 3] {
        let again = try pipe(text, threads: threads)
        #expect(again.log == once.log && again.totals == once.totals)
        #expect(again.warnings.first == Self.remark && once.warnings.first != Self.remark)
        #expect(bytes("fleet") == state)
      }
    }
    let whole = try PlayingFixture().pipe(first + second, rules: rules)
    let last = try pipe(second)
    #expect(whole.log.hasSuffix(last.log))
  }

  @Test("an input of one line is known too, and one that goes on is played from its beginning")
  func growing() throws {
    let end = try #require(first.firstIndex(of: "\n"))
    let line = String(first[...end])
    _ = try pipe(line)
    let all = try pipe(first)
    #expect(try all.log == PlayingFixture().pipe(first, rules: rules).log)
    #expect(all.warnings.first == Self.remark)
    _ = try pipe(second)
    let more = try pipe(second + "{}\n")
    #expect(more.totals.lines == second.split(separator: "\n").count + 1)
    #expect(more.totals.disordered == 0)
  }

  @Test("an input that begins so and then differs, or ends before, is refused, and nothing is kept")
  func different() throws {
    _ = try pipe(first)
    _ = try pipe(second)
    let changed = String(second.dropLast(3)) + "9}\n"
    let end = ", expected the same input or another one; the state is left as it is"
    #expect(
      try refusal(changed)
        == "fleet: the input begins as that of the last run and then differs from that one" + end)
    let short = String(second.prefix(second.count / 2))
    #expect(
      try refusal(short)
        == "fleet: the input begins as that of the last run and ends before the end of that one"
        + end)
    #expect(try pipe(second).warnings.first == Self.remark)
  }

  @Test("an input without fixes leaves the state as it is")
  func empty() throws {
    let header = "time,latitude,longitude,device\n"
    let rows = "1741593600,52.5,13.4,a\n1741593660,52.5,13.4,a\n"
    _ = try fixture.pipe(header + rows, rules: rules, input: .csv, state: "fleet")
    let state = bytes("fleet")
    for text in [header, header + "\n"] {
      let piped = try fixture.pipe(text, rules: rules, input: .csv, state: "fleet")
      #expect(piped.log.isEmpty && bytes("fleet") == state)
    }
    _ = try fixture.pipe("", rules: rules, state: "fleet")
    #expect(bytes("fleet") == state && bytes("fleet.previous") == nil)
  }

  @Test("without the state before the last run it is refused")
  func lost() throws {
    _ = try pipe(first)
    let before = try #require(bytes("fleet"))
    _ = try pipe(second)
    #expect(bytes("fleet.previous") == before)
    let previous = URL(fileURLWithPath: "\(fixture.folder)/fleet.previous")
    let message =
      "fleet: the last run read this input, and its events were written then; to write them again, "
      + "fleet.previous must be the state before that run, which it is not"
    try FileManager.default.removeItem(at: previous)
    #expect(try refusal(second) == message)
    try #require(bytes("fleet")).write(to: previous)
    #expect(try refusal(second) == message)
    try before.prefix(before.count - 1).write(to: previous)
    #expect(
      try refusal(second)
        == "fleet.previous: it is damaged; to start over, name another file or delete this one")
    try before.write(to: previous)
    #expect(try pipe(second).warnings.first == Self.remark)
    // Somebody else's file of that name is not replaced.
    try Data("dear diary".utf8).write(to: previous)
    #expect(try refusal(first).hasPrefix("fleet.previous: not a waymark pipe file"))
    #expect(bytes("fleet.previous") == Data("dear diary".utf8))
  }

  @Test("a state of version 1 does not know its input, and is continued")
  func versionOne() throws {
    let whole = try PlayingFixture().pipe(first + second, rules: rules)
    let start = try pipe(first)
    let path = "\(fixture.folder)/fleet"
    var content = PipeState.head(rules: rules)
    try PipeStateFile(path, rules: rules)?.forEachDevice { name, state in
      state.withUnsafeBytes { PipeState.append(name, $0, to: &content) }
      return true
    }
    try ChecksummedFile("pipe", version: 1).write(to: path) {
      (writer) throws(WholeFile.Failure) in try writer.append(content)
    }
    let rest = try pipe(second)
    #expect(start.log + rest.log == whole.log)
    #expect(try pipe(second).log == rest.log)
  }

  @Test("it waits for no more bytes than tell it from the last input")
  func incremental() throws {
    _ = try pipe(first)
    var input = try PipeInput(path: "\(fixture.folder)/in", size: 1, isMarked: true)
    let file = try #require(try PipeStateFile("\(fixture.folder)/fleet", rules: rules))
    let mark = try #require(file.saved.origin.input)
    #expect(mark.length == UInt64(first.utf8.count))
    let isSame = try input.begins(as: mark)
    #expect(isSame)
    var other = try PipeInput(path: "/dev/zero", size: 1, isMarked: true)
    let begins = try other.begins(as: mark)
    #expect(!begins)
  }
}
