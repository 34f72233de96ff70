import EventLog
import Geodesy
import Session
import Testing
import Tracking

@Suite("The state of a device as bytes")
struct DeviceStateTests {
  private static func rules(radius: Double = 100) throws -> Rules {
    let center = Coordinate(latitude: 52.5, longitude: 13.4)
    let area = Area.circle(Circle(center: center, radius: radius))
    var rules = Rules(fences: try FenceSet([Fence(id: "depot", area: area)]))
    rules.visits = VisitRules()
    return rules
  }

  /// A session with one device.
  private static func session(_ rules: Rules) -> Session {
    var session = Session(rules: rules, kinds: Set(LogEntry.Kind.allCases).subtracting([.fix]))
    session.sources = ["fixes"]
    _ = session.index(of: "van")
    return session
  }

  /// There and back through the depot.
  private static let fixes = (0..<200).map { step in
    let metres = Double(step < 100 ? step * 40 - 2_000 : 6_000 - step * 40)
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_772_000_000_000_000_000 + Int64(step) * 5_000_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: 13.4 + metres / 67_700))
    fix.horizontalAccuracy = 5
    return fix
  }

  private static func play(_ fixes: some Sequence<Fix>, _ session: inout Session) -> [LogEntry] {
    var entries: [LogEntry] = []
    for fix in fixes { session.take(fix, of: 0, from: 0, line: 0, into: &entries) }
    return entries
  }

  private static func state(_ session: inout Session, _ rules: Rules) -> [UInt8] {
    session.withPackedState(of: 0) { DeviceState.bytes($0, fences: rules.fences.fingerprint) }
  }

  private static func refusal(_ bytes: [UInt8], _ rules: Rules) -> DeviceState.Failure? {
    do throws(DeviceState.Failure) {
      _ = try DeviceState.packed(in: bytes, fences: rules.fences.fingerprint)
      return nil
    } catch {
      return error
    }
  }

  @Test("a run that continues from the state of another gives the events of one run")
  func continuation() throws {
    let rules = try Self.rules()
    var whole = Self.session(rules)
    let expected = Self.play(Self.fixes, &whole)
    #expect(expected.count >= 5)
    for cut in Self.fixes.indices {
      var (first, second) = (Self.session(rules), Self.session(rules))
      let before = Self.play(Self.fixes[..<cut], &first)
      let packed = try DeviceState.packed(
        in: Self.state(&first, rules), fences: rules.fences.fingerprint)
      #expect(packed.withUnsafeBytes { second.resume(0, from: $0) })
      #expect(before + Self.play(Self.fixes[cut...], &second) == expected, "cut at \(cut)")
      #expect(Self.state(&second, rules) == Self.state(&whole, rules))
    }
  }

  @Test("other bytes, other fences, another version and every changed bit are refused by name")
  func refusals() throws {
    let rules = try Self.rules()
    var session = Self.session(rules)
    _ = Self.play(Self.fixes, &session)
    let state = Self.state(&session, rules)
    #expect(Self.refusal(state, rules) == nil)
    #expect(Self.refusal(state, try Self.rules(radius: 101)) == .fences)
    #expect(Self.refusal([], rules) == .foreign)
    #expect(Self.refusal(Array("waymark".utf8), rules) == .foreign)
    var newer = state
    newer[7] = 2
    #expect(Self.refusal(newer, rules) == .version(2))
    for length in 8..<state.count {
      #expect(Self.refusal(Array(state[..<length]), rules) == .damaged)
    }
    for bit in 0..<state.count * 8 {
      var changed = state
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(Self.refusal(changed, rules) != nil, "bit \(bit)")
    }
  }

  @Test("a session refuses a damaged packed state and keeps its own")
  func damage() throws {
    let rules = try Self.rules()
    var session = Self.session(rules)
    _ = Self.play(Self.fixes, &session)
    let state = Self.state(&session, rules)
    #expect(![UInt8](repeating: 7, count: 40).withUnsafeBytes { session.resume(0, from: $0) })
    #expect(Self.state(&session, rules) == state)
  }
}
