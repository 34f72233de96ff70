import EventLog
import Geodesy
import Text
import Testing

@testable import Scoring
@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Reading events and truth")
struct ReadingTests {
  private func events(_ text: String) throws -> EventList {
    try EventList(Array(text.utf8), file: "log")
  }

  @Test(
    "an invalid line is reported with its number",
    arguments: [
      ("\n{\"type\":\"enter\"", 2), ("{}\n[]", 2), ("{} {}", 1),
      ("{\"type\":\"enter\",\"device\":\"a\",\"fence\":\"f\"}", 1),
      ("{\"type\":\"enter\",\"device\":\"a\",\"fence\":\"f\",\"time\":\"noon\"}", 1),
      ("{}\n\n{\"type\":\"visit\",\"device\":\"a\",\"latitude\":\"x\"}", 3),
      ("{\"type\":\"visit\",\"device\":\"a\",\"latitude\":1e999,\"longitude\":0}", 1),
    ])
  func faults(text: String, line: Int) {
    let error = #expect(throws: RecordError.self) { try events(text) }
    #expect(error?.line == line)
    #expect(error?.file == "log")
  }

  @Test("other types and unknown keys are skipped")
  func others() throws {
    let list = try events(
      "{\"type\":\"fix\",\"x\":[1,{\"y\":2}]}\n{\"type\":\"state\"}\n{\"no\":\"type\"}\n")
    #expect(list.kinds.isEmpty)
    #expect(list.unknownTypes.count == 1 && list.unknownTypes.first == nil)
  }

  @Test("lines of a type that no log has are counted, those of the log are not")
  func unknownTypes() throws {
    let known = LogEntry.Kind.allCases.map(\.rawValue).filter {
      !["enter", "exit", "visit", "significant-change"].contains($0)
    }
    let lines = (known + ["entre", "leave"]).map { "{\"type\":\"\($0)\"}\n" }.joined()
    let list = try events(lines)
    #expect(list.unknownTypes.count == 2 && list.unknownTypes.first == "entre")
    #expect(Set(known).isSubset(of: EventList.otherTypes))
  }

  @Test("fences that the truth does not have are found, of the devices that it has")
  func unknownFences() throws {
    let list = try events(
      [("a", "home"), ("a", "home"), ("a", "hom"), ("b", "home"), ("c", "x")].map {
        "{\"type\":\"enter\",\"device\":\"\($0.0)\",\"fence\":\"\($0.1)\",\"time\":1}\n"
      }.joined())
    var truth = Truth()
    let home = Truth.Fence(
      id: "home", position: SphericalPosition(latitude: 0, longitude: 0), radius: 1, why: "")
    truth.fences = [ExactText("a"): [home], ExactText("b"): []]
    let (fences, count) = list.unknownFences(in: truth)
    #expect(fences.map(\.fence) == ["hom", "home"])
    #expect(fences.map(\.device.text) == ["a", "b"])
    #expect(count == 2)
    truth.fences[ExactText("a")]?.append(
      Truth.Fence(id: "hom", position: home.position, radius: 1, why: ""))
    #expect(list.unknownFences(in: truth).fences.map(\.device.text) == ["b"])
  }

  @Test("a byte order mark at the start is skipped")
  func byteOrderMark() throws {
    let list = try events(
      "\u{FEFF}{\"type\":\"enter\",\"device\":\"a\",\"fence\":\"f\",\"time\":1}\n")
    #expect(list.kinds == [.fences])
    #expect(try events("\u{FEFF}").kinds.isEmpty)
  }

  @Test("a later line of a visit replaces the earlier, and a retraction removes it")
  func visits() throws {
    let position = "\"type\":\"visit\",\"device\":\"a\",\"latitude\":1,\"longitude\":2"
    let list = try events(
      """
      {\(position),"id":"v","arrival":"2025-01-01T00:00:00Z","departure":null,"decided":1}
      {\(position),"id":"v","arrival":"2025-01-01T00:00:10Z","departure":"2025-01-01T01:00:00Z",\
      "decided":2}
      {\(position),"id":"w","arrival":"2025-01-01T02:00:00Z"}
      {\(position),"id":"w","arrival":"2025-01-01T02:00:00Z","retracted":true}
      {\(position),"arrival":"2025-01-01T03:00:00Z"}
      {\(position),"arrival":"2025-01-01T03:00:01Z","departure":"2025-01-01T04:00:00Z"}
      """)
    let visits = list.visits(of: "a")
    #expect(visits.count == 2)
    #expect(visits.first?.firstDecided == 1)
    #expect(visits.first?.decided == 2)
    #expect(visits.last?.departure == 1_735_704_000)
  }

