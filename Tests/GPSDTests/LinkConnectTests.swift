@testable import GPSD
import Testing

/// The text of what gpsd says, as the bench shows it.
private func plain(_ text: String) -> String {
  text.replacing("\r\n", with: "|").trimmingSuffix("|")
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

@Suite("A link that connects")
struct LinkConnectTests {
  @Test(
    "resolves, connects, waits for the greeting, subscribes, and is connected when gpsd confirms")
  func handshake() {
    var bench = LinkBench()
    #expect(bench.deadline == 0)
    #expect(bench.wake() == ["connecting 1", "resolve"])
    #expect(bench.handle(.resolved(addresses: 2)) == ["open 0"])
    #expect(bench.handle(.opened) == [])
    #expect(
      bench.say(LinkBench.version) == [
        #"send ?WATCH={"enable":true,"json":true};"#, "bytes " + plain(LinkBench.version),
      ])
    #expect(bench.say(LinkBench.devices) == ["bytes " + plain(LinkBench.devices)])
    #expect(bench.say(LinkBench.watch) == ["bytes " + plain(LinkBench.watch), "connected 3.22"])
  }

  @Test("subscribes to one receiver, whatever its path contains")
  func device() {
    var bench = LinkBench(device: #"/dev/"\x"#)
    _ = bench.connect()
    #expect(
      bench.say(LinkBench.version).first
        == #"send ?WATCH={"enable":true,"json":true,"device":"/dev/\"\\x"};"#)
  }

  @Test("accepts a report as confirmation, because simple servers send none")
  func reportAsAgreement() {
    var bench = LinkBench()
    _ = bench.connect()
    _ = bench.say(LinkBench.version)
    #expect(bench.say(LinkBench.report(1)).others == ["connected 3.22"])
  }

  @Test("reports an unknown protocol once, and continues")
  func strangeProtocol() {
    var bench = LinkBench()
    _ = bench.connect()
    _ = bench.say(#"{"class":"VERSION","release":"9.1","proto_major":4,"proto_minor":2}"# + "\n")
    #expect(
      bench.say(LinkBench.watch).others == [
        "connected 9.1",
        "notice gpsd 9.1 speaks protocol 4.2, expected 3; unknown parts of its reports are ignored",
      ])
    #expect(bench.say(LinkBench.report(1)).others == [])
  }

  @Test("knows the protocols of gpsd 2.90 to 3.27", arguments: [0, 3, 16, 17])
  func knownProtocols(major: Int) {
    var bench = LinkBench()
    _ = bench.connect()
    _ = bench.say(
      #"{"class":"VERSION","release":"3.27","proto_major":\#(major),"proto_minor":1}"# + "\n")
    #expect(bench.say(LinkBench.watch).others == ["connected 3.27"])
  }

  @Test("tries the addresses in turn when they refuse")
  func addresses() {
    var bench = LinkBench()
    _ = bench.wake()
    _ = bench.handle(.resolved(addresses: 3))
    #expect(bench.handle(.refused("no 0")) == ["open 1"])
    #expect(bench.handle(.refused("no 1")) == ["open 2"])
    #expect(bench.handle(.refused("no 2")) == ["close", "lost no 2, retry"])
  }

  @Test("gives each address its share of the remaining time")
  func shares() {
    var bench = LinkBench { $0.connectTimeout = .seconds(6) }
    _ = bench.wake()
    _ = bench.handle(.resolved(addresses: 3))
    #expect(bench.deadline == 2)
    #expect(bench.pass(.seconds(2)) == ["open 1"])
    #expect(bench.deadline == 4)
    _ = bench.pass(.seconds(1))
    #expect(bench.handle(.refused("no")) == ["open 2"])
    #expect(bench.deadline == 6)
    #expect(bench.pass(.seconds(3)).prefix(2) == ["close", "lost connecting timed out, retry"])
  }

  @Test("gives up an unknown name, or one that is not resolved in time")
  func names() {
    var bench = LinkBench()
    _ = bench.wake()
    #expect(
      bench.handle(.unresolved("Name or service not known")) == [
        "close", "lost unknown host: Name or service not known, retry",
      ])
    bench = LinkBench { $0.reconnects = false }
    _ = bench.wake()
    #expect(bench.pass(.seconds(5)) == ["close", "lost resolving the host name timed out"])
    #expect(bench.handle(.resolved(addresses: 1)) == [])
  }

  @Test("gives up a server that does not greet or confirm in time")
  func timeouts() {
    var bench = LinkBench { $0.reconnects = false }
    _ = bench.connect()
    #expect(
      bench.pass(.seconds(5)) == ["close", "lost timed out waiting for gpsd's greeting"])
    bench = LinkBench { $0.reconnects = false }
    _ = bench.connect()
    _ = bench.pass(.seconds(4))
    _ = bench.say(LinkBench.version)
    #expect(bench.pass(.seconds(4)) == [])
    #expect(
      bench.pass(.seconds(1)) == [
        "close", "ended", "lost timed out waiting for gpsd's answer to ?WATCH",
      ])
    #expect(bench.link.isOver)
  }

  @Test(
    "detects a server that is not gpsd, and delivers none of its output",
    arguments: [
      ("SSH-2.0-OpenSSH_9.2p1\r\n", #""SSH-2.0-OpenSSH_9.2p1??""#),
      ("\r\nHTTP/1.1 400 Bad Request\r\n\r\n", #""HTTP/1.1 400 Bad Request??""#),
      ("\u{1B}[2J{\n", #""?[2J{?""#),
      (#"{"class":"VERSION","release":}"# + "\n", #""{"class":"VERSION","release":}?""#),
    ])
  func strangers(text: String, quoted: String) {
    var bench = LinkBench()
    _ = bench.connect()
    #expect(
      bench.say(text + LinkBench.version) == [
        "close", "lost received \(quoted) instead of gpsd's greeting, retry",
      ])
  }

  @Test("waits for the greeting when other JSON comes first")
  func early() {
    var bench = LinkBench()
    _ = bench.connect()
    #expect(bench.say(LinkBench.report(1) + "\r\n") == [])
    #expect(bench.say(LinkBench.version).bytes == plain(LinkBench.version))
  }

  @Test("reports why gpsd rejects the subscription, as for an unknown receiver")
  func denied() {
    var bench = LinkBench(device: "/dev/none")
    _ = bench.connect()
    _ = bench.say(LinkBench.version)
    let error = #"{"class":"ERROR","message":"No such device as /dev/none"}"#
    #expect(
      bench.say(error + "\r\n") == [
        "close", "bytes " + error, "ended",
        "lost gpsd rejected the request: No such device as /dev/none, retry",
      ])
  }

  @Test("treats an end or an error at any step as a loss")
  func losses() {
    for input in [Link.Input.closed, .broken("reset")] {
      let loss = input == .closed ? "gpsd closed the connection" : "the connection failed: reset"
      var bench = LinkBench()
      _ = bench.connect()
      #expect(bench.handle(input) == ["close", "lost \(loss), retry"])
      bench = LinkBench()
      _ = bench.connect()
      _ = bench.say(LinkBench.version)
      #expect(bench.handle(input) == ["close", "ended", "lost \(loss), retry"])
      bench = .reporting()
      #expect(bench.handle(input) == ["close", "ended", "lost \(loss), retry"])
    }
  }

  @Test("ignores inputs that come at the wrong time")
  func wrongTimes() {
    let inputs: [Link.Input] = [
      .resolved(addresses: 1), .unresolved("x"), .opened, .refused("x"), .closed, .broken("x"),
      .query,
    ]
    var bench = LinkBench()
    for input in inputs { #expect(bench.handle(input) == []) }
    #expect(bench.say(LinkBench.report(1)) == [])
    bench = .reporting()
    for input in inputs.prefix(4) { #expect(bench.handle(input) == []) }
    _ = bench.handle(.closed)
    for input in inputs { #expect(bench.handle(input) == []) }
    #expect(bench.say(LinkBench.report(1)) == [])
  }

  @Test("emits nothing after it was stopped, at any step")
  func stop() {
    var benches = [LinkBench(), LinkBench(), LinkBench.reporting()]
    _ = benches[1].connect()
    for var bench in benches {
      #expect(bench.handle(.stop) == ["close"])
      #expect(bench.link.isOver)
      #expect(bench.deadline == nil)
      #expect(bench.say(LinkBench.report(1)) + bench.wake() + bench.handle(.stop) == [])
    }
  }
}

@Suite("A link that lost its connection")
struct LinkBackOffTests {
  /// The waits after so many failures in a row, in seconds.
  private func waits(seed: UInt64, count: Int) -> [Double] {
    var bench = LinkBench(seed: seed)
    return (0..<count).map { _ in
      _ = bench.wake()
      let before = bench.now
      _ = bench.handle(.unresolved("x"))
      bench.now = bench.link.deadline(now: before) ?? before
      return (bench.now - before) / .seconds(1)
    }
  }

  @Test("waits at random, up to half a second at first, twice as long each time, at most a minute")
  func growth() {
    for seed in UInt64(1)...50 {
      let waits = waits(seed: seed, count: 12)
      for (index, wait) in waits.enumerated() {
        let limit = min(60, 0.5 * Double(1 << index))
        #expect(0.05...max(limit, 0.05) ~= wait, "seed \(seed), failure \(index)")
      }
      #expect(Set(waits).count > 6, "seed \(seed)")
    }
  }

  @Test("waits the same for the same seed, and not for another one")
  func seeds() {
    #expect(waits(seed: 7, count: 12) == waits(seed: 7, count: 12))
    #expect(waits(seed: 7, count: 12) != waits(seed: 8, count: 12))
  }

  @Test("spreads its waits evenly")
  func spread() {
    let last = (UInt64(1)...400).map { waits(seed: $0, count: 10)[9] }
    #expect(25...35 ~= last.reduce(0, +) / 400)
    #expect(last.contains { $0 < 6 } && last.contains { $0 > 54 })
  }

  @Test("continues after thousands of failures")
  func endless() {
    #expect(waits(seed: 3, count: 3_000).allSatisfy { $0 <= 60 })
  }

  @Test("counts attempts, and starts over after the first report")
  func attempts() {
    var bench = LinkBench.reporting()
    for attempt in 2...4 {
      _ = bench.handle(.closed)
      #expect(bench.pass(.seconds(5)).others == ["connecting \(attempt)", "resolve"])
      _ = bench.handle(.resolved(addresses: 1)) + bench.handle(.opened)
      _ = bench.say(LinkBench.version + LinkBench.watch)
    }
    _ = bench.say(LinkBench.report(1))
    _ = bench.handle(.closed)
    #expect(bench.pass(.milliseconds(500)).others == ["connecting 2", "resolve"])
  }

  @Test("loses less than a twentieth of a link that breaks every 20 s", arguments: 1...20)
  func flapping(seed: UInt64) {
    var bench = LinkBench(seed: seed)
    var lost = Duration.zero
    for _ in 0..<100 {
      _ = bench.wake()
      _ = bench.handle(.resolved(addresses: 1)) + bench.handle(.opened)
      _ = bench.say(LinkBench.version + LinkBench.watch + LinkBench.report(1))
      bench.now += .seconds(20)
      _ = bench.handle(.closed)
      let next = bench.link.deadline(now: bench.now) ?? bench.now
      lost += next - bench.now
      bench.now = next
    }
    #expect(lost / .seconds(2_000) < 0.05, "seed \(seed)")
  }

  @Test("waits at most five seconds while the host answers")
  func nearby() {
    for seed in UInt64(1)...20 {
      var bench = LinkBench(seed: seed)
      for _ in 0..<30 {
        _ = bench.wake()
        _ = bench.handle(.resolved(addresses: 1)) + bench.handle(.noListener)
        let next = bench.link.deadline(now: bench.now) ?? bench.now
        #expect(next - bench.now <= .seconds(5), "seed \(seed)")
        bench.now = next
      }
    }
  }

  @Test("is over when it must not reconnect")
  func once() {
    var bench = LinkBench.reporting { $0.reconnects = false }
    #expect(bench.handle(.closed) == ["close", "ended", "lost gpsd closed the connection"])
    #expect(bench.link.isOver)
    #expect(bench.deadline == nil)
  }

  @Test("resolves the name again, and expects a new greeting")
  func anew() {
    var bench = LinkBench.reporting()
    _ = bench.say("{\"half")
    #expect(
      bench.handle(.closed) == [
        "close", "bytes {\"half", "ended", "lost gpsd closed the connection, retry",
      ])
    #expect(bench.pass(.milliseconds(500)) == ["connecting 2", "resolve"])
    #expect(bench.handle(.resolved(addresses: 1)) == ["open 0"])
    _ = bench.handle(.opened)
    // Nothing of the old connection is left.
    #expect(bench.say(LinkBench.version).bytes == plain(LinkBench.version))
    #expect(bench.say(LinkBench.watch).others == ["connected 3.22"])
  }
}
