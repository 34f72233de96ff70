@testable import EventLog
@testable import Formats
import Geodesy
import TestSupport
import Testing

@testable import Text
import Traces
@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

private let time = Timestamp(nanoseconds: 1_741_615_327_300_000_000)
private let crossing = Crossing(timeUncertainty: 0.4, isInterpolated: true, confidence: 0.9912)
private let blind = Crossing(timeUncertainty: 12, isInterpolated: false, confidence: nil)

private func event(_ statement: Event.Statement, bare: Bool = false) -> Event {
  Event(
    statement: statement, time: time, decided: time.advanced(bySeconds: 1.7),
    coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777),
    horizontalAccuracy: bare ? nil : 5, speed: bare ? nil : 12.345, course: bare ? nil : 270.04)
}

private func entry(_ statement: Event.Statement, device: String = "van", bare: Bool = false)
  -> LogEntry
{
  LogEntry(device: device, .event(event(statement, bare: bare)))
}

/// The lines of a visit: while it lasts, then its end.
private func visit(isArrivalSeen: Bool = true) -> [LogEntry] {
  var visit = Visit(
    arrival: time, isArrivalSeen: isArrivalSeen, departure: nil, confidence: 0.9512)
  var first = event(.visit(visit), bare: true)
  first.horizontalAccuracy = 8
  visit.departure = time.advanced(bySeconds: 2_530)
  (visit.revision, visit.departureUncertainty) = (1, 60)
  var last = first
  last.statement = .visit(visit)
  last.time = time.advanced(bySeconds: 2_530)
  last.decided = last.time.advanced(bySeconds: 60)
  return [first, last].map { LogEntry(device: "van", .event($0)) }
}

private var fullFix: Fix {
  var fix = Fix(time: time, coordinate: Coordinate(latitude: -0.000_000_04, longitude: -180))
  fix.horizontalAccuracy = 5
  fix.speed = 12.345
  fix.course = 359.97
  fix.altitude = -34.256
  fix.ellipsoidalAltitude = 10.5
  fix.verticalAccuracy = 8.1
  fix.speedAccuracy = 0.3
  fix.courseAccuracy = 4
  fix.hdop = 1.25
  fix.vdop = 2.3
  fix.pdop = 99.99
  fix.satellites = 9
  fix.mode = .differential
  return fix
}

private let all: [LogEntry] = [
  entry(.enter(fence: "depot", crossing)),
  entry(.exit(fence: "depot", blind, inside: 2_530.4), bare: true),
  entry(.dwell(fence: "depot", inside: 600)),
  entry(.state(fence: "depot", .outside, confidence: nil), bare: true),
  LogEntry(device: "van", .fix(fullFix)),
  LogEntry(
    device: "van",
    .fix(Fix(time: nil, coordinate: Coordinate(latitude: .nan, longitude: .infinity)))),
  LogEntry(device: "a.csv", .problem(.init(message: "a.csv:3:7: latitude is \"x\""))),
]

/// The log of entries, without what comes before them, line by line.
private func lines(_ entries: [LogEntry], _ format: EventFormat) -> [String] {
  var writer = EventWriter(format: format)
  let text = written { for entry in entries { writer.append(entry, to: &$0) } }
  #expect(text.hasSuffix("\n"))
  return text.split(separator: "\n").map(String.init)
}

