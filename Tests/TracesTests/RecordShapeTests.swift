@testable import Formats
import Glibc
@testable import Receivers
import TestSupport
import Testing
@testable import Text
@testable import Traces
import Tracking

/// Rounds of the comparison with the other reader; WAYMARK_FUZZ sets more.
private let rounds = getenv("WAYMARK_FUZZ").flatMap { Int(String(cString: $0)) } ?? 400

/// Lines of the same or nearly the same shape, some with errors.
private struct LineMaker {
  var random: SeededGenerator

  mutating func below(_ bound: Int) -> Int { random.below(bound) }

  mutating func lines(_ line: (inout LineMaker) -> String) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<20 + below(30) {
      bytes += Array(line(&self).utf8)
      bytes += [[0x0A], [0x0A], [0x0D, 0x0A]][below(3)]
    }
    if below(3) == 0 { bytes.removeLast() }
    for _ in 0..<[0, 0, 1, 3][below(4)] {
      let offset = below(bytes.count)
      switch below(3) {
      case 0: bytes[offset] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.remove(at: offset)
      default: bytes.insert(Array("{}[],:;\"\\ e-+.0\n".utf8)[below(16)], at: offset)
      }
    }
    return bytes
  }

  mutating func number() -> String {
    switch below(20) {
    case 0:
      ["", "-", "01", "1.", ".5", "+1", "1e2", "-0", " 7 ", "1e999", "null", "true"][below(12)]
    case 1: "\(below(9)).\(random.next())\(random.next())"
    case 2: "\(below(100))"
    default: "\(below(2) == 0 ? "-" : "")\(below(90)).\(below(100_000_000))"
    }
  }

  mutating func time() -> String {
    let stamp =
      "2026-0\(1 + below(9))-1\(below(10))T1\(below(10)):\(10 + below(50)):\(10 + below(50))"
    return switch below(9) {
    case 0: ["", "\(random.next() >> 3)", "1700000000.25", "x", stamp, stamp + "+01:00"][below(6)]
    case 1: stamp + ".\(below(1_000_000_000))Z"
    default: stamp + ".000Z"
    }
  }

  mutating func name() -> String {
    ["van", "van-1", "a rather long name of a device", "käthe", "", " x", "a\\u0062", "q"][below(8)]
  }

  /// A line of the event log, with members in one of few orders.
  mutating func object() -> String {
    let device = below(9) == 0 ? [number(), "\(below(9)).0"][below(2)] : "\"\(name())\""
    var members = [
      #""type":"\#(below(30) == 0 ? "enter" : "fix")""#, #""device":\#(device)"#,
      #""time":"\#(time())""#, #""latitude":\#(number())"#, #""longitude":\#(number())"#,
    ]
    if below(3) > 0 { members.append(#""accuracy":\#(number())"#) }
    if below(8) == 0 { members.append(#""satellites":\#(below(3) == 0 ? number() : "7")"#) }
    if below(8) == 0 { members.append(#""mode":"\#(["3d", "dgps", "no"][below(3)])""#) }
    if below(8) == 0 {
      members.append(#""more":\#(["null", "[1]", "{}", "true", #""é""#][below(5)])"#)
    }
    if below(10) == 0 { members.append(members[below(members.count)]) }
    if below(5) == 0 { members.swapAt(below(members.count), below(members.count)) }
    if below(12) == 0 { members.remove(at: below(members.count)) }
    return "{" + members.joined(separator: below(9) == 0 ? ", " : ",") + "}"
  }

  mutating func row(_ separator: String) -> String {
    var cells = [name(), time(), number(), number(), number(), "u", number()]
    if below(9) == 0 {
      cells[below(7)] = ["", " 5", "\"q\"", "5 ", "\"a\(separator)b\""][below(5)]
    }
    if below(20) == 0 { cells.removeLast() }
    if below(20) == 0 { cells.append("") }
    return cells.joined(separator: separator)
  }
}

@Test("fixes read by their shapes equal those of the full reader", arguments: [1, 2, 3])
func linesAgree(seed: UInt64) {
  var maker = LineMaker(random: SeededGenerator(seed: seed))
  var plain = NDJSONDecoder()
  plain.usesShapes = false
  for round in 0..<rounds {
    let bytes = maker.lines { $0.object() }
    let expected = decode(bytes, with: plain)
    let pieces = (0..<3).map { _ in maker.below(bytes.count) }
    guard decode(bytes, with: NDJSONDecoder()) == expected,
      decode(bytes, with: NDJSONDecoder(), pieces: pieces) == expected
    else {
      Issue.record("seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      return
    }
  }
}

@Test("plain rows are read like rows that are split into cells first", arguments: [1, 2, 3])
func rowsAgree(seed: UInt64) {
  var maker = LineMaker(random: SeededGenerator(seed: seed))
  var full = CSVDecoder()
  full.readsPlainRows = false
  for round in 0..<rounds {
    let separator = [",", ";", "\t"][maker.below(3)]
    let columns = ["device", "time", "latitude", "longitude", "accuracy", "unread", "altitude"]
    let header = Array((columns.joined(separator: separator) + "\n").utf8)
    let bytes = header + maker.lines { $0.row(separator) }
    let expected = decode(bytes, with: full)
    let pieces = (0..<3).map { _ in maker.below(bytes.count) }
    guard decode(bytes, with: CSVDecoder()) == expected,
      decode(bytes, with: CSVDecoder(), pieces: pieces) == expected
    else {
      Issue.record("seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      return
    }
  }
}

@Test("reports read by their shapes equal those of the full reader", arguments: [1, 2, 3])
func reportsAgree(seed: UInt64) throws {
  var mutator = GPSDMutator(seed: seed)
  var reader = SwiftGPSDReader()
  for round in 0..<rounds * 20 {
    let line = mutator.next()
    let expected = Result { () throws(JSONError) in try SwiftGPSDReader.readInFull(line.span) }
    let found = Result { () throws(JSONError) in try reader.read(line.span) }
    let isSame =
      switch (expected, found) {
      case (.success(let a), .success(let b)): a.isIdentical(to: b)
      case (.failure(let a), .failure(let b)): a == b
      default: false
      }
    guard isSame else {
      Issue.record("seed \(seed), round \(round): \(String(decoding: line, as: UTF8.self))")
      return
    }
  }
}

@Test(
  "devices are found by their names whatever their length, and learned again from another batch")
func devicesAreFound() {
  var table = DeviceTable()
  var names: [String] = []
  func index(_ name: String, _ names: inout [String]) -> Int32 {
    let bytes = Array(name.utf8)
    return table.index(of: bytes.span, in: &names)
  }
  let texts = (0..<300).map { String(repeating: "ab", count: $0 / 10) + "\($0)" }
  for (number, text) in texts.enumerated() { #expect(index(text, &names) == Int32(number)) }
  for (number, text) in texts.enumerated() { #expect(index(text, &names) == Int32(number)) }
  #expect(names == texts)
  var others = ["x"]
  #expect(index("0", &others) == 1 && index("x", &others) == 0 && others == ["x", "0"])
}
