@testable import Settings
import Testing

@Suite("The nearest known name")
struct NearestNameTests {
  @Test(
    "is found for a typo, not for another word",
    arguments: [
      ("raduis", "radius"), ("Radius", "radius"), ("radius_", "radius"), ("centre", "center"),
      ("minimum_stay", "minimum-stay"), ("minimumStay", "minimum-stay"), ("i", "id"),
      ("colour", nil), ("", nil), ("-", nil), (String(repeating: "radius", count: 1_000), nil),
    ] as [(String, String?)])
  func nearest(word: String, name: String?) {
    #expect(NearestName.of(word, in: ["id", "radius", "center", "minimum-stay"]) == name)
  }

  @Test(
    "the distance counts insertions, deletions, substitutions and transpositions",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
  func distance(a: String, b: String, distance: Int) {
    #expect(NearestName.distance(Array(a), Array(b)) == distance)
    #expect(NearestName.distance(Array(b), Array(a)) == distance)
  }
}
