@testable import Settings
import Testing

@Suite("Invalid values are reported with their place and a suggestion")
struct ConfigurationValueTests {
  private static let topKeys =
    "one of device, source, sources, fences, visits, significant-changes, gate, time-zone, geocoder"
  private static let fenceKeys =
    "one of id, center, radius, polygon, holes, notify, dwell, decision, initial, include, settle, under-way"
  private static let length = "a length such as 100 m or 2 km"
  private static let pair = "[latitude, longitude] in degrees such as [52.5163, 13.3777]"

  @Test(
    "settings of the whole config",
    arguments: [
      (
        "sorce: gpsd://x\n",
        "1:1: sorce: found the unknown key 'sorce', expected \(topKeys); did you mean 'source'?"
      ),
      (
        "significantChanges: false\n",
        "1:1: significantChanges: found the unknown key 'significantChanges', expected \(topKeys); "
          + "did you mean 'significant-changes'?"
      ),
      ("colour: red\n", "1:1: colour: found the unknown key 'colour', expected \(topKeys)"),
      ("device:\n", "1:8: device: found nothing, expected a name such as van"),
      ("device: [a]\n", "1:9: device: found a list, expected a name such as van"),
      ("device: ''\n", "1:9: device: found '', expected a name such as van"),
      (
        "source: localhost:2947\n",
        "1:9: source: found 'localhost:2947', expected gpsd://HOST[:PORT][/DEVICE] such as "
          + "gpsd://localhost:2947; did you mean 'gpsd://localhost:2947'?"
      ),
      (
        "source: gpsd://h:99999\n",
        "1:9: source: found 'gpsd://h:99999', expected gpsd://HOST[:PORT][/DEVICE] such as "
          + "gpsd://localhost:2947"
      ),
      (
        "visits: no\n",
        "1:9: visits: found 'no', expected {minimum-stay: 5 min, radius: 50 m} or false"
      ),
      (
        "visits: {minimum-stay: 0, radius: 5 kg, stay: 1}\n",
        "1:24: visits.minimum-stay: found '0', expected a time above 0 s and below 292 years\n"
          + "w.yaml:1:35: visits.radius: found '5 kg', expected \(length)\n"
          + "w.yaml:1:41: visits.stay: found the unknown key 'stay', expected one of minimum-stay, "
          + "radius"
      ),
      (
        "significant-changes: {distance: 5 min}\n",
        "1:33: significant-changes.distance: found '5 min', expected \(length)"
      ),
      (
        "gate: {clock-jump: 0, memory: 101 years, lateness: 2 d}\n",
        "1:20: gate.clock-jump: found '0', expected a time from 1 s to 10 years\n"
          + "w.yaml:1:31: gate.memory: found '101 years', "
          + "expected a time such as 30 s, 10 min, 2 h or 1 d\n"
          + "w.yaml:1:52: gate.lateness: found '2 d', expected a time from 0 s to 1 d"
      ),
      (
        "gate: {memory: 36526 d, latenes: 5}\n",
        "1:16: gate.memory: found '36526 d', expected a time from 1 s to 100 years\n"
          + "w.yaml:1:25: gate.latenes: found the unknown key 'latenes', expected one of "
          + "clock-jump, memory, lateness; did you mean 'lateness'?"
      ),
      (
        "gate: false\n",
        "1:7: gate: found 'false', expected {clock-jump: 1 d, memory: 30 d, lateness: 60 s}"
      ),
      (
        "geocoder: {provider: nominatin}\n",
        "1:22: geocoder.provider: found 'nominatin', expected one of none, stub, gazetteer, "
          + "nominatim; did you mean 'nominatim'?"
      ),
      (
        "geocoder: none\n",
        "1:11: geocoder: found 'none', expected {provider: PROVIDER}, one of none, stub, "
          + "gazetteer, nominatim"
      ),
      (
        "geocoder: {}\n",
        "1:11: geocoder: found no provider, expected {provider: PROVIDER}, one of none, stub, "
          + "gazetteer, nominatim"
      ),
      (
        "fences: {id: a}\n",
        "1:9: fences: found a mapping, expected a list of fences such as "
          + "[{id: depot, center: [52.5163, 13.3777], radius: 100 m}]"
      ),
      (
        "fences: [a]\n",
        "1:10: fences[0]: found 'a', expected a fence with id, center and radius, or polygon, "
          + "or include"
      ),
      (
        "fences:\n  <<: 1\n",
        "2:3: fences: found a mapping, expected a list of fences such as "
          + "[{id: depot, center: [52.5163, 13.3777], radius: 100 m}]"
      ),
    ])
  func wholeConfig(text: String, message: String) {
    #expect(complaint(text) == "w.yaml:\(message)")
  }

