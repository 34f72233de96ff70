@testable import GPSD
import Testing

@Suite("A silent link")
struct LinkSilenceTests {
  private let question = "send ?DEVICES;"

  @Test("queries after ten seconds, and an answer proves that gpsd is alive")
  func answered() {
    var bench = LinkBench.reporting()
    #expect(bench.pass(.milliseconds(9_999)) == [])
    #expect(bench.pass(.milliseconds(1)) == [question])
    _ = bench.pass(.seconds(1))
    #expect(bench.say(LinkBench.devices).others == ["silent 11.0", "answered"])
    // It asks again as long as it lasts; the silence is told once.
    #expect(bench.pass(.milliseconds(9_999)) == [])
    #expect(bench.pass(.milliseconds(1)) == [question])
    #expect(bench.say(LinkBench.devices).others == ["answered"])
    #expect(bench.say(LinkBench.report(1)).others == ["reporting"])
    #expect(bench.say(LinkBench.report(2)).others == [])
    _ = bench.pass(.seconds(10))
    #expect(bench.say(LinkBench.devices).others == ["silent 10.0", "answered"])
  }

  @Test("delivers the lines of an answer before it reports the answer")
  func order() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(10))
    let outputs = bench.say(LinkBench.report(1) + LinkBench.devices + LinkBench.report(2))
    #expect(outputs.count == 3)
    #expect(outputs[1] == "answered")
    #expect(outputs[0].hasSuffix(#"{"class":"DEVICES","devices":[]}"#))
  }

  @Test("is lost when the answer does not come in five seconds")
  func unanswered() {
    var bench = LinkBench.reporting { $0.reconnects = false }
    #expect(bench.pass(.seconds(10)) == [question])
    #expect(bench.pass(.milliseconds(4_999)) == [])
    #expect(
      bench.pass(.milliseconds(1)) == [
        "close", "ended", "lost gpsd does not answer",
      ])
  }

  @Test("is not lost while lines come, because a backlog may precede the answer")
  func backlog() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(10))
    for number in 0..<10 {
      #expect(bench.pass(.seconds(4)) == [])
      _ = bench.say(LinkBench.report(number))
    }
    #expect(bench.say(LinkBench.devices).others == ["answered"])
  }

  @Test("is lost when only junk, blanks or a part of a line comes")
  func noLife() {
    var bench = LinkBench.reporting { $0.reconnects = false }
    var outputs: [String] = []
    for second in 0..<15 {
      _ = bench.say(second == 3 ? "{\"class\":\"TPV\"" : second < 3 ? "junk\r\n\r\n" : " ")
      outputs += bench.pass(.seconds(1))
    }
    #expect(
      outputs.others == [
        question, "close", "ended", "lost gpsd does not answer",
      ])
  }

  @Test("counts only reports, not receivers that are added or removed")
  func lifeWithoutReports() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(9))
    _ = bench.say(#"{"class":"DEVICE","path":"/dev/x","activated":0}"# + "\r\n")
    #expect(bench.pass(.seconds(1)) == [question])
  }

  @Test("queries at once on request, one query at a time")
  func asking() {
    var bench = LinkBench.reporting()
    #expect(bench.handle(.query) == [question])
    #expect(bench.handle(.query) == [])
    _ = bench.say(LinkBench.report(1))
    #expect(bench.say(LinkBench.devices).others == ["answered"])
    #expect(bench.handle(.query) == [question])
  }

  @Test("ignores an answer without a query")
  func unasked() {
    var bench = LinkBench.reporting()
    #expect(bench.say(LinkBench.devices).others == [])
  }

  @Test("is lost at once when the machine slept and gpsd does not answer after")
  func sleep() {
    var bench = LinkBench.reporting()
    bench.now += .seconds(3_600)
    #expect(bench.wake() == [question])
    bench.now += .seconds(5)
    #expect(bench.wake().contains("ended"))
  }

  @Test("reads the input that came while the program was stopped before it decides")
  func stopped() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(10))
    bench.now += .seconds(3_600)
    // The shell reads first, then lets time pass.
    #expect(bench.say(LinkBench.devices).others == ["silent 3610.0", "answered"])
    #expect(bench.wake() == [])
  }
}
