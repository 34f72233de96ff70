#if WAYMARK_ARROW
  import CNanoarrow
  import Foundation
  @testable import Playing
  import System
  import TestSupport
  import Testing
  import Tracking

  @Suite("A pipe of an Arrow stream")
  struct PipeArrowTests {
    private func pipe(
      _ stream: [UInt8], rules: Rules? = nil, order: PipeOptions.Order = .check, threads: Int = 1,
      fixture: PlayingFixture? = nil, state: String? = nil
    ) throws -> PlayingFixture.Piped {
      let rules = try rules ?? Rules(fences: FenceSet([.center()]))
      return try (fixture ?? PlayingFixture()).pipe(
        stream, rules: rules, input: .arrow, order: order, threads: threads, state: state)
    }

    private func traffic(_ seed: UInt64, most: Int = .max) -> String {
      var random = SeededGenerator(seed: seed)
      let lines = Traffic(devices: 12, fixes: 300, using: &random).lines.prefix(most)
      return lines.map(\.text).joined()
    }

    @Test(
      "gives what lines of the same fixes give, however they are split",
      arguments: PipeOptions.Order.allCases, [1, 3])
    func lines(order: PipeOptions.Order, threads: Int) throws {
      let (text, rules) = (traffic(7), try Traffic.rules())
      let lines = try PlayingFixture().pipe(text, rules: rules, order: order)
      for rows in [1_000, 97, .max] {
        let stream = ArrowSample(lines: text).stream(rows: rows)
        let piped = try pipe(stream, rules: rules, order: order, threads: threads)
        #expect(piped == lines, "\(rows) rows a batch")
      }
      #expect(lines.totals.gate.received > 3_000 && lines.totals.devices > 10)
    }

    @Test("continues from a state, and knows an input that comes again")
    func state() throws {
      let (text, rules) = (traffic(8), try Traffic.rules())
      let lines = text.split(separator: "\n").map { $0 + "\n" }
      let parts = [lines[..<1_700].joined(), lines[1_700...].joined()]
        .map { ArrowSample(lines: $0).stream(rows: 100) }
      let fixture = try PlayingFixture()
      let logs = try parts.map {
        try pipe($0, rules: rules, fixture: fixture, state: "state").log
      }
      let again = try pipe(parts[1], rules: rules, fixture: fixture, state: "state")
      #expect(again.log == logs[1])
      #expect(again.warnings.contains { $0.contains("read this input too") })
      let whole = try PlayingFixture().pipe(text, rules: rules)
      let events = { (log: String) in
        log.split(separator: "\n").filter { !$0.contains(#""type":"problem""#) }
      }
      #expect(events(logs.joined()) == events(whole.log))
    }

    @Test("a stream without rows has no fixes, and no problem")
    func noRows() throws {
      let sample = ArrowSample.walk(times: [], latitudes: [], longitudes: [])
      for isEnded in [true, false] {
        let piped = try pipe(sample.stream(isEnded: isEnded))
        #expect(piped.warnings.isEmpty && piped.totals.problems == 0 && piped.totals.lines == 0)
      }
    }

    @Test("a stream may end without its mark, and take a device of its own")
    func unmarked() throws {
      let piped = try pipe(ArrowSample.walk().stream(isEnded: false))
      #expect(piped.totals.gate.received == 2 && piped.totals.problems == 0)
      #expect(piped.lines.contains { $0.contains(#""device":"stdin""#) })
    }

    @Test("reads the times of every unit, and of any zone")
    func units() throws {
      let units: [(ArrowTimeUnit, Int64)] = [
        (NANOARROW_TIME_UNIT_SECOND, 1), (NANOARROW_TIME_UNIT_MILLI, 1_000),
        (NANOARROW_TIME_UNIT_MICRO, 1_000_000), (NANOARROW_TIME_UNIT_NANO, 1_000_000_000),
      ]
      let expected = try pipe(ArrowSample.walk().stream())
      for (unit, factor) in units {
        var sample = ArrowSample.walk()
        sample.columns[0].column = .time(
          unit, "Europe/Berlin", [1_741_593_600 * factor, 1_741_593_610 * factor])
        #expect(try pipe(sample.stream()) == expected)
      }
    }

    @Test("a row without a position is reported by batch, row and column; the others are used")
    func nulls() throws {
      let sample = ArrowSample.walk(
        times: [1_741_593_600, nil, 1_741_593_620, 1_741_593_630, .max],
        latitudes: [0, 0, nil, 0, 0], longitudes: [0, 0, 0, .nan, 0])
      let piped = try pipe(sample.stream(rows: 2))
      let advice = "is null, expected decimal degrees; fill it in or drop the row"
      #expect(
        piped.warnings == [
          "in:3:1: record batch 2, row 1: latitude \(advice)",
          "in:4:1: record batch 2, row 2: longitude \(advice)",
          "in:5:1: record batch 3, row 1: time is 9223372036854775807 s since 1970, expected a time "
            + "of the years 1678 to 2261",
        ])
      #expect(piped.totals.lines == 5 && piped.totals.gate.received == 3)
    }

    @Test("refuses columns by name, and says what it expects")
    func columns() throws {
      let known =
        " (the known columns are device, time, latitude, longitude, accuracy, speed, course and "
        + "altitude)"
      let walk = ArrowSample.walk()
      func refused(_ change: (inout ArrowSample) -> Void) throws -> [String] {
        var sample = walk
        change(&sample)
        let piped = try pipe(sample.stream())
        #expect(piped.totals.gate.received == 0 && piped.totals.problems == 1)
        return piped.warnings.map { $0.replacingOccurrences(of: known, with: "") }
      }
      #expect(
        try refused { $0.columns.append(("hdop\n", .number([1, 2]))) }
          == [#"in:1:1: column "hdop\n" is not known; rename it or leave it out"#])
      #expect(
        try refused { $0.columns[1].column = .float([0, 0]) }
          == ["in:1:1: column latitude is float, expected float64; cast it"])
      #expect(
        try refused { $0.columns[0].column = .time(NANOARROW_TIME_UNIT_MICRO, "", [0, 1]) }
          == [
            "in:1:1: column time is timestamp('us', ''), expected timestamp with a time zone, such "
              + "as timestamp[us, tz=UTC]; cast it"
          ])
      #expect(
        try refused { $0.columns.append(("device", .integer([1, 2]))) }
          == [
            "in:1:1: column device is int64, expected utf8 or large_utf8, or a dictionary of it; "
              + "cast it"
          ])
      #expect(
        try refused { $0.columns.removeLast() }
          == ["in:1:1: there is no column longitude, expected float64"])
      #expect(
        try refused { $0.columns.append(("latitude", .number([1, 2]))) }
          == ["in:1:1: there are two columns latitude; leave one out"])
    }

    @Test("a stream that is cut off anywhere ends with one problem, and what was before is used")
    func truncated() throws {
      let sample = ArrowSample(lines: traffic(9, most: 40))
      let stream = sample.stream(rows: 10)
      // A stream may end between two messages.
      let ends = (0...4).map { sample.prefix(10 * $0).stream(rows: 10, isEnded: false).count }
      let schema = ends[0]
      for count in stride(from: 0, to: stream.count - 8, by: 29) where !ends.contains(count) {
        let piped = try pipe(Array(stream[..<count]))
        #expect(piped.totals.lines % 10 == 0)
        let errors = piped.warnings.filter {
          $0.contains("too early") || $0.contains("the input is empty")
        }
        #expect(errors.count == 1, "\(count) bytes")
        let batch = piped.totals.lines / 10 + 1
        let place = "in:\(piped.totals.lines + 1):1: the stream ends in "
        #expect(errors.first?.hasPrefix(place + "record batch \(batch), ") == (count > schema))
      }
    }

    @Test("what is no stream is refused, as is what follows one")
    func others() throws {
      func warnings(_ bytes: [UInt8]) throws -> [String] { try pipe(bytes).warnings }
      #expect(try warnings([]) == ["in:1:1: the input is empty, expected an Arrow stream"])
      #expect(
        try warnings(Array("{\"time\":1}\n".utf8))
          == ["in:1:1: the input is no Arrow stream; --in ndjson or csv reads text"])
      #expect(
        try warnings(Array("ARROW1\0\0".utf8)) == [
          "in:1:1: the input is an Arrow file, expected an Arrow stream; write it with new_stream "
            + "of pyarrow"
        ])
      #expect(try warnings([0, 1, 2, 3, 4]) == ["in:1:1: the input is no Arrow stream"])
      let stream = ArrowSample.walk().stream()
      let twice = try pipe(stream + stream)
      #expect(
        twice.warnings == [
          "in:3:1: something follows the end of the stream; it was not read, give one stream alone"
        ])
      #expect(twice.totals.gate.received == 2)
      let body = ArrowSample.walk().stream(isEnded: false)
      #expect(
        try warnings(body + body)
          == [
            "in:3:1: record batch 2: found a second schema, expected a record batch"
              + "; everything before it was read"
          ])
    }

    @Test("bytes that were changed are an error or other fixes, and never end the program")
    func damage() throws {
      let stream = ArrowSample(lines: traffic(9, most: 40))
        .stream(rows: 20)
      var random = SeededGenerator(seed: 10)
      let fixture = try PlayingFixture()
      for _ in 0..<1_500 {
        var bytes = stream
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] =
            [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
        }
        let totals = try pipe(bytes, fixture: fixture).totals
        #expect(totals.lines <= 40 && totals.problems <= 41)
      }
    }
  }

  extension ArrowSample {
    fileprivate func prefix(_ count: Int) -> ArrowSample {
      ArrowSample(columns.map { ($0.name, $0.column.prefix(count)) })
    }
  }

  extension ArrowSample.Column {
    fileprivate func prefix(_ count: Int) -> Self {
      switch self {
      case .text(let values): .text(Array(values.prefix(count)))
      case .largeText(let values): .largeText(Array(values.prefix(count)))
      case .number(let values): .number(Array(values.prefix(count)))
      case .float(let values): .float(Array(values.prefix(count)))
      case .integer(let values): .integer(Array(values.prefix(count)))
      case .time(let unit, let zone, let values): .time(unit, zone, Array(values.prefix(count)))
      }
    }
  }
#endif
