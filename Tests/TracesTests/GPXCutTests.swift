import Testing
import Traces
import Tracking

private let bytes = Array(sample.utf8)

@Test("cut off anywhere, a trace yields its complete points and reports where it ends")
func prefixes() {
  let ends = ["</trkpt >", "52.&#53;' />", "T12:00:10Z</time></trkpt>"].map { end in
    bytes.indices.first { bytes[$0...].starts(with: end.utf8) }.map { $0 + end.utf8.count } ?? 0
  }
  let root = bytes.indices.first { bytes[$0...].starts(with: "</gpx>".utf8) } ?? 0
  let whole = decode(bytes)
  for count in bytes.indices {
    let decoded = decode(Array(bytes[..<count]))
    let points = ends.count { $0 <= count }
    #expect(decoded.points.map(\.line) == whole.points[..<points].map(\.line), "cut at \(count)")
    let isWhole = count >= root + 6
    let last = decoded.issues.last
    if !isWhole || (last?.kind == .truncated && count < bytes.count - 1) {
      #expect(last?.kind == .truncated, "cut at \(count)")
      let line = bytes[..<count].count { $0 == 0x0A } + 1
      let column = count - (bytes[..<count].lastIndex(of: 0x0A) ?? -1)
      #expect(last?.line == line && last?.column == column, "cut at \(count)")
    }
  }
}

@Test("a trace cut in two anywhere yields the same as in one piece")
func splits() {
  let whole = decode(bytes)
  for cut in 0...bytes.count {
    #expect(decode(bytes, cuts: [cut]) == whole, "cut at \(cut)")
  }
}

@Test("the size of the chunks does not matter", arguments: [1, 2, 3, 7, 8, 9, 64, 100, 1000])
func chunks(size: Int) {
  #expect(decode(bytes, chunk: size) == decode(bytes))
}

@Test("an error is found at the same position however the bytes arrive", arguments: [1, 2, 5])
func faultsInPieces(size: Int) {
  for (text, _, _, _) in wrongDocuments {
    let bytes = Array(text.utf8)
    #expect(decode(bytes, chunk: size) == decode(bytes), "\(text)")
  }
}

@Test("an element may be cut after its start tag, and its text after a reference")
func cutBehindStartTag() {
  let value =
    "<gpx><trk><name>&amp;</name><trkseg><trkpt lat='1' lon='2'><ele>&amp;</ele></trkpt></trkseg>"
  let bytes = Array((value + "</trk></gpx>").utf8)
  let whole = decode(bytes)
  #expect(whole.issues.count == 1)
  for cut in bytes.indices { #expect(decode(bytes, cuts: [cut]) == whole, "cut at \(cut)") }
}

@Test("cut inside an element in a value, a trace yields the same as in one piece")
func cutInsideValue() {
  let value =
    "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>noon<b a='1'>c</b></time></trkpt></trkseg>"
  let bytes = Array((value + "</trk></gpx>").utf8)
  let whole = decode(bytes)
  #expect(whole.issues.count == 1)
  for cut in bytes.indices { #expect(decode(bytes, cuts: [cut]) == whole, "cut at \(cut)") }
  for size in 1...40 { #expect(decode(bytes, chunk: size) == whole, "pieces of \(size)") }
}
