@testable import Formats
import Geodesy
import TestSupport
import Testing
@testable import Traces

private let square = "[[13,52],[14,52],[14,53],[13,53],[13,52]]"
private let hole = "[[13.2,52.2],[13.4,52.2],[13.4,52.4],[13.2,52.2]]"

private func fences(_ text: String) throws(TraceError) -> [GeoJSONFence] {
  try GeoJSON.fences(in: Array(text.utf8).span, path: "f.geojson")
}

private func feature(_ geometry: String, _ properties: String = "null", _ more: String = "")
  -> String
{
  "{\"type\":\"Feature\"\(more),\"geometry\":\(geometry),\"properties\":\(properties)}"
}

private func polygon(_ rings: String) -> String {
  "{\"type\":\"Polygon\",\"coordinates\":\(rings)}"
}

private func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

private func error(_ text: String) -> String? {
  do throws(TraceError) {
    _ = try fences(text)
    return nil
  } catch { return error.description }
}

@Suite struct GeoJSONTests {
  private var exterior: [Coordinate] { [at(52, 13), at(52, 14), at(53, 14), at(53, 13)] }

  @Test("a Polygon has an outer ring and holes, by itself, in a Feature or a collection")
  func polygons() throws {
    let geometry = polygon("[\(square),\(hole)]")
    let expected = try Polygon(
      exterior: exterior, holes: [[at(52.2, 13.2), at(52.2, 13.4), at(52.4, 13.4)]])
    let collection = "{\"features\":[\(feature(geometry))],\"type\":\"FeatureCollection\"}"
    for text in [geometry, feature(geometry), collection, "\u{FEFF} " + geometry + "\n"] {
      let found = try fences(text)
      #expect(found.map(\.area) == [.polygons([expected])])
      #expect(found[0].id == nil && found[0].line == 1 && !found[0].spansWideEdge)
    }
  }

  @Test("a MultiPolygon is one fence, altitudes and the order of members do not matter")
  func multiPolygon() throws {
    let first = "[[[13,52,9],[14,52,9,9],[14,53,9],[13,53,9],[13,52,9]]]"
    let second = "[[[3,52],[4,52],[4,53],[3,52]]]"
    let text =
      "{\"bbox\":[0,0,1,1],\"coordinates\":[\(first),\(second)],\"type\":\"MultiPolygon\"}"
    let expected = [
      try Polygon(exterior: exterior), try Polygon(exterior: [at(52, 3), at(52, 4), at(53, 4)]),
    ]
    #expect(try fences(text).map(\.area) == [.polygons(expected)])
  }

  @Test(
    "a Point with a radius is a circle",
    arguments: [
      ("100", 100.0), ("0.5", 0.5), ("\"100 m\"", 100), ("\"2 km\"", 2_000), ("\"300ft\"", 91.44),
    ])
  func circle(radius: String, metres: Double) throws {
    let point = "{\"type\":\"Point\",\"coordinates\":[13.3777,52.5163,34]}"
    let found = try fences(feature(point, "{\"radius\":\(radius),\"color\":[1,{}]}"))
    #expect(found.map(\.area) == [.circle(Circle(center: at(52.5163, 13.3777), radius: metres))])
  }

