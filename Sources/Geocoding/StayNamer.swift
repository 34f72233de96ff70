package import Geodesy
internal import Locking

/// Names the places of stays by a geocoder.
///
/// What it knows at once, such as the gazetteer, it says at once. What has to be asked for is asked
/// once a stay; a recording waits for the answer, as nobody waits for its events. A live event does
/// not: its place is left out, and told when the stay is over, if it is known by then.
package final class StayNamer: Sendable {
  /// A stay of a device, by the nanosecond of its arrival.
  package struct Stay: Sendable, Hashable {
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
  private let asked = Mutex<[String: (stay: Stay, answer: Later<String?>)]>([:])

  /// - Parameter waits: Whether to wait for what has to be asked for.
  package init(_ geocoder: any Geocoder, waits: Bool) {
    self.geocoder = geocoder
    self.waits = waits
  }

  /// What the place of a stay is called, as far as it is known now.
  package func name(of stay: Stay, at coordinate: Coordinate) -> String? {
    guard let request = try? GeocoderRequest.reverse(coordinate) else { return nil }
    if let known = geocoder.answerAtOnce(to: request) { return try? known.get().first?.label }
    let (answer, isNew) = answer(for: stay)
    if isNew {
      Task { [geocoder] in
        answer.set(try? await geocoder.places(for: request).first?.label)
      }
    }
    return waits ? answer.wait() : answer.now ?? nil
  }

  /// The answer that was asked for already, or a new one.
  private func answer(for stay: Stay) -> (answer: Later<String?>, isNew: Bool) {
    asked.withLock { asked in
      if let last = asked[stay.device], last.stay == stay { return (last.answer, false) }
      let answer = Later<String?>()
      asked[stay.device] = (stay, answer)
      return (answer, true)
    }
  }
}
