@testable import GPSD
import Receivers
import Testing

@Suite("Messages about a connection")
struct LinkMessagesTests {
  private var report = LinkMessages(.local)
  private let start = ContinuousClock.now
  private let version = GPSDVersion(release: "3.22", major: 3, minor: 14)

  private mutating func line(_ status: LinkStatus, after seconds: Double = 0) -> String? {
    report.line(for: status, at: start + .seconds(seconds))
  }

  @Test("report each change")
  mutating func changes() {
    #expect(line(.connecting(attempt: 1)) == "connecting to gpsd://localhost:2947")
    #expect(line(.connected(version)) == "connected to gpsd 3.22 at gpsd://localhost:2947")
    #expect(
      line(.silent(for: .milliseconds(10_040), hasReceiver: true))
        == "silent: gpsd answers, but no receiver has reported for 10 s")
    #expect(line(.reporting) == "the receiver reports again")
    #expect(
      line(.lost(.closed, retry: .milliseconds(350)))
        == "gpsd://localhost:2947 is unavailable: gpsd closed the connection; retrying in 0.4 s")
    #expect(line(.connecting(attempt: 2)) == nil)
    #expect(line(.connected(version)) != nil)
    #expect(line(.notice(.error("no"))) == "gpsd error: no")
    #expect(
      line(.lost(.broken("reset"), retry: nil))
        == "gpsd://localhost:2947 is unavailable: the connection failed: reset")
  }

  @Test("say what to do without a receiver, and without a gpsd on this machine")
  mutating func advice() {
    #expect(
      line(.silent(for: .seconds(10), hasReceiver: false))?
        .hasPrefix("gpsd has no receiver: plug it in, or name it in DEVICES") == true)
    #expect(
      line(.lost(.noListener, retry: .seconds(1)))?
        .hasPrefix("nothing listens at localhost:2947: is gpsd there? On Debian: sudo apt") == true)
    var away = LinkMessages(GPSDAddress(host: "boat.local"))
    #expect(
      away.line(for: .lost(.noListener, retry: nil), at: start)
        == "gpsd://boat.local:2947 is unavailable: connection refused")
  }

  @Test("report each reason once while gpsd is unavailable")
  mutating func away() {
    var lines: [String?] = []
    for attempt in 1...1_000 {
      let seconds = Double(attempt) * 60
      lines.append(line(.connecting(attempt: attempt), after: seconds))
      lines.append(line(.lost(.refused("refused"), retry: .seconds(60)), after: seconds))
    }
    #expect(lines.compactMap(\.self).count == 2)
    #expect(line(.lost(.unknownHost("x"), retry: .seconds(60)), after: 70_000) != nil)
  }

  @Test("are at most ten at once and one a minute, and count the suppressed ones")
  mutating func flapping() {
    var count = 0
    for _ in 0..<50 {
      if line(.connected(version)) != nil { count += 1 }
      if line(.lost(.closed, retry: .zero)) != nil { count += 1 }
    }
    #expect(count == LinkMessages.burst)
    #expect(line(.connected(version), after: 59.9) == nil)
    #expect(
      line(.connected(version), after: 60)
        == "connected to gpsd 3.22 at gpsd://localhost:2947 (91 messages suppressed)")
    #expect(line(.connected(version), after: 61) == nil)
    #expect(line(.connected(version), after: 180)?.hasSuffix("(1 message suppressed)") == true)
    #expect(line(.connected(version), after: 180) != nil)
    #expect(line(.connected(version), after: 180) == nil)
    // After a quiet time there is room again, but no more than at first.
    count = 0
    for _ in 0..<50 where line(.connected(version), after: 100_000) != nil { count += 1 }
    #expect(count == LinkMessages.burst)
  }
}
