import Foundation
import Geodesy
import Testing

@testable import Geocoding

@Suite("The gazetteer that is part of every program") struct GazetteerTests {
  private let gazetteer = Gazetteer()

  private func place(_ latitude: Double, _ longitude: Double) throws -> GeocodedPlace {
    let request = try GeocoderRequest.reverse(
      Coordinate(latitude: latitude, longitude: longitude))
    let answer = try #require(gazetteer.answerAtOnce(to: request)).get()
    return try #require(answer.first)
  }

  private func found(_ text: String, near: Circle? = nil) throws -> [GeocodedPlace] {
    try #require(gazetteer.answerAtOnce(to: try .forward(text, near: near))).get()
  }

  @Test(
    "places are named at their coordinates",
    arguments: [
      (52.5163, 13.3777, "Berlin", "Berlin", "DE", "Europe/Berlin"),
      (48.8584, 2.2945, "Paris", "Paris", "FR", "Europe/Paris"),
      (46.2022, 6.1457, "Geneva", "Genève", "CH", "Europe/Zurich"),
      (43.7340, 7.4200, "Monaco", "Monaco", "MC", "Europe/Monaco"),
      (-29.3100, 27.4800, "Maseru", "Maseru", "LS", "Africa/Maseru"),
      (-33.8568, 151.2153, "Sydney", "New South Wales", "AU", "Australia/Sydney"),
      (64.1466, -21.9426, "Reykjavík", "Reykjavík", "IS", "Atlantic/Reykjavik"),
      (-16.5000, 179.3800, "Labasa", "Northern", "FJ", "Pacific/Fiji"),
    ])
  func known(
    _ latitude: Double, _ longitude: Double, locality: String, province: String, code: String,
    zone: String
  ) throws {
    let place = try place(latitude, longitude)
    #expect(place.locality == locality)
    #expect(place.administrativeArea == province)
    #expect(place.isoCountryCode == code)
    #expect(place.timeZoneIdentifier == zone)
    #expect(place.ocean == nil)
    let distance = try #require(place.distance)
    #expect(distance < 20_000)
    #expect(try #require(place.horizontalAccuracy) >= distance)
  }

  @Test("a part of a city is named with the city")
  func parts() throws {
    let place = try place(52.4987, 13.3889)
    #expect(place.locality == "Berlin")
    #expect(place.subLocality == "Kreuzberg")
    #expect(place.name == "Kreuzberg")
  }

  @Test("far from any town the name is the province, and the time zone is known")
  func empty() throws {
    let place = try place(24.5, 20)
    #expect(place.locality == nil)
    #expect(place.name == place.administrativeArea)
    #expect(place.isoCountryCode == "LY")
    #expect(place.timeZoneIdentifier == "Africa/Tripoli")
    #expect(place.distance == 0)
  }

  @Test("at both sides of the antimeridian and at the poles there are answers")
  func edges() throws {
    #expect(try place(66, 179.9).isoCountryCode == "RU")
    #expect(try place(66, -179.9).isoCountryCode == "RU")
    #expect(try place(66, 180).isoCountryCode == "RU")
    #expect(try place(66, -180).isoCountryCode == "RU")
    for longitude in stride(from: -180.0, through: 180, by: 45) {
      #expect(try place(-90, longitude).isoCountryCode == "AQ")
      #expect(try place(90, longitude).ocean == "Open sea")
    }
  }

  @Test("the open sea is named as such, with the nautical time zone")
  func openSea() throws {
    let place = try place(30, -45)
    #expect(place.name == "Open sea")
    #expect(place.ocean == "Open sea")
    #expect(place.isoCountryCode == nil)
    #expect(place.timeZoneIdentifier == "Etc/GMT+3")
    #expect(try self.place(0, 179).timeZoneIdentifier == "Etc/GMT-12")
    #expect(try self.place(0, 0).timeZoneIdentifier == "Etc/GMT")
  }

  @Test("near a coast the country is named, on the sea and on the shore")
  func coast() throws {
    // 10 km west of Sylt, and the pier of Scheveningen.
    let sea = try place(54.9, 8.1)
    #expect(sea.isoCountryCode == "DE")
    #expect(sea.ocean == "Sea")
    #expect(sea.locality == nil)
    #expect(try #require(sea.distance) > 2_000)
    let pier = try place(52.1180, 4.2790)
    #expect(pier.isoCountryCode == "NL")
    #expect(pier.ocean == nil)
  }

  @Test("a name is found without its accents, the larger place first, or the nearer one")
  func names() throws {
    #expect(try found("munster, DE").first?.administrativeArea == "Nordrhein-Westfalen")
    let frankfurt = try found("Frankfurt (Oder)")
    #expect(frankfurt.first?.administrativeArea == "Brandenburg")
    let cities = try found("springfield")
    #expect(cities.count > 1)
    let near = try #require(cities.last)
    let circle = Circle(center: near.coordinate, radius: 10_000)
    #expect(try found("Springfield", near: circle).first == near)
    #expect(try found("Paris, France").first?.timeZoneIdentifier == "Europe/Paris")
    #expect(throws: GeocoderError.noResult) { try found("no such place anywhere") }
    #expect(throws: GeocoderError.noResult) { try found("Paris, Germany") }
    #expect(throws: GeocoderError.noResult) { try found(", ,") }
  }

  @Test("a cancelled task gets a cancellation error")
  func cancelled() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await gazetteer.reverse(Coordinate(latitude: 0, longitude: 0))
    }
    await #expect(throws: GeocoderError.cancelled) { try await task.value }
  }

  /// 10,000 points with the country that the full borders say, made by build-gazetteer.py --sample.
  @Test(
    "agrees with the full borders",
    arguments: [
      // On land anywhere at least 99.5 %, within 5 km of towns at least 99.9 %.
      ("land", 9_950), ("near", 9_990),
    ])
  func agreement(_ name: String, least: Int) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Points/\(name).csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(lines.count == 10_000)
    var agreed = 0
    for line in lines {
      let parts = line.split(separator: ",", omittingEmptySubsequences: false)
      let place = try place(
        try #require(Double(parts[0])), try #require(Double(parts[1])))
      if place.isoCountryCode ?? "" == parts[2], place.ocean == nil { agreed += 1 }
    }
    #expect(agreed >= least)
  }
}
