@testable import GPSD
import Testing

@Suite("A link on which nothing comes")
struct LinkSilenceTests {
  private let question = "send ?DEVICES;"

  @Test("asks after ten seconds, and an answer proves that gpsd lives")
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

  @Test("hands out the answer before it tells of it")
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
        "close", "ended", "lost gpsd has fallen silent and does not answer",
      ])
  }

  @Test("is not lost while lines come, as a backlog may stand before the answer")
  func backlog() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(10))
    for number in 0..<10 {
      #expect(bench.pass(.seconds(4)) == [])
      _ = bench.say(LinkBench.report(number))
    }
    #expect(bench.say(LinkBench.devices).others == ["answered"])
  }

  @Test("is lost when nothing but junk, blanks or a piece of a line comes")
  func noLife() {
    var bench = LinkBench.reporting { $0.reconnects = false }
    var outputs: [String] = []
    for second in 0..<15 {
      _ = bench.say(second == 3 ? "{\"class\":\"TPV\"" : second < 3 ? "junk\r\n\r\n" : " ")
      outputs += bench.pass(.seconds(1))
    }
    #expect(
      outputs.others == [
        question, "close", "ended", "lost gpsd has fallen silent and does not answer",
      ])
  }

  @Test("counts reports alone: a receiver that comes or goes is none")
  func lifeWithoutReports() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(9))
    _ = bench.say(#"{"class":"DEVICE","path":"/dev/x","activated":0}"# + "\r\n")
    #expect(bench.pass(.seconds(1)) == [question])
  }

  @Test("asks at once when the caller wants it, one question at a time")
  func asking() {
    var bench = LinkBench.reporting()
    #expect(bench.handle(.ask) == [question])
    #expect(bench.handle(.ask) == [])
    _ = bench.say(LinkBench.report(1))
    #expect(bench.say(LinkBench.devices).others == ["answered"])
    #expect(bench.handle(.ask) == [question])
  }

  @Test("tells nothing of an answer that was not asked for")
  func unasked() {
    var bench = LinkBench.reporting()
    #expect(bench.say(LinkBench.devices).others == [])
  }

  @Test("is given up at once when the machine slept and nobody answers after")
  func sleep() {
    var bench = LinkBench.reporting()
    bench.now += .seconds(3_600)
    #expect(bench.wake() == [question])
    bench.now += .seconds(5)
    #expect(bench.wake().contains("ended"))
  }

  @Test("takes what came while the program was stopped before it judges")
  func stopped() {
    var bench = LinkBench.reporting()
    _ = bench.pass(.seconds(10))
    bench.now += .seconds(3_600)
    // The shell reads first, then lets time pass.
    #expect(bench.say(LinkBench.devices).others == ["silent 3610.0", "answered"])
    #expect(bench.wake() == [])
  }
}
