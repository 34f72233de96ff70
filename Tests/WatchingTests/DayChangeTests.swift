import Testing
import Tracking

@testable import Watching

@Suite("A day of a rotated recording")
struct DayChangeTests {
  /// The days of reports that begin a file, after a report of the day `last` in the file.
  private func beginning(_ days: [Int], after last: Int? = nil) -> [Int] {
    func noon(_ day: Int) -> Timestamp {
      Timestamp(nanoseconds: 0).advanced(bySeconds: (Double(day) + 0.5) * 86_400)
    }
    var change = DayChange(last: last.map(noon))
    return days.filter { change.isNew(noon($0)) }
  }

  @Test("begins with the first report of the next day, and not with late ones")
  func late() {
    #expect(beginning([22, 22, 23, 22, 22, 23, 24]) == [23, 24])
    #expect(beginning([22, 22, 23], after: 22) == [23])
  }

  @Test("ends when it was a wrong date, and the next ones are recorded as usual")
  func wrong() {
    #expect(beginning([22, 42, 42, 22, 22, 23, 22, 22]) == [42, 22, 23])
    #expect(beginning([21, 22, 9, 9, 22, 22, 23], after: 20) == [21, 22, 23])
    // A receiver may begin with one, and a file end with one.
    #expect(beginning([42, 22, 22, 23]) == [22, 23])
    #expect(beginning([5, 5, 6, 6, 7, 7], after: 20) == [5, 6, 7])
  }

  @Test("begins no file for each batch of another day among those of today")
  func batches() {
    let days = [22] + (0..<30).flatMap { _ in [19, 19, 22, 22] }
    #expect(beginning(days + [23, 23, 24]) == [19, 23, 24])
  }
}
