import Foundation
import TestSupport
import Testing

@testable import Outbox

@Suite("A program as a receiver", .timeLimit(.minutes(90))) struct CommandCourierTests {
  private let scratch: ScratchFolder
  private let stop: StopFlag

  init() throws {
    // As the program does at its start.
    signal(SIGPIPE, SIG_IGN)
    scratch = try ScratchFolder()
    stop = try StopFlag()
  }

  private func outcome(_ script: String, _ more: [String] = [], limit: Double = 300) throws
    -> DeliveryOutcome
  {
    var settings = CommandSettings(
      arguments: try (["/bin/sh", "-c", script, "sh"] + more).map { try MessageTemplate($0) })
    settings.timeLimit = limit
    return CommandCourier(settings, zone: .gmt)
      .deliver(try MessageTemplateTests.delivery(), until: stop)
  }

  @Test("gets the event on standard input, in arguments and in variables")
  func event() throws {
    let file = scratch.file("got")
    let script =
      "cat > \(file); printf '%s\\n' \"$1\" \"$2\" $WAYMARK_TYPE "
      + "$WAYMARK_TIME_UNCERTAINTY $WAYMARK_DELIVERY_ID >> \(file)"
    #expect(try outcome(script, ["{fence}", "$(touch x); {device}"]) == .delivered)
    #expect(
      try scratch.read("got") == MessageTemplateTests.line
        + "\ndepot\n$(touch x); van\nexit\n0.343\n5df2c4b47418110a-0\n")
  }

  @Test("need not read its input")
  func unread() throws {
    #expect(try outcome("exec <&-; exit 0") == .delivered)
  }

  @Test("fails with its code and the beginning of its output, cleaned")
  func failure() throws {
    #expect(
      try outcome("echo one; printf 'two\\033[2J\\n' >&2; exit 7")
        == .failed(reason: "it ended with code 7: one two [2J"))
    guard case .failed(let reason, _) = try outcome("yes | head -c 10000000; exit 1") else {
      Issue.record("it did not fail")
      return
    }
    #expect(reason.utf8.count < 2_000)
    #expect(try outcome("kill -9 $$") == .failed(reason: "it was ended by signal 9"))
  }

  @Test("is killed at its limit, with the processes that it started, even if it ignores SIGTERM")
  func limit() throws {
    let outcome = try outcome(
      "trap '' TERM; sleep 600 & echo $! > \(scratch.file("pid")); wait; sleep 600", limit: 1)
    #expect(outcome == .failed(reason: "it was killed after 1 s"))
    let pid = try #require(
      Int32(try scratch.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
    // Killed, whether or not it has been reaped by now; a signal takes a moment to arrive.
    try blockUntil("the process \(pid) was not killed") {
      let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      return state?.contains(") Z ") ?? true
    }
  }

  @Test("is ended when the run ends")
  func stopped() throws {
    stop.stop()
    #expect(try outcome("sleep 600") == .stopped)
  }

  @Test("that is missing is a failure, not the end")
  func missing() throws {
    let settings = CommandSettings(arguments: [try MessageTemplate("/no/such/program")])
    let courier = CommandCourier(settings, zone: .gmt)
    #expect(
      courier.deliver(try MessageTemplateTests.delivery(), until: stop)
        == .failed(reason: "cannot start /no/such/program: no such file or directory"))
    #expect(courier.probe(until: stop) == "/no/such/program: no such file or directory")
  }
}
