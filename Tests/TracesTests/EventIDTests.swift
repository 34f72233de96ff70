@testable import EventLog
import Testing
import Tracking

private let time = Timestamp(nanoseconds: 1_741_615_327_300_000_000)

@Suite struct EventIDTests {
  @Test("an id is the same in every run")
  func golden() {
    let id = EventID(device: "van", kind: .enter, fence: "depot", time: time)
    #expect(id.description == "0abd17c8fd8c2da8")
    #expect(EventID(device: "van", problem: "m").description == "a81698edb2838a48")
  }

  @Test("device, kind, fence and time each change the id, and text does not move between them")
  func distinct() {
    let ids = [
      EventID(device: "van", kind: .enter, fence: "depot", time: time),
      EventID(device: "vam", kind: .enter, fence: "depot", time: time),
      EventID(device: "van", kind: .exit, fence: "depot", time: time),
      EventID(device: "van", kind: .enter, fence: "depos", time: time),
      EventID(device: "van", kind: .enter, fence: "depot", time: time.advanced(byNanoseconds: 1)),
      EventID(device: "vane", kind: .enter, fence: "depot", time: time),
      EventID(device: "van", kind: .dwell, fence: "depot", time: time),
      EventID(device: "van", problem: "enter"), EventID(device: "", problem: "vanenter"),
    ]
    #expect(Set(ids).count == ids.count)
  }

  @Test("ids of similar events spread over all bits")
  func spread() {
    var (seen, bits): (Set<UInt64>, [Int]) = ([], Array(repeating: 0, count: 64))
    let count = 20_000
    for step in 0..<count {
      let next = time.advanced(byNanoseconds: Int64(step))
      let id = EventID(device: "van", kind: .enter, fence: "depot", time: next)
      seen.insert(id.value)
      for bit in 0..<64 where id.value >> UInt64(bit) & 1 == 1 { bits[bit] += 1 }
    }
    #expect(seen.count == count)
    #expect(bits.allSatisfy { abs($0 - count / 2) < count / 20 })
  }
}
