import Receivers
import Testing

@testable import GPSD

@Suite("What a gpsd answers to doctor")
struct GPSDProbeTests {
  private static let version = GPSDVersion(release: "3.22", major: 3, minor: 14)

  private func probe(_ events: [LinkEvent]) -> GPSDProbe {
    var listener = GPSDProbe.Listener()
    for event in events { listener.take(event) }
    return listener.probe
  }

  private func line(_ text: String) -> LinkEvent { .bytes(Array((text + "\n").utf8)[...]) }

  @Test("is the last step that it reached")
  func steps() {
    var events: [LinkEvent] = []
    #expect(probe(events) == .unavailable(.timeout(.connecting)))
    events.append(.status(.connected(Self.version)))
    #expect(probe(events) == .silent(Self.version))
    events.append(line(#"{"class":"DEVICES","devices":[]}"#))
    #expect(probe(events) == .silent(Self.version))
    events.append(line(#"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#))
    #expect(probe(events) == .noFix(Self.version))
    events.append(
      line(
        #"{"class":"TPV","device":"/dev/ttyUSB0","status":8,"mode":3,"#
          + #""time":"2025-03-10T07:00:00.000Z","lat":0.0,"lon":0.0,"eph":9.5}"#))
    #expect(probe(events) == .simulated(Self.version))
    for second in 0..<3 {
      events.append(
        line(
          #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2025-03-10T08:00:0\#(second)"#
            + #".000Z","lat":0.0,"lon":0.0,"eph":9.5}"#))
    }
    #expect(probe(events) == .fix(Self.version))
    #expect(probe(events + [.status(.lost(.closed, retry: nil))]) == .unavailable(.closed))
  }
}