  @Test(
    "the id is the feature's id, else its property id, else its name",
    arguments: [
      (#","id":"a""#, #"{"id":"b","name":"c"}"#, "a"), (#","id":7"#, "{}", "7"),
      (#","id":"d\u00e9pot""#, "{}", "dépot"),
      (#","id":null"#, #"{"id":"b","name":"c"}"#, "b"), ("", #"{"name":"c","id":12.50}"#, "12.50"),
      ("", #"{"name":"c","id":null}"#, "c"), ("", #"{"name":"c","id":[1]}"#, "c"),
      (#","id":"""#, #"{"name":"c"}"#, "c"),
      ("", #"{"name":""}"#, nil), ("", "null", nil), ("", "{}", nil),
    ] as [(String, String, String?)])
  func ids(more: String, properties: String, id: String?) throws {
    #expect(try fences(feature(polygon("[\(square)]"), properties, more)).map(\.id) == [id])
  }

  @Test("features have the line on which they begin")
  func lines() throws {
    let one = feature(polygon("[\n\(square)\n]"))
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(one),\n\(one),\(one)\n]}"
    #expect(try fences(text).map(\.line) == [2, 5, 7])
    #expect(try fences("{\"type\":\"FeatureCollection\",\"features\":[]}").isEmpty)
  }

  @Test("an edge of more than 180° is noted")
  func wideEdge() throws {
    let wide = polygon("[[[179,1],[-179,1],[-179,2],[179,2],[179,1]]]")
    #expect(try fences(wide).map(\.spansWideEdge) == [true])
  }

  @Test(
    "an object that cannot be a fence is rejected with its position and the alternatives",
    arguments: [
      (
        "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}",
        "1:1: a LineString cannot be a fence, expected a Point with a radius, a Polygon or a MultiPolygon"
      ),
      (
        feature("{\"type\":\"GeometryCollection\",\"geometries\":[]}"),
        "1:30: geometry: a GeometryCollection cannot be a fence, make each of its geometries a Feature"
      ),
      (
        feature("null"),
        "1:1: the Feature has no geometry, expected a Point with a radius, a Polygon or a MultiPolygon"
      ),
      (feature("[1]"), "1:30: geometry: found an array, expected a GeoJSON object"),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1,2]}"),
        "1:30: geometry: the Point has no radius, expected a property \"radius\" of its Feature, in metres or with a unit as in \"100 m\""
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"radius\":\"wide\"}"),
        "1:90: properties.radius: the radius cannot be used, expected a number of metres above 0 and up to 1,000,000, or text with a unit as in \"100 m\", \"2 km\", \"0.5 mi\" or \"300 ft\""
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"radius\":\"1001 km\"}"),
        "1:90: properties.radius: the radius cannot be used, expected a number of metres above 0 and up to 1,000,000, or text with a unit as in \"100 m\", \"2 km\", \"0.5 mi\" or \"300 ft\""
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"radius\":0}"),
        "1:90: properties.radius: the radius cannot"
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"radius\":true}"),
        "1:90: properties.radius: the radius cannot"
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[1]}", "{\"radius\":5}"),
        "1:62: geometry.coordinates: found the end of the position, expected a latitude in degrees"
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":[\"1\",2]}"),
        "1:61: geometry.coordinates[0]: found a text, expected a longitude in degrees"
      ),
      (
        feature("{\"type\":\"Point\",\"coordinates\":5}"),
        "1:60: geometry.coordinates: expected a position as [longitude, latitude]"
      ),
      (
        feature("{\"type\":\"Point\"}", "{\"radius\":5}"),
        "1:30: geometry: the geometry has no coordinates"
      ),
      (
        feature(polygon("[\(square)]"), "null", ",\"id\":true"),
        "1:24: id: the id is true, expected text or a number"
      ),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature(polygon("[\(square)]"))),{\"type\":\"Polygon\"}]}",
        "2:126: features[1]: found a Polygon, expected a Feature"
      ),
      ("{\"type\":\"FeatureCollection\"}", "1:1: there is no array of features"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":{}}",
        "1:40: features: expected an array of features"
      ),
      ("{\"coordinates\":[]}", "1:1: there is no type, expected a GeoJSON object"),
      ("{\"type\":5}", "1:9: type: there is no type, expected a GeoJSON object"),
      ("[]", "1:1: found an array, expected a GeoJSON object"),
      (polygon("[]"), "1:33: coordinates: the polygon is empty, expected an outer ring"),
      (polygon("[5]"), "1:34: coordinates[0]: expected a ring, an array of positions"),
      (
        polygon("[[[1,2],[3,4],[1,2]]]"),
        "1:34: coordinates[0]: the ring has 3 positions, expected at least 4, the last the same as the first"
      ),
      (
        polygon("[[[1,2],[3,4],[5,1],[1,2.1]]]"),
        "1:34: coordinates[0]: the ring is open, repeat its first position at the end"
      ),
      (
        polygon("[[[1,2],[3,4],[5,true],[1,2]]]"),
        "1:50: coordinates[0][2][1]: found true, expected a latitude in degrees"
      ),
      (
        polygon("[[[52,13],[52,113],[53,113],[52,13]]]"),
        "1:43: coordinates[0][1]: the latitude 113.0 is out of range, expected -90 to 90; GeoJSON gives longitude first"
      ),
      (
        polygon("[[[179,13],[181,13],[180,14],[179,13]]]"),
        "1:44: coordinates[0][1]: the longitude 181.0 is out of range, expected -180 to 180; cut an area that crosses the antimeridian in two"
      ),
      (
        "{\"type\":\"MultiPolygon\",\"coordinates\":[]}",
        "1:38: coordinates: the MultiPolygon is empty, expected a polygon"
      ),
      (
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[1,2],[3,4,null]]]]}",
        "1:52: coordinates[0][0][1][2]: expected a number"
      ),
      ("", "1:1: the text ends, expected a value"),
      (
        "{\"type\":\"Polygon\",\n \"coordinates\":[,]}",
        "2:17: coordinates[0]: found \",\", expected a value"
      ),
    ])
  func refused(text: String, expected: String) {
    let found = error(text)
    #expect(found?.hasPrefix("f.geojson:" + expected) == true, "\(found ?? "accepted")")
  }

  @Test("an invalid polygon is rejected at its position")
  func polygonError() throws {
    let found = try #require(error(feature(polygon("[[[1,2],[1,2],[1,2],[1,2]]]"))))
    #expect(found.hasPrefix("f.geojson:1:62: geometry.coordinates: "))
  }

  @Test("a key that an object has twice is an error at the second one, in each feature")
  func repeatedKeys() {
    let geometry = polygon("[\(square)]")
    let repeated = "found the key a second time, expected it once"
    let good = feature(geometry)
    for (text, place) in [
      (feature(geometry, "null", ",\"id\":1,\"id\":2"), "1:26: id"),
      (feature(geometry, "null", ",\"id\":null,\n\"id\":2"), "2:1: id"),
      (feature(geometry, "{\"name\":\"a\",\"name\":\"b\"}"), "1:132: properties.name"),
      ("{\"type\":\"Polygon\",\"type\":\"Point\",\"coordinates\":[]}", "1:19: type"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n"
          + feature(geometry, "null", ",\"id\":1,\"id\":2") + "]}", "3:26: features[1].id"
      ),
    ] {
      #expect(error(text) == "f.geojson:\(place): \(repeated)")
    }
    #expect(error(feature(geometry, "{\"kind\":1,\"kind\":2}")) == nil)
  }

  @Test("holes that are outside, repeated or as large as the polygon are errors at its position")
  func holeErrors() throws {
    for (rings, expected) in [
      ("\(square),[[15,52],[16,52],[16,53],[15,52]]", "hole 1 is outside of the outer ring"),
      ("\(square),\(hole),\(hole)", "hole 2 overlaps hole 1"),
      ("\(square),\(square)", "hole 1 is as large as the outer ring"),
    ] {
      let found = try #require(error(feature(polygon("[\(rings)]"))))
      #expect(found.hasPrefix("f.geojson:1:62: geometry.coordinates: \(expected)"), "\(found)")
      #expect(!found.hasSuffix("."))
    }
  }

  @Test("every feature with an error is reported at its place, and the others are read")
  func everyError() {
    let point = "{\"type\":\"Point\",\"coordinates\":[1,2]}"
    let items = [
      feature(point), "\n" + feature(point, "{\"radius\":5}"), feature(point),
      "7", "\n  {\"type\":\n \"Polygon\"}", feature(point, "{\"radius\":6}"),
    ]
    let text =
      "\u{FEFF}{\"type\":\"FeatureCollection\",\"features\":[" + items.joined(separator: ",") + "]}"
    let (fences, errors) = GeoJSON.read(Array(text.utf8).span, path: "f.geojson")
    #expect(fences.map(\.number) == [2, 6] && fences.map(\.line) == [2, 4])
    let noRadius = "geometry: the Point has no radius, expected"
    let starts = [
      "f.geojson:1:70: features[0].\(noRadius)", "f.geojson:2:123: features[2].\(noRadius)",
      "f.geojson:2:179: features[3]: found a number, expected a GeoJSON object",
      "f.geojson:3:3: features[4]: found a Polygon, expected a Feature",
    ]
    #expect(errors.count == starts.count)
    for (error, start) in zip(errors, starts) {
      #expect(error.description.hasPrefix(start), "\(error)")
    }
  }

  @Test("after a thousand errors a text is not read on")
  func manyErrors() {
    let items = Array(repeating: "{}", count: 1_500).joined(separator: ",")
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(items)]}"
    #expect(GeoJSON.read(Array(text.utf8).span, path: "f").errors.count == 1_000)
  }

  @Test("a text cut anywhere is rejected, and never traps")
  func everyEnd() {
    let geometry = "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(square),\(hole)]]}"
    let whole = feature(geometry, "{\"radius\":\"5 m\",\"name\":\"x\"}", ",\"id\":7")
    let text = Array("{\"type\":\"FeatureCollection\",\"features\":[\(whole),\(whole)]}".utf8)
    #expect((try? GeoJSON.fences(in: text.span, path: "f"))?.count == 2)
    for end in 0..<text.count {
      let part = Array(text[..<end])
      #expect(throws: TraceError.self) { try GeoJSON.fences(in: part.span, path: "f") }
    }
  }

  @Test("a text with random changes never traps")
  func fuzz() {
    var generator = SeededGenerator(seed: 19)
    let point = "{\"type\":\"Point\",\"coordinates\":[13,52]}"
    let one = feature(point, "{\"radius\":\"5 m\"}", ",\"id\":7")
    let two = feature(polygon("[\(square),\(hole)]"))
    let start = Array("{\"type\":\"FeatureCollection\",\"features\":[\(one),\(two)]}".utf8)
    let alphabet = Array("{}[]\",:0129.-en tul".utf8)
    for _ in 0..<5_000 {
      var text = start
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        text[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      _ = try? GeoJSON.fences(in: text.span, path: "f")
    }
  }
}
