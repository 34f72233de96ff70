@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces
import Tracking

private func read(_ text: String, pieces: [Int] = []) -> Decoded {
  decode(text, with: LineTraceDecoder<VBOXContent>(), pieces: pieces)
}

private func file(
  _ rows: String, created: String = "File created on 31/07/2006 at 16:22:20",
  velocity: String = "velocity kmh",
  names: String = "sats time lat long velocity heading height vertvel"
) -> String {
  """
  \(created)

  [header]
  satellites
  time
  latitude
  longitude
  \(velocity)
  heading
  height
  vertical velocity kmh

  [channel units]

  [comments]
  (c) 2001 2003 Racelogic
  Security Code : %//+$%00"0/0+

  [column names]
  \(names)

  [data]
  \(rows)

  """
}

private let lap = file(
  """
  137 162235.40 +03119.09973 +00058.49277 036.000 321.85 +00152.58 +000.000
  009 162236.9 -03119.09973 -00058.49277 000.000 000.00 -00001.50 +000.000
  """)

@Suite("VBOX files of Racelogic")
struct VBOXTests {
  @Test("positions are minutes, to the west, and the day is that of the first line")
  func values() throws {
    let decoded = read(lap)
    try #require(decoded.points.count == 2)
    let (first, second) = (decoded.points[0].fix, decoded.points[1].fix)
    #expect(first.time?.nanoseconds == 1_154_362_955_400_000_000)
    #expect(second.time?.nanoseconds == 1_154_362_956_900_000_000)
    #expect(isNear(first.coordinate.latitude, 51.9849955, within: 1e-9))
    #expect(isNear(first.coordinate.longitude, -0.9748795, within: 1e-9))
    #expect(isNear(second.coordinate.latitude, -51.9849955, within: 1e-9))
    #expect(isNear(second.coordinate.longitude, 0.9748795, within: 1e-9))
    #expect(first.speed == 10 && first.course == 321.85 && first.altitude == 152.58)
    // 128 stands for a differential solution.
    #expect(first.satellites == 9 && second.satellites == 9)
    #expect(decoded.points.map(\.line) == [23, 24] && decoded.issues.isEmpty)
    #expect(
      decoded.marks == [
        "0: note(\"columns: satellites = `sats`, time = `time`, latitude = `lat`, longitude = "
          + "`long`, speed = `velocity` in kilometres per hour, course = `heading`, altitude = "
          + "`height`\")",
        #"0: note("columns that are not read: vertvel")"#,
      ])
  }

  @Test("the format is recognised by its first line or its sections")
  func detection() {
    for text in [lap, String(lap.drop { $0 != "[" }), lap.replacing("\n", with: "\r\n")] {
      #expect(TraceFormat.detect(Array(text.utf8)[...], isFinal: true) == .format(.vbox))
    }
    let other = "[general]\nname=x\n[data]\nFile created on Monday\n"
    #expect(TraceFormat.detect(Array(other.utf8)[...], isFinal: true) == .format(.vbox))
    #expect(read(other).points.isEmpty && read(other).issues.count == 1)
  }

  @Test("velocities may be knots, and a column may have the day")
  func unitsAndDays() {
    let text = file(
      "009 002235.40 +03119.09973 +00058.49277 010.000 321.85 +00152.58 010806",
      created: "File created on 31/07/2006 @ 23:59", velocity: "velocity knots",
      names: "sats time lat long velocity heading height Date")
    let decoded = read(text)
    #expect(decoded.points.map(\.fix.time?.nanoseconds) == [1_154_391_755_400_000_000])
    #expect(isNear(decoded.points.first?.fix.speed, 5.144444, within: 1e-5))
    // Without the column, the day is that nearest to the first line.
    let without = read(
      file(
        "009 002235.40 +03119.09973 +00058.49277 010.000 321.85 +00152.58 0",
        created: "File created on 31/07/2006 @ 23:59"))
    #expect(without.points.map(\.fix.time) == decoded.points.map(\.fix.time))
  }

  @Test("rows without satellites are counted, and what is not valid is reported")
  func issues() {
    let decoded = read(
      file(
        """
        000 162235.40 +03119.09973 +00058.49277 036.000 321.85 +00152.58 +000.000
        009 162235.40 +00000.00000 +00000.00000 036.000 321.85 +00152.58 +000.000
        009 16:22:35 +03119.09973 +00058.49277 036.000 321.85 +00152.58 +000.000
        009 162235.40 north +00058.49277 036.000 321.85 +00152.58 +000.000
        009 162235.40 +03119.09973
        """))
    #expect(decoded.points.isEmpty)
    #expect(decoded.marks.count { $0.contains("otherRecord") } == 2)
    #expect(
      decoded.issues.map(\.shown) == [
        "record 25:1 time is \"16:22:35\", expected a time as HHMMSS.SS; the row is left out",
        "record 26:1 latitude is \"north\", expected a number; the row is left out",
        "record 27:1 found 3 values, expected 8 as in [column names]",
      ])
  }

  @Test("without a date, with degrees, or without the columns one line says what is missing")
  func refusals() {
    let rows = """
      009 162235.40 +03119.09973 +00058.49277 036.000 321.85 +00152.58 +000.000
      009 162236.40 +03119.09973 +00058.49277 036.000 321.85 +00152.58 +000.000
      """
    let undated = read(file(rows, created: "File created by an app"))
    #expect(undated.points.map(\.fix.time) == [nil, nil])
    #expect(
      undated.issues.map(\.message) == [
        "there is no date before this row, expected File created on DD/MM/YYYY in the first line"
      ])
    let degrees = read(file(rows.replacing("03119.09973", with: "00051.98499")))
    #expect(degrees.points.isEmpty && degrees.issues.count == 1)
    #expect(degrees.issues.first?.kind == .malformed)
    #expect(degrees.issues.first?.message.contains("expected minutes") == true)
    let columns = read(file(rows, names: "sats time lat velocity a b c d"))
    #expect(
      columns.issues.map(\.message) == [
        "there is no column longitude, expected time, lat and long, found sats, time, lat, "
          + "velocity, a, b, c, d"
      ])
    #expect(read("[data]\n1 2 3\n4 5 6\n").issues.count == 1)
  }

  @Test("cut at any byte, the same is read")
  func cuts() {
    let whole = read(lap)
    for cut in 0...lap.utf8.count { #expect(read(lap, pieces: [cut]) == whole, "\(cut)") }
    let cut = read(String(lap.dropLast(40)))
    #expect(cut.points.count == 1 && cut.issues.map(\.kind) == [.truncated])
  }
}
