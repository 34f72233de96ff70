internal import Geodesy
internal import Text
package import Tracking

extension Fence {
  /// The circle of the command-line option `--fence ID=LAT,LON,RADIUS`.
  ///
  /// RADIUS is in metres or has a unit (`100`, `100m`, `2 km`). ID may contain any character, because
  /// the last `=` ends it.
  package init(option: String) throws(ConfigurationError) {
    self = try FenceOption(text: option).fence()
  }
}

/// Parses the text of `--fence`.
private struct FenceOption {
  let text: String

  private static let shape = "ID=LAT,LON,RADIUS such as depot=52.5163,13.3777,100m"

  func fence() throws(ConfigurationError) -> Fence {
    guard let equals = text.lastIndex(of: "=") else { throw problem("no '='", Self.shape) }
    let id = String(text[..<equals])
    guard !id.isEmpty else { throw problem("no id before '='", Self.shape) }
    let parts = text[equals...].dropFirst()
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }) }
    guard parts.count == 3 else {
      let count = parts.count == 1 ? "1 part" : "\(parts.count) parts"
      throw problem("\(count) after '='", "3, as in \(Self.shape)")
    }
    let center = try center(id, parts)
    return Fence(id: id, area: .circle(Circle(center: center, radius: try radius(parts[2]))))
  }

  private func center(_ id: String, _ parts: [String]) throws(ConfigurationError) -> Coordinate {
    let expected = "a number in degrees, as in \(Self.shape)"
    guard let latitude = ConfigurationReader.decimal(parts[0]) else {
      throw problem("the latitude '\(parts[0])'", expected)
    }
    guard let longitude = ConfigurationReader.decimal(parts[1]) else {
      throw problem("the longitude '\(parts[1])'", expected)
    }
    guard abs(latitude) <= 90 else {
      let isSwapped = Coordinate(latitude: longitude, longitude: latitude).isValid
      let other = "\(id)=\(parts[1]),\(parts[0]),\(parts[2])"
      throw problem(
        "the latitude '\(parts[0])'", "-90 to 90",
        advice: isSwapped ? "latitude comes first: did you mean '\(other)'?" : nil)
    }
    guard abs(longitude) <= 180 else {
      throw problem("the longitude '\(parts[1])'", "-180 to 180")
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func radius(_ part: String) throws(ConfigurationError) -> Double {
    guard let radius = Measure.length(part) else {
      throw problem("the radius '\(part)'", "a length such as 100m or 2km")
    }
    guard radius > 0, radius <= Measure.largestRadius else {
      throw problem("the radius '\(part)'", "a length above 0 m and up to 1000 km")
    }
    return radius
  }

  private func problem(_ found: String, _ expected: String, advice: String? = nil)
    -> ConfigurationError
  {
    let place = ConfigurationPlace(file: "--fence \(ConfigurationReader.quoted(text))")
    return ConfigurationError([
      ConfigurationProblem(place, found: found, expected: expected, advice: advice)
    ])
  }
}
