import Dispatch
import GPSD
import Receivers
import Locking
import Services
import TestSupport
import Testing
import Traces
import Tracking

@Suite("Sources: a receiver behind gpsd", .timeLimit(.minutes(90)))
struct SourcesReceiverTests {
  private let probe = SourceProbe()
  private let deadline = SourceDeadline()

  private func driver(_ address: GPSDAddress) -> SourceDriver {
    SourceDriver(.gpsd(address), deadline: { [deadline] in deadline.value }) { [probe] in
      probe.take($0)
    }
  }

  @Test("reports its start, the connection to gpsd, and each fix")
  func reports() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    driver.start()
    let peer = try server.serve()
    peer.report([0, 1, 2])
    #expect(probe.wait(fixes: 3))
    let signals = probe.signals
    #expect(signals.count == 5, "\(signals)")
    #expect(signals.beginnings.count == 1 && signals[0] == .began(at: signals.beginnings[0]))
    #expect(signals[0] != .began(at: .start))
    #expect(signals[1] == .status(.reporting))
    #expect(signals.fixTimes == [0, 1, 2])
    guard case .fix(let fix, .receiver) = signals[2] else {
      return #expect(Bool(false), "\(signals[2])")
    }
    #expect(fix.horizontalAccuracy != nil)
    // A second start changed nothing: there is one connection.
    #expect(!server.hasClient)
  }

  @Test("subscribes to the chosen receiver")
  func device() throws {
    let server = try FakeServer()
    let driver = driver(
      GPSDAddress(host: "127.0.0.1", port: server.port, device: "/dev/ttyUSB0"))
    driver.start()
    let peer = try server.accept()
    peer.send(GPSDLines.others[0] + "\r\n")
    #expect(peer.hears(#""device":"/dev/ttyUSB0""#))
  }

  @Test("a lost gpsd is reported once, however often it is retried, and so is its return")
  func outage() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    do { try server.serve().report([0]) }
    // A try that comes to nothing.
    do { _ = try server.accept() }
    let peer = try server.serve()
    peer.report([5])
    #expect(probe.wait(fixes: 2))
    let reason = "\(server.address): gpsd closed the connection"
    #expect(probe.signals.statuses == [.reporting, .unavailable(reason), .reporting])
    #expect(probe.signals.beginnings.count == 1)
  }

  @Test("reports an address without a listener in one line")
  func refused() throws {
    let address = try FakeServer.nowhere()
    let driver = driver(address)
    driver.start()
    #expect(probe.wait(.unavailable("\(address): connection refused")))
  }

  @Test("AT-14 stop closes the connection at once, and start makes a new one")
  func stop() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let first = try server.serve()
    first.report([0])
    #expect(probe.wait(fixes: 1))
    driver.stop()
    driver.stop()
    #expect(first.isClosed())
    let count = probe.signals.count
    driver.start()
    try server.serve().report([1])
    #expect(probe.wait(fixes: 2))
    #expect(Array(probe.signals[..<count]).fixTimes == [0])
    // The receiver's clock goes on, not the system's, which is years ahead of it.
    let beginnings = probe.signals.beginnings
    #expect(beginnings.count == 2)
    #expect(0..<86_400 ~= beginnings[1].seconds(since: .start))
  }

  @Test("the handler of a fix may stop the source, and gets no more")
  func stopFromWithin() throws {
    let server = try FakeServer()
    let box = Mutex<SourceDriver?>(nil)
    let shared = Shared(box)
    let driver = SourceDriver(.gpsd(server.address), deadline: { nil }) { [probe] signal in
      probe.take(signal)
      if case .fix = signal { shared.box.withLock { $0 }?.stop() }
    }
    shared.box.withLock { $0 = driver }
    defer { shared.box.withLock { $0 = nil } }
    driver.start()
    let peer = try server.serve()
    peer.report([0, 1, 2, 3])
    #expect(peer.isClosed())
    #expect(probe.signals.fixTimes == [0])
  }

  private final class Shared: Sendable {
    let box: Mutex<SourceDriver?>
    init(_ box: consuming sending Mutex<SourceDriver?>) { self.box = box }
  }

  @Test("the connection ends with the driver")
  func end() throws {
    let server = try FakeServer()
    var driver: SourceDriver? = driver(server.address)
    driver?.start()
    let peer = try server.serve()
    driver = nil
    #expect(peer.isClosed())
  }

  @Test("no thread is left of a hundred starts and stops")
  func leaks() throws {
    let server = try FakeServer(backlog: 128)
    let gone = DispatchSemaphore(value: 0)
    do {
      let token = SourceToken(gone)
      let driver = SourceDriver(.gpsd(server.address), deadline: { nil }) { _ in token.hold() }
      for _ in 0..<100 {
        driver.start()
        driver.poke()
        driver.stop()
      }
    }
    // Every thread holds it.
    #expect(gone.wait(timeout: .now() + 60) == .success)
  }

  // MARK: Time

  @Test("in silence a deadline passes once gpsd has answered that nothing is queued")
  func silence() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    peer.report([0])
    #expect(probe.wait(fixes: 1))
    // It has been due for long: the receiver's delay is two seconds.
    deadline.value = Timestamp.start.advanced(bySeconds: -10)
    driver.poke()
    #expect(peer.hears("?DEVICES;"))
    #expect(probe.signals.times.isEmpty)
    // What was queued comes before time passes.
    peer.report([1])
    peer.send(#"{"class":"DEVICES","devices":[]}"# + "\r\n")
    #expect(probe.wait { $0.times == [-10] })
    #expect(probe.signals.fixTimes == [0, 1])
    // It is not said again, though the engine still gives it.
    driver.poke()
    peer.report([2])
    #expect(probe.wait(fixes: 3))
    #expect(probe.signals.times == [-10])
  }

  @Test("without a gpsd a deadline passes by the clock")
  func lost() throws {
    let address = try FakeServer.nowhere()
    let driver = driver(address)
    driver.start()
    #expect(probe.wait { !$0.outages.isEmpty })
    let began = try #require(probe.signals.beginnings.first)
    deadline.value = began.advanced(bySeconds: -10)
    driver.poke()
    #expect(probe.wait { !$0.times.isEmpty })
    #expect(probe.signals.contains(.time(began.advanced(bySeconds: -10))))
  }

  @Test("a deadline is not reported before its time")
  func early() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    peer.report([0])
    #expect(probe.wait(fixes: 1))
    // The receiver's clock holds: by the system's, it has passed for long.
    deadline.value = Timestamp.start.advanced(bySeconds: 86_400)
    driver.poke()
    // Whoever asked is told how late it is by the clock.
    #expect(probe.wait { !$0.clocks.isEmpty })
    #expect(probe.signals.clocks.allSatisfy { (0..<60).contains($0) })
    peer.report([1])
    #expect(probe.wait(fixes: 2))
    #expect(probe.signals.times.isEmpty)
    #expect(!peer.received().contains("?DEVICES"))
  }

  @Test("headings come between the fixes; one without a time has the receiver's, or the clock's")
  func headings() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    func compass(_ heading: Int) -> String {
      #"{"class":"ATT","device":"/dev/ttyUSB1","heading":\#(heading)}"# + "\r\n"
    }
    peer.send(compass(1))
    peer.report([0])
    peer.send(compass(2) + compass(3))
    peer.report([1])
    #expect(probe.wait(fixes: 2))
    let order = probe.signals.order
    #expect(order.dropFirst() == ["fix 0", "heading 2 at 0", "heading 3 at 0", "fix 1"])
    // The system's clock, by which the source began.
    guard case .heading(let first) = probe.signals[2], let time = first.time else {
      return #expect(Bool(false), "\(probe.signals)")
    }
    #expect(first.geographic == 1 && time >= probe.signals.beginnings[0])
  }

  // MARK: Faults

  @Test("an invalid line is reported, and the fixes around it are used")
  func broken() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    peer.report([0])
    peer.send("garbage\r\n" + #"{"class":"TPV","mode":3,"lat":"# + "\r\n")
    peer.report([1])
    #expect(probe.wait(fixes: 2))
    let warnings = probe.signals.warnings
    #expect(warnings.count == 2)
    #expect(warnings.allSatisfy { $0.hasPrefix("\(server.address):") && !$0.contains("\n") })
    #expect(warnings[0].contains("garbage"))
  }

  @Test("of many errors the first hundred are reported")
  func flood() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    peer.send(String(repeating: "garbage\r\n", count: 150))
    peer.report([0])
    #expect(probe.wait(fixes: 1))
    #expect(probe.signals.warnings.count == 101)
    #expect(probe.signals.warnings.last?.hasSuffix("further errors are not reported") == true)
  }

  @Test("gpsd's own errors are reported")
  func complaint() throws {
    let server = try FakeServer()
    let driver = driver(server.address)
    driver.start()
    let peer = try server.serve()
    peer.send(#"{"class":"ERROR","message":"no such device"}"# + "\r\n")
    #expect(probe.wait { !$0.warnings.isEmpty })
    #expect(probe.signals.warnings == ["\(server.address): gpsd error: no such device"])
  }
}
