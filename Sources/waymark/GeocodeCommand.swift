import ArgumentParser
import Foundation
import Geocoding
import Geodesy
import Text

struct GeocodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "geocode",
    abstract: "Name a position, or find the position of a name.",
    discussion: """
      Without a config it uses the gazetteer of the program: countries, provinces and towns of more \
      than 15,000 people, without a network. With one it uses the geocoder of the config.

        waymark geocode 52.5163,13.3777
        waymark geocode -33.8568,151.2153 "Münster, DE"
        waymark geocode 48.8584,2.2945 --format json
        waymark geocode 48.8584,2.2945 --config waymark.yaml

      The exit code is 65 if a position has no name or a name no position, 69 if a server is \
      unavailable. `make gazetteer` in the project's folder builds a gazetteer of places of 500 \
      people and more.

      \(Gazetteer.attribution) Names of a Nominatim server: \(NominatimGeocoder.attribution).
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(
    help: ArgumentHelp("Latitude and longitude in degrees, or a name.", valueName: "lat,lon|name"))
  var places: [String]

  @Option(
    help: ArgumentHelp("Use the geocoder of this config.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("Use this gazetteer.", valueName: "file"), completion: .file())
  var gazetteer: String?

  @Option(help: "text, or json: one object per place.")
  var format = Format.text

  func validate() throws {
    if config != nil, gazetteer != nil {
      throw ValidationError("--config names a geocoder itself; leave --gazetteer to the config")
    }
    for place in places { _ = try Self.request(place) }
  }

  func run() throws {
    let lookup = try lookup()
    var failure: ExitCode?
    for place in places {
      let request = try Self.request(place)
      switch lookup.answer(to: request) {
      case .success(let found):
        for answer in found.prefix(request.isReverse ? 1 : 10) {
          try Terminal.answer([format == .json ? answer.json : answer.text])
        }
      case .failure(let error):
        Terminal.report("waymark: \(place): \(error)")
        if case .network = error { failure = failure ?? ExitStatus.unavailable }
        failure = failure ?? ExitStatus.badData
      }
    }
    if let failure { throw failure }
  }

  private func lookup() throws -> PlaceLookup {
    guard let config else { return try PlaceLookup(gazetteer: gazetteer) }
    return try PlaceLookup(SessionOptions.configuration(at: config, placesFences: true))
  }

  /// Two numbers with a comma between them are a place, everything else is a name.
  private static func request(_ text: String) throws -> GeocoderRequest {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    do throws(GeocoderError) {
      if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] {
        return try .reverse(Coordinate(latitude: latitude, longitude: longitude))
      }
      return try .forward(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

extension GeocoderRequest {
  fileprivate var isReverse: Bool {
    if case .coordinate = subject { true } else { false }
  }
}

extension GeocodedPlace {
  /// On one line: the label, the province, the time zone, where it is and how far away.
  fileprivate var text: String {
    let at = [coordinate.latitude, coordinate.longitude]
      .map { Readable.number($0, decimals: 5) }.joined(separator: ",")
    let away = distance.map { $0 >= 1 ? ", \(Self.length($0)) away" : "" } ?? ""
    return [label, administrativeArea, timeZoneIdentifier, at + away].compactMap(\.self)
      .joined(separator: "  ")
  }

  private static func length(_ metres: Double) -> String {
    metres < 1_000
      ? "\(Readable.number(metres, decimals: 0)) m"
      : "\(Readable.number(metres / 1_000, decimals: 1)) km"
  }

  /// As an object, its keys sorted.
  fileprivate var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and texts alone, which can be encoded.
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return JSONText.escapingControls(of: json)
  }
}