@Suite struct JSONLinesWriterTests {
  @Test("each type has its keys in the order of the contract")
  func types() {
    let ids = all.map { $0.id?.description ?? "" }
    let place = #""latitude":52.5163000,"longitude":13.3777000"#
    let when = #""time":"2025-03-10T14:02:07.300Z","decided":"2025-03-10T14:02:09.000Z""#
    let about = #""device":"van","fence":"depot",\#(when),\#(place)"#
    let motion = #""speed":12.35,"course":270.0"#
    let found = lines(all, .jsonl)
    #expect(
      found[0]
        == #"{"type":"enter","id":"\#(ids[0])",\#(about),"accuracy":5.00,"timeUncertainty":0.400,"interpolated":true,"confidence":0.991,\#(motion)}"#
    )
    #expect(
      found[1]
        == #"{"type":"exit","id":"\#(ids[1])",\#(about),"timeUncertainty":12.000,"interpolated":false,"duration":2530.400}"#
    )
    #expect(
      found[2]
        == #"{"type":"dwell","id":"\#(ids[2])",\#(about),"accuracy":5.00,"duration":600.000,\#(motion)}"#
    )
    #expect(
      found[3] == #"{"type":"state","id":"\#(ids[3])",\#(about),"state":"outside"}"#)
    #expect(
      found[4]
        == #"{"type":"fix","device":"van","time":"2025-03-10T14:02:07.300Z","latitude":0.0000000,"longitude":-180.0000000,"accuracy":5.00,"speed":12.35,"course":0.0,"altitude":-34.26,"verticalAccuracy":8.10,"speedAccuracy":0.30,"courseAccuracy":4.0,"hdop":1.25,"vdop":2.30,"pdop":99.99,"satellites":9,"mode":"dgps","ellipsoidalAltitude":10.50}"#
    )
    #expect(found[5] == #"{"type":"fix","device":"van"}"#)
    #expect(
      found[6]
        == #"{"type":"problem","id":"\#(ids[6])","device":"a.csv","message":"a.csv:3:7: latitude is \"x\""}"#
    )
  }

  @Test("a visit is logged twice under one id, its departure null while it lasts")
  func visits() {
    let entries = visit()
    let id = entries[0].id?.description ?? ""
    let place = #""latitude":52.5163000,"longitude":13.3777000,"accuracy":8.00,"confidence":0.951"#
    let arrival = #""arrival":"2025-03-10T14:02:07.300Z""#
    #expect(
      lines(entries, .jsonl) == [
        #"{"type":"visit","id":"\#(id)","device":"van","time":"2025-03-10T14:02:07.300Z","decided":"2025-03-10T14:02:09.000Z",\#(place),\#(arrival),"departure":null,"revision":0}"#,
        #"{"type":"visit","id":"\#(id)","device":"van","time":"2025-03-10T14:44:17.300Z","decided":"2025-03-10T14:45:17.300Z",\#(place),\#(arrival),"departure":"2025-03-10T14:44:17.300Z","revision":1,"departureUncertainty":60.0}"#,
      ])
    #expect(id == EventID(device: "van", kind: .visit, fence: "", time: time).description)
    let unseen = lines(visit(isArrivalSeen: false), .jsonl)
    #expect(unseen[0].hasSuffix(#"\#(arrival),"departure":null,"arrivalSeen":false,"revision":0}"#))
    #expect(unseen[1].hasSuffix(#""arrivalSeen":false,"revision":1,"departureUncertainty":60.0}"#))
  }

  @Test("a significant change has position and speed")
  func significantChange() {
    let change = entry(.significantChange)
    let id = change.id?.description ?? ""
    #expect(
      lines([change], .jsonl) == [
        #"{"type":"significant-change","id":"\#(id)","device":"van","time":"2025-03-10T14:02:07.300Z","decided":"2025-03-10T14:02:09.000Z","latitude":52.5163000,"longitude":13.3777000,"accuracy":5.00,"speed":12.35,"course":270.0}"#
      ])
  }

  @Test("a problem with a time is logged with it")
  func problem() {
    let problem = LogEntry.Problem(message: "m", time: time, decided: time)
    let found = lines([LogEntry(device: "van", .problem(problem))], .jsonl)[0]
    let when = #""time":"2025-03-10T14:02:07.300Z","decided":"2025-03-10T14:02:07.300Z""#
    #expect(found.hasSuffix(#""device":"van",\#(when),"message":"m"}"#))
  }

  @Test("every line is JSON, whatever names it holds")
  func hostile() throws {
    let name = "\"\\\n\r\t\u{1B}[31m\u{0}🚚,=\u{202E}"
    for entry in all + visit() + [entry(.enter(fence: name, crossing), device: name)] {
      let line = Array(lines([entry], .jsonl)[0].utf8)
      var scanner = JSONScanner()
      _ = try scanner.next(in: line.span)
      while let key = try scanner.nextKey(in: line.span) {
        let value = try scanner.nextValue(in: line.span)
        if case .string(let slice) = value, key.equals("fence", in: line.span), entry.device == name
        {
          #expect(slice.string(in: line.span) == name)
        }
      }
      #expect(try scanner.next(in: line.span) == nil)
      #expect(!line.contains(0x1B) && !line.contains(0x0A))
    }
  }

  @Test("a fix that is written, read and written again gives the same bytes")
  func roundTrip() {
    var generator = SeededGenerator(seed: 17)
    func random(_ range: ClosedRange<Double>) -> Double? {
      generator.next() % 4 == 0 ? nil : Double.random(in: range, using: &generator)
    }
    var entries = [all[4]]
    for _ in 0..<500 {
      let seconds = random(-9e9...9e9)
      var fix = Fix(
        time: seconds.map { Timestamp(nanoseconds: 0).advanced(bySeconds: $0) },
        coordinate: Coordinate(
          latitude: random(-90...90) ?? 0, longitude: random(-180...180) ?? 0))
      fix.horizontalAccuracy = random(0...1e6)
      fix.speed = random(0...300)
      fix.course = random(0...360)
      fix.altitude = random(-1e18...1e19)
      fix.verticalAccuracy = random(0...1e-3)
      fix.speedAccuracy = random(0...10)
      fix.courseAccuracy = random(0...180)
      (fix.hdop, fix.vdop, fix.pdop) = (random(0...100), random(0...1e12), random(0...1))
      fix.satellites = random(0...99).map { Int($0) }
      fix.mode = Fix.Mode.allCases.randomElement(using: &generator) ?? .unknown
      entries.append(LogEntry(device: "van 🚚\"\n", .fix(fix)))
    }
    let first = written { for entry in entries { JSONLinesWriter.append(entry, to: &$0) } }
    let decoded = decode(first, with: NDJSONDecoder())
    #expect(decoded.marks.isEmpty, "seed 17")
    let second = written {
      for point in decoded.points {
        let device = decoded.devices[Int(point.device ?? 0)]
        JSONLinesWriter.append(LogEntry(device: device, .fix(point.fix)), to: &$0)
      }
    }
    #expect(first == second, "seed 17")
  }
}

