package import Geodesy

/// Names the places of stays by a geocoder.
///
/// What it knows at once, such as the gazetteer, it says at once. What has to be asked for is asked
/// once a stay; a recording waits for the answer, as nobody waits for its events. A live event does
/// not: its place is left out, and told when the stay is over, if it is known by then.
package final class StayNamer {
  /// A stay of a device, by the nanosecond of its arrival.
  package struct Stay: Hashable {
    let device: String
    let arrival: Int64

    package init(device: String, arrival: Int64) {
      self.device = device
      self.arrival = arrival
    }
  }

  private let geocoder: any Geocoder
  private let waits: Bool
  /// What was asked for, of the last stay of each device.
  private var asked: [String: (stay: Stay, answer: Later<String?>)] = [:]

  /// - Parameter waits: Whether to wait for what has to be asked for.
  package init(_ geocoder: any Geocoder, waits: Bool) {
    self.geocoder = geocoder
    self.waits = waits
  }

  /// What the place of a stay is called, as far as it is known now.
  package func name(of stay: Stay, at coordinate: Coordinate) -> String? {
    guard let request = try? GeocoderRequest.reverse(coordinate) else { return nil }
    if let known = geocoder.answerAtOnce(to: request) { return try? known.get().first?.label }
    let answer: Later<String?>
    if let last = asked[stay.device], last.stay == stay {
      answer = last.answer
    } else {
      answer = Later()
      asked[stay.device] = (stay, answer)
      Task { [geocoder] in
        answer.set(try? await geocoder.places(for: request).first?.label)
      }
    }
    return waits ? answer.wait() : answer.now ?? nil
  }
}
