import TestSupport
import Testing
import Traces

@testable import Comparing

@Suite("The files of event logs")
struct LogFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func read(_ text: String) throws -> (log: ComparedLog, errors: [String]) {
    try folder.write("log", text)
    var errors: [String] = []
    var file = try LogFile(path: folder.file("log")) { errors.append($0) }
    let log = try file.read()
    #expect(file.errors >= errors.count - 1)
    return (log, errors.map { $0.replacing(folder.path + "/", with: "") })
  }

  private let enter = ComparisonTests.enter("08:00:00")

  @Test(
    "lines with errors are reported at their place, and all others are read",
    arguments: [
      ("[]", "found no JSON object, expected one like {\"device\":…} on a line"),
      (
        #"{"type":"entr"}"#,
        "found 'entr' as type, expected one of enter, exit, dwell, state, visit, "
          + "significant-change, fix, problem, status"
      ),
      (#"{"device":"van"}"#, "expected a string as type here, found none"),
      (#"{"type":"exit","fence":"home"}"#, "expected a string as device here, found none"),
      (
        #"{"type":"exit","fence":"home","device":"van"}"#,
        "expected a time as time here, found none"
      ),
      (
        #"{"type":"exit","device":"van","time":"2026-05-04T08:00:00Z"}"#,
        "expected a string as fence here, found none"
      ),
      (
        #"{"type":"exit","device":"van","fence":"a","time":"yesterday"}"#,
        "found 'yesterday' as time, expected a time like 2025-03-10T08:00:00Z"
      ),
      (
        #"{"type":"exit","device":"van","fence":"a","time":"2026-05-04T08:00:00Z","#
          + #""latitude":91,"longitude":0}"#,
        "found the position 91.0,0.0, expected a latitude from -90 to 90 and a longitude from "
          + "-180 to 180"
      ),
    ])
  func errors(line: String, message: String) throws {
    let (log, errors) = try read("\(enter)\n\n\(line)\n\(ComparisonTests.enter("09:00:00"))")
    #expect(errors == ["log:3: \(message)"])
    #expect(log.subjects.map { log.events(of: $0).count } == [2])
  }

  @Test("fixes and problems are no events to compare")
  func others() throws {
    let (log, errors) = try read(
      #"{"type":"fix","device":"van","time":"2026-05-04T08:00:00Z","latitude":1,"longitude":2}"#
        + "\n" + #"{"type":"problem","id":"1","device":"van","message":"no"}"#)
    #expect(errors.isEmpty)
    #expect(log.subjects.isEmpty)
  }

  @Test("a byte order mark, line ends of DOS and a last line without an end are read")
  func ends() throws {
    let (log, errors) = try read("\u{FEFF}\(enter)\r\n\(enter)\r\n\(enter)")
    #expect(errors.isEmpty)
    #expect(log.subjects.map { log.events(of: $0).count } == [3])
  }

  @Test("a log of any length is read in pieces")
  func long() throws {
    let count = 5_000
    let (log, errors) = try read(String(repeating: enter + "\n", count: count))
    #expect(errors.isEmpty)
    #expect(log.subjects.map { log.events(of: $0).count } == [count])
  }

  @Test("an endless line is an error, and what follows is read")
  func longLine() throws {
    let (log, errors) = try read(
      "\(enter)\n" + String(repeating: "x", count: 3 << 18) + "\n\(enter)\n")
    #expect(errors == ["log:2: found more than 262144 bytes, expected an event"])
    #expect(log.subjects.map { log.events(of: $0).count } == [2])
  }

  @Test("of very many errors the first hundred are shown")
  func manyErrors() throws {
    let (_, errors) = try read(String(repeating: "{}\n", count: 300))
    #expect(errors.count == 101)
    #expect(errors.last == "log: 200 more errors like these")
  }

  @Test("a missing file is an error")
  func missing() {
    #expect(throws: TraceError.notFound(path: "nosuch")) {
      _ = try LogFile(path: "nosuch") { _ in }.errors
    }
  }
}