@Suite struct CSVWriterTests {
  @Test("the header has every key of the contract, and each line has a cell for each")
  func header() {
    let writer = EventWriter(format: .csv)
    let header = written { writer.begin(into: &$0) }
    #expect(
      header
        == "type,id,device,fence,time,decided,latitude,longitude,accuracy,timeUncertainty,"
        + "interpolated,confidence,state,duration,arrival,departure,arrivalSeen,place,speed,course,altitude,"
        + "verticalAccuracy,speedAccuracy,courseAccuracy,hdop,vdop,pdop,satellites,mode,message,"
        + "ellipsoidalAltitude,revision,arrivalUncertainty,departureUncertainty,retracted\n")
    for line in lines(all.dropLast() + visit() + [entry(.significantChange)], .csv) {
      #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == 35)
    }
  }

  @Test("each type fills its cells")
  func types() {
    let ids = all.map { $0.id?.description ?? "" }
    let about = "van,depot,2025-03-10T14:02:07.300Z,2025-03-10T14:02:09.000Z,52.5163000,13.3777000"
    let found = lines(all, .csv)
    #expect(
      found[0] == "enter,\(ids[0]),\(about),5.00,0.400,true,0.991,,,,,,,12.35,270.0,,,,,,,,,,,,,,,")
    #expect(found[1] == "exit,\(ids[1]),\(about),,12.000,false,,,2530.400,,,,,,,,,,,,,,,,,,,,,")
    #expect(found[2] == "dwell,\(ids[2]),\(about),5.00,,,,,600.000,,,,,12.35,270.0,,,,,,,,,,,,,,,")
    #expect(found[3] == "state,\(ids[3]),\(about),,,,,outside,,,,,,,,,,,,,,,,,,,,,,")
    #expect(
      found[4]
        == "fix,,van,,2025-03-10T14:02:07.300Z,,0.0000000,-180.0000000,5.00,,,,,,,,,,12.35,0.0,"
        + "-34.26,8.10,0.30,4.0,1.25,2.30,99.99,9,dgps,,10.50,,,,")
    #expect(
      found[6] == "problem,\(ids[6]),a.csv" + String(repeating: ",", count: 27)
        + "\"a.csv:3:7: latitude is \"\"x\"\"\",,,,,")
  }

  @Test("visits and significant changes fill their cells, an open end is empty")
  func visits() {
    let found = lines(visit() + visit(isArrivalSeen: false) + [entry(.significantChange)], .csv)
    let id = visit()[0].id?.description ?? ""
    let place = "52.5163000,13.3777000,8.00,,,0.951,,"
    let (arrival, departure) = ("2025-03-10T14:02:07.300Z", "2025-03-10T14:44:17.300Z")
    let rest = String(repeating: ",", count: 14)
    let first = "visit,\(id),van,,\(arrival),2025-03-10T14:02:09.000Z,\(place),\(arrival),"
    let last =
      "visit,\(id),van,,\(departure),2025-03-10T14:45:17.300Z,\(place),\(arrival),\(departure)"
    #expect(found[0] == "\(first),\(rest),0,,,")
    #expect(found[1] == "\(last),\(rest),1,,60.0,")
    #expect(found[2] == "\(first),false\(rest),0,,,")
    #expect(found[3] == "\(last),false\(rest),1,,60.0,")
    let change = entry(.significantChange).id?.description ?? ""
    #expect(
      found[4] == "significant-change,\(change),van,,\(arrival),2025-03-10T14:02:09.000Z,"
        + "52.5163000,13.3777000,5.00,,,,,,,,,,12.35,270.0,,,,,,,,,,,,,,,")
  }

  @Test(
    "texts are quoted where necessary, and are never formulas",
    arguments: [
      ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"),
      ("+1", "'+1"),
      ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""),
      ("=\"a\",1", "\"'=\"\"a\"\",1\""),
      ("\n=1", "\"'\n=1\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{FF20}x", "'\u{FF20}x"),
      ("\0=1", "'\0=1"), (" =1", " =1"),
      ("a=1", "a=1"), ("", ""), ("🚚;", "🚚;"), ("\u{1B}[2J", "\u{1B}[2J"),
    ])
  func texts(name: String, cell: String) {
    let entry = LogEntry(device: name, .problem(.init(message: "m")))
    let id = entry.id?.description ?? ""
    let text = written { CSVWriter.append(entry, to: &$0) }
    #expect(text == "problem,\(id),\(cell)" + String(repeating: ",", count: 27) + "m,,,,,\n")
  }

  @Test("negative numbers are numbers, not formulas")
  func numbers() {
    let text = written { CSVWriter.append(all[4], to: &$0) }
    #expect(text.contains(",-180.0000000,") && !text.contains("'"))
  }

  @Test("a CSV log of fixes is read back as a trace")
  func readable() {
    let writer = EventWriter(format: .csv)
    let text = written {
      writer.begin(into: &$0)
      CSVWriter.append(all[4], to: &$0)
    }
    let decoded = decode(text, with: CSVDecoder())
    #expect(decoded.points.count == 1 && decoded.issues.isEmpty && decoded.devices == ["van"])
  }
}

