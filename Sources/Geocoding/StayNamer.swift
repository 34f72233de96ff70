package import Geodesy
internal import Locking

/// Finds the place names of stays with a geocoder.
///
/// A geocoder such as the gazetteer answers at once. A server gets one request per stay: a replay waits
/// for the answer, a live event does not. A live event has no place then; the event at the end of the
/// stay has it, if the answer arrived by then.
package final class StayNamer: Sendable {
  /// A stay of a device, identified by its arrival in nanoseconds.
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
  /// The request for the last stay of each device.
  private let requests = Mutex<[String: (stay: Stay, answer: BlockingFuture<String?>)]>([:])

  /// - Parameter waits: Whether to wait for the answer of a server.
  package init(_ geocoder: any Geocoder, waits: Bool) {
    self.geocoder = geocoder
    self.waits = waits
  }

  /// The name of the place of a stay; nil if it is unknown, or not known yet.
  ///
  /// An error of the geocoder gives nil, too. With `waits` the calling thread blocks until the
  /// server has answered.
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

  /// The answer of the request for this stay, or of a new one.
  private func answer(for stay: Stay) -> (answer: BlockingFuture<String?>, isNew: Bool) {
    requests.withLock { requests in
      if let last = requests[stay.device], last.stay == stay { return (last.answer, false) }
      let answer = BlockingFuture<String?>()
      requests[stay.device] = (stay, answer)
      return (answer, true)
    }
  }
}
