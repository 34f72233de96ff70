import Foundation
import Geocoding
import HTTP
import Locking

/// A web server and a clock without any network or waiting: what is asked is noted, and time goes on
/// by what is slept.
final class FakeTransport: HTTPTransport {
  typealias Answer = Result<HTTPResponse, HTTPFailure>

  struct Request: Sendable {
    let url: URL
    let headers: [String: String]
    let time: Duration

    /// The parameters of the address.
    var items: [String: String] {
      let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $0 + "," + $1 }
    }
  }

  private struct State {
    var requests: [Request] = []
    var time = Duration.zero
    var sleeps: [Duration] = []
    var gate: OneShot<Void>?
    var sleepGate: OneShot<Void>?
    var environment: [String: String] = [:]
  }

  private let state = Mutex(State())
  private let answer: @Sendable (Int, URL) -> Answer
  /// How long an answer takes.
  private let delay: Duration

  /// A server that gives the answer of the number of a question, from 0.
  init(delay: Duration = .zero, _ answer: @escaping @Sendable (Int, URL) -> Answer) {
    self.answer = answer
    self.delay = delay
  }

  /// A server that gives these answers one after the other, and the last one ever after.
  convenience init(_ answers: [Answer]) {
    self.init { number, _ in answers[min(number, answers.count - 1)] }
  }

  /// A server that always gives this text.
  convenience init(_ json: String) { self.init([.json(json)]) }

  var requests: [Request] { state.withLock { $0.requests } }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  /// Whether answers are kept back.
  func hold(_ isHeld: Bool) {
    let old = state.withLock { state in
      defer { state.gate = isHeld ? OneShot() : nil }
      return state.gate
    }
    old?.set(())
  }

  /// Makes whoever sleeps from now on sleep until it is cancelled.
  func stopTime() { state.withLock { $0.sleepGate = OneShot() } }

  /// Makes requests go through a proxy, as they would with the variables of the environment.
  func setProxy(_ address: String) {
    state.withLock { $0.environment = ["all_proxy": address] }
  }

  func proxy(for url: URL) -> HTTPProxy? {
    HTTPProxy(for: url, in: state.withLock { $0.environment })
  }

  func pass(_ duration: Duration) { state.withLock { $0.time += duration } }

  func get(
    _ url: URL, headers: [String: String], limit: Int
  ) async throws(HTTPFailure) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let (number, gate) = state.withLock { state in
      state.requests.append(Request(url: url, headers: headers, time: state.time))
      return (state.requests.count - 1, state.gate)
    }
    if let gate, await gate.value() == nil { throw .cancelled }
    pass(delay)
    return try answer(number, url).get()
  }

  var clock: RequestClock {
    RequestClock(
      now: { self.state.withLock { $0.time } },
      date: {
        let time = self.state.withLock { $0.time }
        return Date(timeIntervalSince1970: 784_111_777 + Double(time.components.seconds))
      },
      sleep: { duration in
        let gate = self.state.withLock { state in
          state.sleeps.append(duration)
          if state.sleepGate == nil { state.time += duration }
          return state.sleepGate
        }
        if let gate, await gate.value() == nil { throw CancellationError() }
      })
  }
}

extension Result where Success == HTTPResponse, Failure == HTTPFailure {
  static func json(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> Self {
    .success(HTTPResponse(status: status, headers: headers, body: Data(text.utf8)))
  }
}