  @Test(
    "areas of fences",
    arguments: [
      (
        "id: a, center: [1, 2], raduis: 5",
        "34: fences[0].raduis: found the unknown key 'raduis', expected \(fenceKeys); "
          + "did you mean 'radius'?"
      ),
      (
        "center: [1, 2], radius: 5",
        "10: fences[0]: found no id, expected a unique name such as 'id: depot'"
      ),
      (
        "id: , center: [1, 2], radius: 5",
        "15: fences[0].id: found nothing, expected a unique name such as depot"
      ),
      (
        "id: a", "10: fences[0]: found no area, expected center and radius, or polygon, or include"
      ),
      (
        "id: a, center: [1, 2]",
        "10: fences[0]: found a center without a radius, expected a radius such as 'radius: 100 m'"
      ),
      (
        "id: a, radius: 1",
        "10: fences[0]: found a radius without a center, expected a center such as "
          + "'center: [52.5163, 13.3777]'"
      ),
      (
        "id: a, center: [1, 2], polygon: []",
        "34: fences[0].polygon: found a polygon beside the center, "
          + "expected either center and radius, or polygon"
      ),
      (
        "id: a, holes: []",
        "18: fences[0].holes: found holes without a polygon, "
          + "expected polygon: [[latitude, longitude], …] as well"
      ),
      (
        "id: a, radius: 5 kg, center: [1, 2]",
        "26: fences[0].radius: found '5 kg', expected \(length)"
      ),
      (
        "id: a, radius: -5, center: [1, 2]",
        "26: fences[0].radius: found '-5', expected \(length)"
      ),
      (
        "id: a, radius: 0 m, center: [1, 2]",
        "26: fences[0].radius: found '0 m', expected a length above 0 m and up to 1000 km"
      ),
      (
        "id: a, radius: 1001 km, center: [1, 2]",
        "26: fences[0].radius: found '1001 km', expected a length above 0 m and up to 1000 km"
      ),
      (
        "id: a, radius: 1, center: 52.5",
        "37: fences[0].center: found '52.5', expected \(pair)"
      ),
      (
        "id: a, radius: 1, center: [1, 2, 3]",
        "37: fences[0].center: found a list of 3, expected \(pair)"
      ),
      (
        "id: a, radius: 1, center: [1, nan]",
        "41: fences[0].center[1]: found 'nan', expected a number, as in \(pair)"
      ),
      (
        "id: a, radius: 1, center: [0x1p3, 1]",
        "38: fences[0].center[0]: found '0x1p3', expected a number, as in \(pair)"
      ),
      (
        "id: a, radius: 1, center: [1, 180.1]",
        "41: fences[0].center[1]: found the longitude '180.1', expected -180 to 180"
      ),
      (
        "id: a, radius: 1, center: [91, 181]",
        "38: fences[0].center[0]: found the latitude '91', expected -90 to 90"
      ),
      (
        "id: a, radius: 1, center: [139.7, 35.6]",
        "38: fences[0].center[0]: found the latitude '139.7', expected -90 to 90; "
          + "latitude comes first: did you mean [35.6, 139.7]?"
      ),
      (
        "id: a, polygon: [[1, 2], [3, 4]]",
        "27: fences[0].polygon: found a list of 2, "
          + "expected a list of at least 3 corners, each [latitude, longitude]"
      ),
      (
        "id: a, polygon: [[1, 2], [3, 4], [5, x]]",
        "48: fences[0].polygon[2][1]: found 'x', expected a number, as in \(pair)"
      ),
      (
        "id: a, polygon: [[1, 2], [3, 2], [3, 4]], holes: [[1, 2]]",
        "61: fences[0].holes[0]: found a list of 2, "
          + "expected a list of at least 3 corners, each [latitude, longitude]"
      ),
      (
        "id: a, radius: 1, center: [1, 2], <<: x",
        "45: fences[0].<<: found the unknown key '<<', expected \(fenceKeys)"
      ),
    ])
  func areas(fence: String, message: String) {
    #expect(complaint("fences: [{\(fence)}]") == "w.yaml:1:\(message)")
  }

