import Geodesy
@testable import Receivers
import Testing
import Text
@testable import Traces
import Tracking

@Suite("How a receiver found a position")
struct SolutionTests {
  private static func report(
    _ second: Int, status: Int? = nil, device: String = "/dev/gps"
  ) -> String {
    let status = status.map { #","status":\#($0)"# } ?? ""
    return #"{"class":"TPV","device":"\#(device)"\#(status),"mode":3,"#
      + #""time":"2025-03-10T08:00:0\#(second).000Z","lat":54.5,"lon":8.9}"# + "\r\n"
  }

  private static let header =
    #"{"class":"WAYMARK","recording":1,"source":"gpsd://a","device":"boat","simulated":true}"#
    + "\n"

  private func read(_ text: String, allowsSimulated: Bool = false) -> Decoded {
    decode(text, with: ReceiverLogDecoder(allowsSimulated: allowsSimulated))
  }

  private func refusals(_ decoded: Decoded) -> Int {
    decoded.marks.count { $0.contains("simulatedFix") }
  }

  @Test(
    "a status of gpsd is kept beside the fix",
    arguments: [
      (0, SolutionKind.plain, Fix.Mode.threeD), (1, .plain, .threeD),
      (2, .differential, .differential), (3, .rtkFixed, .differential),
      (4, .rtkFloat, .differential), (5, .deadReckoning, .threeD), (6, .combined, .threeD),
      (7, .surveyed, .threeD), (8, .simulated, .threeD), (9, .precise, .precise),
      (10, .plain, .threeD), (-1, .plain, .threeD), (4_711, .plain, .threeD),
    ])
  func statuses(status: Int, kind: SolutionKind, mode: Fix.Mode) throws {
    let decoded = read(Self.report(1, status: status), allowsSimulated: true)
    let point = try #require(decoded.points.first)
    #expect(point.solution == kind && point.fix.mode == mode)
    #expect(read(Self.report(1, status: status)).points.isEmpty == (kind == .simulated))
  }

  @Test(
    "the quality of GGA is kept beside the fix",
    arguments: zip(
      1...9,
      [
        SolutionKind.plain, .differential, .precise, .rtkFixed, .rtkFloat, .deadReckoning,
        .surveyed, .simulated, .differential,
      ]))
  func qualities(quality: Int, kind: SolutionKind) throws {
    let text =
      sentence("GPRMC,080001,A,5430.0,N,00854.0,E,0.5,90.0,100325,,")
      + sentence("GPGGA,080001,5430.0,N,00854.0,E,\(quality),08,0.9,34.0,M,45.0,M,,")
    let decoded = read(text, allowsSimulated: true)
    #expect(decoded.points.map(\.solution) == [kind])
    #expect(refusals(read(text)) == (kind == .simulated ? 1 : 0))
  }

  @Test(
    "the mode of RMC, GLL and GNS is kept beside the fix",
    arguments: [
      ("A", SolutionKind.plain), ("D", .differential), ("P", .precise), ("R", .rtkFixed),
      ("F", .rtkFloat), ("E", .deadReckoning), ("M", .surveyed), ("S", .simulated),
    ])
  func modes(letter: String, kind: SolutionKind) throws {
    let date = sentence("GPZDA,080000,10,03,2025,00,00")
    let place = "5430.0,N,00854.0,E"
    for text in [
      sentence("GPRMC,080001,A,\(place),0.5,90.0,100325,,,\(letter)"),
      sentence("GPGLL,\(place),080001,A,\(letter)"),
      sentence("GPGNS,080001,\(place),\(letter)N,08,0.9,34.0,45.0,,"),
    ] {
      let decoded = read(date + text, allowsSimulated: true)
      #expect(decoded.points.map(\.solution) == [kind], "\(text)")
      #expect(refusals(read(date + text)) == (kind == .simulated ? 1 : 0), "\(text)")
    }
  }

  @Test("an instant is simulated when one of its sentences is, in any order")
  func sentences() {
    let parts = [
      sentence("GPRMC,080001,A,5430.0,N,00854.0,E,0.5,90.0,100325,,,A"),
      sentence("GPGGA,080001,5430.0,N,00854.0,E,8,08,0.9,34.0,M,45.0,M,,"),
      sentence("GPGNS,080001,5430.0,N,00854.0,E,SP,08,0.9,34.0,45.0,,"),
    ]
    for text in [parts[0] + parts[1], parts[1] + parts[0], parts[2] + parts[0]] {
      #expect(refusals(read(text)) == 1 && read(text).points.isEmpty, "\(text)")
    }
  }

  @Test("simulated positions are refused and counted, however the log is cut")
  func refused() {
    let text = [1, 2, 3].map { Self.report($0, status: $0 == 2 ? 8 : nil) }.joined()
    let whole = read(text)
    #expect(whole.points.map(\.line) == [1, 3] && whole.issues.isEmpty)
    #expect(refusals(whole) == 1)
    for cut in 1..<text.utf8.count {
      #expect(decode(text, with: ReceiverLogDecoder(), pieces: [cut]) == whole, "cut at \(cut)")
    }
    #expect(
      read(text, allowsSimulated: true).points.map(\.solution) == [.plain, .simulated, .plain])
  }

  @Test("they are used where the recording says so, until a program that refuses them begins")
  func recorded() {
    let simulated = Self.report(1, status: 8)
    #expect(read(Self.header + simulated).points.count == 1)
    let later = Self.header.replacing(#","simulated":true"#, with: "")
    #expect(read(Self.header + later + simulated).points.isEmpty)
    #expect(read(later + Self.header + simulated).points.count == 1)
    // Of several sources each has its own.
    let van = Self.header.replacing("boat", with: "van").replacing(#","simulated":true"#, with: "")
    let boat = #"{"class":"WAYMARK","device":"boat"}"# + "\n"
    let shared = read(Self.header + van + simulated + boat + simulated)
    #expect(shared.points.map { $0.device.map { shared.devices[Int($0)] } } == ["boat"])
    #expect(refusals(shared) == 1)
  }

  @Test("three in a row are a change of the source, and so is the next position that is real")
  func changes() {
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    let text =
      Self.report(0) + [1, 2, 3, 4].map { Self.report($0, status: 8) }.joined()
      + Self.report(5)
    _ = decoder.decode(Array(text.utf8).span, isFinal: false, into: &batch)
    let changes = batch.marks.compactMap { mark -> SourceChange? in
      if case .status(let change) = mark.mark { change } else { nil }
    }
    #expect(changes.map(\.status) == [.ignoring, .fix])
    #expect(changes.map(\.duration) == [3, 5])
    #expect(changes[0].reason == "the positions are simulated; --allow-simulated uses them")
    #expect(decoder.state.simulated == 0)
    _ = decoder.decode(
      Array((Self.report(6, status: 8) + Self.report(7, status: 8)).utf8).span, isFinal: false,
      into: &batch)
    #expect(decoder.state.simulated == 2)
  }
}
