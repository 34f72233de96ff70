package import Foundation
internal import HTTP

/// Delivers events to a web server: one POST for each, as Standard Webhooks 1.0.0 describes it.
///
/// Status 2xx acknowledges an event and 410 refuses all; every other answer is a failure, redirects
/// too. A response that breaks off is none, so its event is sent again, with the same id.
package final class WebhookCourier: Courier {
  private let request: WebhookRequest
  private let environment: WebhookEnvironment
  private var connection: HTTPConnection?
  /// Whether the clock was seen to be set; it stays set.
  private var isClockSet: Bool

  /// Reads the files of secrets and looks for the libraries.
  ///
  /// - Parameter zone: That of times in messages.
  package init(
    _ settings: WebhookSettings, zone: TimeZone, environment: WebhookEnvironment = .init()
  ) throws(ReceiverError) {
    self.environment = environment
    isClockSet = settings.trustsClock
    request = try WebhookRequest(settings, zone, environment)
    do throws(HTTPFailure) {
      connection = try HTTPConnection()
    } catch {
      throw .library(problem: request.reason(for: error))
    }
  }

  package func deliver(_ delivery: Delivery, until stop: StopFlag) -> DeliveryOutcome {
    guard isReadyToSign else {
      return .unreachable(
        reason: "the clock is not synchronised yet, and receivers refuse signatures with a wrong "
          + "time; start a time service such as systemd-timesyncd or chrony, or set trust-clock")
    }
    let now = environment.now()
    do throws(HTTPFailure) {
      let post = try request.post(delivery, at: now)
      let response = try open().response(to: post) { stop.isSet }
      return request.outcome(of: response, at: now)
    } catch {
      switch error {
      case .cancelled: return .stopped
      case .unreachable: return .unreachable(reason: request.reason(for: error))
      case .tooLong: return .failed(reason: request.reason(for: error))
      }
    }
  }

  /// Connects, with TLS if the address says so, and sends nothing.
  package func probe(until stop: StopFlag) -> String? {
    do throws(HTTPFailure) {
      // A connection of its own: libcurl makes no request on it afterwards.
      _ = try HTTPConnection().response(to: request.probe) { stop.isSet }
      return nil
    } catch {
      return request.reason(for: error)
    }
  }

  package func close() { connection = nil }

  private func open() throws(HTTPFailure) -> HTTPConnection {
    if let connection { return connection }
    let opened = try HTTPConnection()
    connection = opened
    return opened
  }

  private var isReadyToSign: Bool {
    guard request.isSigned, !isClockSet else { return true }
    isClockSet = environment.isClockSynchronised()
    return isClockSet
  }
}
