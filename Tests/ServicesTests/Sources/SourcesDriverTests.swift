import Dispatch
import Foundation
import Services
import Testing
import Tracking

@Suite("Sources: the driver with a trace", .timeLimit(.minutes(90)))
struct SourcesDriverTests {
  private let folder: SourceFolder
  private let probe = SourceProbe()
  private let deadline = SourceDeadline()

  init() throws { folder = try SourceFolder() }

  private func driver(_ source: SourceDescription) -> SourceDriver {
    SourceDriver(source, deadline: { [deadline] in deadline.value }) { [probe] in probe.take($0) }
  }

  @Test("plays a trace to its end, once")
  func whole() throws {
    let driver = driver(.trace(path: try folder.table(Array(0..<100)), speed: nil))
    driver.start()
    #expect(probe.wait(.ended))
    #expect(probe.signals.first == .status(.reporting))
    #expect(probe.signals.fixTimes == (0..<100).map(Double.init))
    driver.stop()
    driver.start()
    #expect(probe.wait(.ended, times: 2))
    #expect(probe.signals.fixTimes.count == 100)
    #expect(probe.signals.beginnings.isEmpty)
  }

  @Test("a stop ends the wait for the next fix, and a start resumes it")
  func stop() throws {
    let driver = driver(.trace(path: try folder.table([0, 3_600, 7_200]), speed: 1))
    for count in 1...3 {
      driver.start()
      #expect(probe.wait(fixes: count))
      driver.stop()
    }
    driver.start()
    #expect(probe.wait(.ended))
    #expect(probe.signals.fixTimes == [0, 3_600, 7_200])
  }

  @Test("a deadline that comes due during a wait is reported")
  func poke() throws {
    let driver = driver(.trace(path: try folder.table([0, 3_600]), speed: 1))
    driver.start()
    #expect(probe.wait(fixes: 1))
    deadline.value = .start
    driver.poke()
    #expect(probe.wait { !$0.times.isEmpty })
    // It is not said again, though the engine still gives it.
    driver.poke()
    driver.stop()
    driver.start()
    #expect(probe.wait(.ended))
    #expect(probe.signals.times == [0])
    #expect(probe.signals.fixTimes == [0, 3_600])
  }

  @Test("a missing trace is reported, and played once it exists")
  func missing() throws {
    let path = "\(folder.path)/trip.csv"
    let driver = driver(.trace(path: path, speed: nil))
    driver.start()
    #expect(probe.wait(.unavailable("\(path): no such file")))
    #expect(probe.signals.count == 1)
    driver.stop()
    _ = try folder.table([0])
    driver.start()
    #expect(probe.wait(.ended))
    #expect(probe.signals.fixTimes == [0])
  }

  @Test("a missing source is reported")
  func none() {
    let driver = driver(.none)
    driver.start()
    #expect(probe.wait(.unavailable("there is no source of locations (none)")))
  }

  @Test("no thread is left of a hundred starts and stops, and no fix is lost")
  func leaks() throws {
    let path = try folder.table(Array(0..<10))
    let gone = DispatchSemaphore(value: 0)
    do {
      let token = SourceToken(gone)
      let driver = SourceDriver(.trace(path: path, speed: 1_000), deadline: { nil }) {
        [probe] signal in
        token.hold()
        probe.take(signal)
      }
      for _ in 0..<100 {
        driver.start()
        driver.poke()
        driver.stop()
      }
      driver.start()
      #expect(probe.wait(.ended))
    }
    #expect(gone.wait(timeout: .now() + 60) == .success)
    #expect(probe.signals.fixTimes == (0..<10).map(Double.init))
  }
}
