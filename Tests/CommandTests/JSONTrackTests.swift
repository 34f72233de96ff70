import TestSupport
import Testing

@Suite("JSON documents as tracks", .timeLimit(.minutes(90)))
struct JSONTrackTests {
  @Test(
    "GeoJSON without times is bad data, in one line",
    arguments: [
      (
        #"{"type":"Point","coordinates":[13.4,52.5]}"#,
        "there is no track, only 1 waypoint and 0 route points"
      ),
      (
        #"{"type":"LineString","coordinates":[[13.4,52.5],[13.5,52.5]]}"#,
        "there is no track, only 0 waypoints and 2 route points"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#,
        "there is no track, only areas; a config reads them as fences"
      ),
      (
        #"{"type":"Feature","geometry":null,"properties":{"time":"2026-05-04T10:00:00Z"}}"#,
        "there is no track: no feature has a geometry with positions; convert the file to GeoJSON "
          + "with coordinates and times, or to CSV"
      ),
    ])
  func withoutTimes(text: String, message: String) throws {
    let runner = try CommandRunner()
    try runner.write("places.geojson", text)
    let outcome = try runner.waymark(["replay", "places.geojson"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("places.geojson:1:1: \(message)\n"), "\(outcome.errors)")
  }

  @Test("what convert writes as GeoJSON is read as it was")
  func roundTrip() throws {
    let runner = try CommandRunner()
    let rows = (0..<30).map { "2026-05-04T10:00:\($0 + 10)Z,52.\($0 + 10),13.4,\($0),5\n" }
    try runner.write(
      "walk.csv", "time,latitude,longitude,altitude,accuracy\n" + rows.joined())
    let first = try runner.waymark(["convert", "walk.csv", "-o", "-", "--format", "ndjson"])
    #expect(try runner.waymark(["convert", "walk.csv", "-o", "walk.geojson"]).code == 0)
    let second = try runner.waymark(["convert", "walk.geojson", "-o", "-", "--format", "ndjson"])
    #expect(first.code == 0 && first.output == second.output && !first.output.isEmpty)
  }

  @Test(
    "a JSON document of another kind is one line that names its members",
    arguments: [
      "{\n  \"name\": \"waymark\",\n  \"private\": true\n}\n",
      #"{"name":"waymark","private":{"latitude":1}}"#,
    ])
  func otherDocument(text: String) throws {
    let runner = try CommandRunner()
    try runner.write("package.json", text)
    let outcome = try runner.waymark(["info", "package.json"])
    #expect(
      outcome.errors
        == "waymark: package.json: a JSON document of a kind that is not known: found the members "
        + "name, private, expected records with time, latitude and longitude; "
        + "\(FaultyInputTests.formats)\n")
    #expect(outcome.code == 65 && outcome.output.isEmpty)
  }

  @Test("a JSON document of another kind in a folder is skipped, on one line or on several")
  func otherDocumentInFolder() throws {
    let runner = try CommandRunner()
    try runner.write("t/a.csv", "time,latitude,longitude\n2026-05-04T10:00:00Z,52.5,13.4\n")
    try runner.write("t/one.json", #"{"createdTime":"2015","deviceSettings":[{"deviceTag":77}]}"#)
    try runner.write("t/several.json", "{\n  \"createdTime\": \"2015\"\n}\n")
    let outcome = try runner.waymark(["convert", "t", "-o", "-", "--format", "ndjson"])
    #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count == 1)
    #expect(
      outcome.errors.contains("2 files in t skipped: not a track: t/one.json, t/several.json"),
      "\(outcome.errors)")
  }
}
