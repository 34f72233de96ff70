@testable import Formats
import Glibc
@testable import Traces
import Tracking

/// What a decoder gave in all, flat enough to be compared.
struct DecodedGPX: Equatable {
  var points: [TracePoint] = []
  var marks: [Marked] = []

  struct Marked: Equatable {
    var before: Int
    var mark: TraceMark
  }

  var issues: [TraceIssue] {
    marks.compactMap { if case .issue(let issue) = $0.mark { issue } else { nil } }
  }

  mutating func take(_ batch: inout TraceBatch) {
    let before = points.count
    points += batch.points
    marks += batch.marks.map { Marked(before: before + $0.before, mark: $0.mark) }
    batch.removeAll()
  }
}

/// Decodes `bytes`, giving the decoder those up to each of `cuts`, then all.
func decode(_ bytes: [UInt8], cuts: [Int] = []) -> DecodedGPX {
  var decoder = GPXDecoder()
  var batch = TraceBatch()
  var decoded = DecodedGPX()
  var used = 0
  for end in cuts + [bytes.count] {
    let isFinal = end == bytes.count
    used += decoder.decode(bytes.span.extracting(used..<end), isFinal: isFinal, into: &batch)
    decoded.take(&batch)
    if decoder.isFinished { break }
  }
  return decoded
}

func decode(_ text: String) -> DecodedGPX { decode(Array(text.utf8)) }

/// Decodes `bytes` that arrive `size` at a time.
func decode(_ bytes: [UInt8], chunk size: Int) -> DecodedGPX {
  decode(bytes, cuts: Array(stride(from: size, to: bytes.count, by: size)))
}

/// A document with all that the scanner and the decoder know.
let sample = """
  <?xml version="1.0" encoding="UTF-8" standalone='no' ?>
  <!-- a comment - with a dash -->
  <!DOCTYPE gpx SYSTEM "http://example.org/gpx.dtd">
  <?target some > instruction?>
  <gpx version="1.1" creator='a "quoted" &lt;name&gt;' xmlns="http://www.topografix.com/GPX/1/1"
    xmlns:x="urn:x">
    <wpt lat="1.5" lon="-2.5"><name>Zürich &amp; B&#228;r</name></wpt>
    <rte><name><![CDATA[A <b> ]] c]]></name><rtept lat="3" lon="4"/></rte>
    <trk>
      <name> Mor<!-- in between -->ning &#x20AC; </name>
      <trkseg>
        <trkpt lat="52.5163" lon="13.3777">
          <ele>34.5</ele><time>2024-02-29T12:00:00Z</time>
          <fix>3d</fix><sat>9</sat><hdop>1.5</hdop>
          <extensions>
            <x:TrackPointExtension><x:speed>3.5</x:speed><x:course>360</x:course><x:hr>99</x:hr>
            </x:TrackPointExtension><accuracy>4</accuracy>
          </extensions>
        </trkpt >
        <trkpt lon='13.4' lat='52.&#53;' />
        <trkpt lat="x" lon="1"><ele>5</ele></trkpt>
        <trkpt lat="52.6" lon="13.5"><ele>high</ele>
          <time><![CDATA[2024-02-29]]>T12:00:10Z</time></trkpt>
      </trkseg><trkseg></trkseg>
    </trk>
  </gpx>
  <!-- the end -->

  """

/// A file that is removed when the value goes.
struct TemporaryFile: ~Copyable {
  let path: String

  init(_ bytes: [UInt8]) {
    var template = Array("/tmp/traces-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unlink(path) }
}
