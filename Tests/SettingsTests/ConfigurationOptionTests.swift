@testable import Settings
import Geodesy
import Testing
import Tracking

@Suite("--fence ID=LAT,LON,RADIUS")
struct ConfigurationOptionTests {
  @Test(
    "makes a circle",
    arguments: [
      ("depot=52.5163,13.3777,100", "depot", 100.0),
      ("depot=52.5163, 13.3777, 2 km", "depot", 2_000),
      ("a=b=52.5163,13.3777,5m", "a=b", 5), ("a,b=52.5163,13.3777,5m", "a,b", 5),
    ])
  func circles(option: String, id: String, radius: Double) throws {
    let center = Coordinate(latitude: 52.5163, longitude: 13.3777)
    #expect(
      try Fence(option: option)
        == Fence(id: id, area: .circle(Circle(center: center, radius: radius))))
  }

  private static let shape = "ID=LAT,LON,RADIUS such as depot=52.5163,13.3777,100m"

  @Test(
    "names the invalid part",
    arguments: [
      ("depot", "no '=', expected \(shape)"),
      ("", "no '=', expected \(shape)"),
      ("=1,2,3", "no id before '=', expected \(shape)"),
      ("a=", "1 part after '=', expected 3, as in \(shape)"),
      ("a=1,2", "2 parts after '=', expected 3, as in \(shape)"),
      ("a=1,2,3,4", "4 parts after '=', expected 3, as in \(shape)"),
      ("a=x,2,3", "the latitude 'x', expected a number in degrees, as in \(shape)"),
      ("a=1,,3", "the longitude '', expected a number in degrees, as in \(shape)"),
      ("a=inf,2,3", "the latitude 'inf', expected a number in degrees, as in \(shape)"),
      (
        "a=139.7,35.6,3",
        "the latitude '139.7', expected -90 to 90; latitude comes first: "
          + "did you mean 'a=35.6,139.7,3'?"
      ),
      ("a=200,2,3", "the latitude '200', expected -90 to 90"),
      ("a=1,-181,3", "the longitude '-181', expected -180 to 180"),
      ("a=1,2,x", "the radius 'x', expected a length such as 100m or 2km"),
      ("a=1,2,0", "the radius '0', expected a length above 0 m and up to 1000 km"),
      ("a=1,2,1001km", "the radius '1001km', expected a length above 0 m and up to 1000 km"),
    ])
  func problems(option: String, message: String) {
    #expect {
      _ = try Fence(option: option)
    } throws: {
      "\($0)" == "--fence '\(option)': found \(message)"
    }
  }
}
