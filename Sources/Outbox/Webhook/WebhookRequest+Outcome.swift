internal import Foundation
internal import HTTP

extension WebhookRequest {
  /// What a response means for its event.
  func outcome(of response: HTTPResponse, at now: Date) -> DeliveryOutcome {
    let status = "\(server) answered with status \(response.status)"
    switch response.status {
    case 200..<300: return .delivered
    case 410: return .gone(reason: "\(status): it wants no more events")
    default:
      return .failed(
        reason: status + advice(response.status) + text(of: response),
        after: RetryAfter.delay(response.headers, now: now))
    }
  }

  /// Why there is no response that counts.
  func reason(for failure: HTTPFailure) -> String {
    switch failure {
    case .cancelled: "the attempt was stopped"
    case .unreachable(let reason):
      "\(server) is unavailable\(proxy.map { " through the proxy \($0)" } ?? ""): \(reason)"
        + advice(onTLS: reason)
    case .tooLong: "\(server) answered with more than \(Self.longestResponse >> 10) KiB"
    }
  }

  /// What to do about the usual mistakes with TLS, by the words of libcurl and OpenSSL for them.
  ///
  /// With a proxy that is called by TLS as well they do not say whose handshake failed.
  private func advice(onTLS reason: String) -> String {
    let isProxyMeant = proxy?.lowercased().hasPrefix("https://") == true
    if ["wrong version number", "packet length too long", "http request"].contains(
      where: { reason.contains($0) })
    {
      return isProxyMeant
        ? "; check the scheme and the port of the proxy, or of the server"
        : "; check the port, or use http:// for one without TLS"
    }
    let noAuthority = "name its authority with ca-file"
    let certificates = [
      ("subject name", "give the host as in the certificate"),
      ("expired", "renew the certificate, or set this machine's clock"),
      ("not yet valid", "set this machine's clock, or that of the server"),
      ("issuer certificate", noAuthority),
      ("self-signed", noAuthority),
      ("self signed", noAuthority),
    ]
    guard let advice = certificates.first(where: { reason.contains($0.0) })?.1 else { return "" }
    return isProxyMeant ? "; it is the certificate of the proxy or of the server" : "; \(advice)"
  }

  private func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: ": redirects are not followed; give the new address"
    case 401, 403: ": check the token and the secret"
    case 404: ": check the path of the address"
    default: ""
    }
  }

  /// What the server says itself, unless that is a page or repeats something confidential.
  private func text(of response: HTTPResponse) -> String {
    let type = response.headers["content-type"]?.lowercased() ?? ""
    let body = String(decoding: response.body, as: UTF8.self)
    guard !type.contains("html"), !body.hasPrefix("<"), !isConfidential(body) else {
      return ""
    }
    let text = body.oneLine
    return text.isEmpty ? "" : " ('\(text)')"
  }
}