  @Test(
    "settings of fences",
    arguments: [
      ("dwell: 0", "10: fences[0].dwell: found '0', expected a time above 0 s and below 292 years"),
      (
        "dwell: 300000 d",
        "10: fences[0].dwell: found '300000 d', expected a time above 0 s and below 292 years"
      ),
      (
        "dwell: 5 m",
        "10: fences[0].dwell: found '5 m', expected a time such as 30 s, 10 min, 2 h or 1 d"
      ),
      (
        "notify: []",
        "11: fences[0].notify: found an empty list, "
          + "expected a list of enter, exit and dwell such as [enter, exit]"
      ),
      (
        "notify: enter",
        "11: fences[0].notify: found 'enter', "
          + "expected a list of enter, exit and dwell such as [enter, exit]"
      ),
      (
        "notify: [enter, exti]",
        "19: fences[0].notify[1]: found 'exti', expected one of enter, exit, dwell; "
          + "did you mean 'exit'?"
      ),
      (
        "notify: [dwell]",
        "12: fences[0].notify[0]: found 'dwell' without a dwell time, "
          + "expected one beside notify, such as 'dwell: 10 min'"
      ),
      (
        "decision: Eager",
        "13: fences[0].decision: found 'Eager', expected one of eager, balanced, strict, apple, "
          + "naive; did you mean 'eager'?"
      ),
      (
        "initial: outside",
        "12: fences[0].initial: found 'outside', expected one of none, state, enter"
      ),
    ])
  func settings(line: String, message: String) {
    let text = "fences:\n- id: a\n  center: [1, 2]\n  radius: 50\n  \(line)\n"
    #expect(complaint(text) == "w.yaml:5:\(message)")
  }

  @Test("all problems are reported at once, in the order of the file")
  func allAtOnce() {
    let text = """
      geocoder: {provider: osm}
      fences:
        - {id: a, center: [1, 2], radius: 0}
        - {id: a, center: [100, 2], radius: 5}
        - {id: A, center: [1, 2], radius: 5, notfy: [exit]}
      devise: van
      """
    #expect(
      complaint(text) == """
        w.yaml:1:22: geocoder.provider: found 'osm', expected one of none, stub, gazetteer, nominatim
        w.yaml:3:37: fences[0].radius: found '0', expected a length above 0 m and up to 1000 km
        w.yaml:4:10: fences[1].id: found the id 'a' a second time, expected a unique id \
        (first used on line 3)
        w.yaml:4:22: fences[1].center[0]: found the latitude '100', expected -90 to 90; \
        latitude comes first: did you mean [2, 100]?
        w.yaml:5:40: fences[2].notfy: found the unknown key 'notfy', expected \(Self.fenceKeys); \
        did you mean 'notify'?
        w.yaml:6:1: devise: found the unknown key 'devise', expected \(Self.topKeys); \
        did you mean 'device'?
        """)
  }

  @Test("ids that differ only in their form in Unicode are one id")
  func forms() {
    let fences = ["caf\u{E9}", "cafe\u{301}"].map { "- {id: \($0), center: [1, 2], radius: 5}\n" }
    #expect(
      complaint("fences:\n" + fences.joined())
        == "w.yaml:3:8: fences[1].id: found the id 'caf\u{E9}' a second time, "
        + "expected a unique id (first used on line 2)")
  }

  @Test("a missing config is distinguished from an invalid one")
  func missing() {
    #expect {
      _ = try Configuration(path: "/nonexistent/w.yaml")
    } throws: {
      let error = $0 as? ConfigurationError
      return error?.kind == .notFound
        && error?.description
          == "/nonexistent/w.yaml: found no such file, expected a config in YAML or JSON"
    }
    #expect {
      _ = try Configuration(path: "/")
    } throws: {
      ($0 as? ConfigurationError)?.kind == .unreadable
    }
  }
}