  @Test("visits and changes are read from an event log")
  func ownLog() throws {
    let coordinate = Coordinate(latitude: 50, longitude: 10)
    let arrival = Timestamp(nanoseconds: 1_000_000_000_000)
    func entry(_ statement: Event.Statement, at seconds: Double) -> LogEntry {
      let time = arrival.advanced(bySeconds: seconds)
      let event = Event(
        statement: statement, time: time, decided: time.advanced(bySeconds: 60),
        coordinate: coordinate, horizontalAccuracy: 5)
      return LogEntry(device: "a", .event(event))
    }
    var visit = Visit(arrival: arrival, isArrivalSeen: false, departure: nil, confidence: 0.75)
    var log: [UInt8] = []
    JSONLinesWriter.append(entry(.visit(visit), at: 0), to: &log)
    JSONLinesWriter.append(entry(.significantChange, at: 300), to: &log)
    let lasting = try EventList(log, file: "log")
    #expect(lasting.visits(of: "a").map(\.arrival) == [1_000])
    #expect(lasting.visits(of: "a").map(\.departure) == [nil])
    visit.departure = arrival.advanced(bySeconds: 600)
    JSONLinesWriter.append(entry(.visit(visit), at: 600), to: &log)
    let list = try EventList(log, file: "log")
    #expect(list.kinds == [.visits, .significant])
    let over = try #require(list.visits(of: "a").first)
    #expect(list.visits(of: "a").count == 1)
    #expect(over.departure == 1_600 && over.confidence == 0.75)
    #expect(over.firstDecided == 1_060 && over.decided == 1_660)
    #expect(list.changes(of: "a").map(\.time) == [1_300])
  }

  @Test("two names that only Unicode calls equal are two devices")
  func exactNames() throws {
    let names = ["J\u{E9}", "Je\u{301}"]
    let list = try events(
      names.enumerated().map { hour, name in
        let shared = "\"device\":\"\(name)\",\"latitude\":1,\"longitude\":2"
        return "{\"type\":\"enter\",\"fence\":\"f\",\"time\":\(hour),\(shared)}\n"
          + "{\"type\":\"significant-change\",\"time\":\(hour),\(shared)}\n"
          + "{\"type\":\"visit\",\"id\":\"v\",\"arrival\":\(hour),\(shared)}\n"
      }.joined())
    #expect(list.devices.count == 2 && list.crossings.count == 2)
    var truth = Truth()
    truth.devices = names.map {
      ScoredDevice(
        name: $0, split: "test", regime: "", profile: "", interval: 1, days: 1, start: 0, end: 1,
        firstFix: 0)
    }
    for name in list.devices {
      #expect(truth.only([name]).devices.map(\.exactName) == [name])
    }
    for (hour, name) in names.enumerated() {
      #expect(list.changes(of: name).map(\.time) == [Double(hour)])
      #expect(list.visits(of: name).map(\.arrival) == [Double(hour)])
    }
  }

  @Test("a percentile lies between two values")
  func percentiles() {
    #expect(Percentile.of([], 50) == nil)
    #expect(Percentile.of([3], 95) == 3)
    #expect(Percentile.of([4, 1, 2, 3], 50) == 2.5)
    #expect(Percentile.of([0, 10], 95) == 9.5)
  }

  @Test("an invalid file of the truth is reported with its name")
  func faultyTruth() {
    let error = #expect(throws: RecordError.self) {
      try Truth(
        .all, read: { (_) throws(RecordError) in Array("[{\"device\":\"a\"},\n 7]".utf8) },
        fail: { $0 })
    }
    #expect(error?.file == "devices.json")
    #expect(error?.line == 2)
  }
}