@Suite struct TextWriterTests {
  @Test("each type is one line that reads by itself")
  func types() {
    let time = "2025-03-10 14:02:07.3Z"
    let place = "52.5163000,13.3777000"
    let (gap, indent) = (String(repeating: " ", count: 8), String(repeating: " ", count: 32))
    // The columns of place and confidence have their usual widths from the first line on.
    let unsure = String(repeating: " ", count: 9)
    let expected = [
      "\(time) ± 0.4 s  van  enter  depot  \(place) ± 5 m    99.1 %",
      "\(time) ± 12 s   van  exit   depot  \(place)        \(unsure)  after 42 min 10 s",
      "\(time)\(gap)  van  dwell  depot  \(place) ± 5 m  \(unsure)  for 10 min",
      "\(time)\(gap)  van  state  depot  \(place)        \(unsure)  outside",
      "\(time)\(gap)  van  fix    0.0000000,-180.0000000 ± 5 m \(unsure)  12.3 m/s  0°",
      "\(indent)van  fix    nan,inf",
      "\(indent)a.csv  problem  \(String(repeating: " ", count: 40))a.csv:3:7: latitude is \"x\"",
    ]
    for (entry, line) in zip(all, expected) {
      #expect(lines([entry], .text) == [line])
    }
  }

  @Test("a visit shows its start or its duration, and whether its arrival was observed")
  func visits() {
    let line = { (time: String, rest: String) in
      "2025-03-10 \(time)          van  visit  52.5163000,13.3777000 ± 8 m    95.1 %   \(rest)"
    }
    #expect(
      lines(visit(), .text) == [
        line("14:02:07.3Z", "stays since 14:02:07"),
        line("14:44:17.3Z", "stayed 42 min 10 s, since 14:02:07"),
      ])
    #expect(
      lines(visit(isArrivalSeen: false), .text) == [
        line("14:02:07.3Z", "stays since 14:02:07 or before"),
        line("14:44:17.3Z", "stayed 42 min 10 s at least, since 14:02:07 or before"),
      ])
  }

  @Test("a visit that began on another day shows its date, and one taken back says so")
  func otherVisits() {
    func last(_ change: (inout Visit) -> Void) -> String {
      var visit = Visit(
        arrival: time, isArrivalSeen: true, departure: time.advanced(bySeconds: 36_000),
        confidence: 0.9)
      change(&visit)
      var event = event(.visit(visit))
      event.time = time.advanced(bySeconds: 36_000)
      return lines([LogEntry(device: "van", .event(event))], .text)[0]
    }
    #expect(last { _ in }.hasPrefix("2025-03-11 00:02:07.3Z "))
    #expect(last { _ in }.hasSuffix("  stayed 10 h, since 2025-03-10 14:02:07"))
    let retracted = last { ($0.isRetracted, $0.departure) = (true, time.advanced(bySeconds: 90)) }
    #expect(retracted.hasSuffix("  no visit after all, since 14:02:07"))
  }

  @Test("an event without a fence leaves its column blank, so places stay aligned")
  func withoutFence() {
    let warehouse = "warehouse 12"
    var writer = EventWriter(format: .text, fences: [warehouse, "a"])
    let entries =
      [entry(.exit(fence: "a", crossing, inside: 5)), entry(.significantChange)] + visit()
      + [entry(.enter(fence: warehouse, crossing))]
    let text = written { for entry in entries { writer.append(entry, to: &$0) } }
    let found = text.split(separator: "\n").map(String.init)
    #expect(found[0].contains("  exit   a             52.5163"))
    #expect(found[1].contains("  significant-change   52.5163"))
    #expect(found[2].contains("  visit                52.5163"))
    #expect(found[4].contains("  enter  warehouse 12  52.5163"))
    #expect(Set(found.map { $0.split(separator: "52.5163")[0].count }).count == 1)
  }

  @Test("columns are aligned to the widest cell so far, without trailing blanks")
  func aligned() {
    let short = entry(.enter(fence: "a", crossing))
    let long = entry(.exit(fence: "warehouse 🚚", crossing, inside: 5), device: "lorry")
    let found = lines([long, short, long], .text)
    #expect(found[0] == found[2])
    #expect(found.allSatisfy { !$0.hasSuffix(" ") })
    for cell in ["e", "52.5163"] {
      let widths = found.map { $0.split(separator: cell)[0].count }
      #expect(widths == Array(repeating: widths[0], count: 3))
    }
  }

  @Test("a name of any length makes no column wider than 100")
  func wide() {
    for length in [100, 101, 60_000] {
      let name = String(repeating: "x", count: length)
      let long = entry(.enter(fence: "a", crossing), device: name)
      let found = lines([long, entry(.enter(fence: "a", crossing), device: "van")], .text)
      #expect(found[0].contains("  \(name)  enter  a"))
      #expect(found[1].contains("  van" + String(repeating: " ", count: 97) + "  enter  a"))
    }
  }

  @Test("names cannot reach the terminal")
  func hostile() {
    let name = "a\u{1B}[2J\n\r\u{9B}\u{202E}b\u{2028}🚚👩‍🚒"
    let found = lines(
      [
        entry(.enter(fence: name, crossing), device: name),
        LogEntry(device: name, .problem(.init(message: name))),
      ], .text)
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("a?[2J????b?🚚👩‍🚒") })
  }

  @Test(
    "durations are read at a glance",
    arguments: [
      (0, "0 s"), (0.04, "0 s"), (0.4, "0.4 s"), (8, "8 s"), (9.94, "9.9 s"), (9.96, "10 s"),
      (59.4, "59 s"),
      (59.6, "1 min"), (2_530.4, "42 min 10 s"), (3_599.6, "1 h"), (3_900, "1 h 5 min"),
      (183_600, "2 d 3 h"), (86_460, "1 d"), (-90, "-1 min 30 s"), (.infinity, "inf s"),
      (1e300, "1e+300 s"),
    ])
  func durations(seconds: Double, expected: String) {
    #expect(Readable.duration(seconds) == expected)
  }

  @Test(
    "lengths are read at a glance",
    arguments: [
      (0, "0 m"), (4.66, "4.7 m"), (5, "5 m"), (9.96, "10 m"), (120.4, "120 m"),
      (9_999.4, "9999 m"),
      (9_999.5, "10.0 km"), (12_540, "12.5 km"), (.infinity, "inf km"),
    ])
  func lengths(metres: Double, expected: String) {
    #expect(Readable.length(metres) == expected)
  }
}
