import Foundation
import HTTP
import Testing

@testable import Outbox

@Suite("The advice about a handshake that failed") struct WebhookAdviceTests {
  private static let plain = "; check the port, or use http:// for one without TLS"

  @Test(
    "only a server that does not speak TLS may be called by http://",
    arguments: [
      ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", plain),
      ("OpenSSL/3.0.19: error:0A0000C6:SSL routines::packet length too long", plain),
      ("TLS connect error: error:0A00009C:SSL routines::http request", plain),
      ("OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure", ""),
      ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to hooks.example:443", ""),
      ("recv failure: Connection reset by peer", ""), ("SSL connect error", ""),
    ])
  func connect(reason: String, advice: String) throws {
    #expect(
      try text(reason) == "https://hooks.example is unavailable: " + reason + advice)
  }

  @Test(
    "ca-file is advised only for a certificate that another authority mends",
    arguments: [
      ("unable to get local issuer certificate", true), ("unable to get issuer certificate", true),
      ("self-signed certificate", true), ("self-signed certificate in certificate chain", true),
      ("self signed certificate", true), ("EE certificate key too weak", false),
      ("unsuitable certificate purpose", false), ("certificate revoked", false),
    ])
  func authority(problem: String, isMended: Bool) throws {
    let reason = "SSL certificate problem: " + problem
    #expect(
      try text(reason) == "https://hooks.example is unavailable: " + reason
        + (isMended ? "; name its authority with ca-file" : ""))
  }

  @Test(
    "a proxy that is called by TLS may be what is wrong, one that is not may not",
    arguments: [
      (
        "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
        "; check the scheme and the port of the proxy, or of the server", plain
      ),
      (
        "SSL certificate problem: self-signed certificate",
        "; it is the certificate of the proxy or of the server",
        "; name its authority with ca-file"
      ),
      ("recv failure: Connection reset by peer", "", ""),
    ])
  func proxy(reason: String, both: String, server: String) throws {
    for (proxy, advice) in [("https://proxy:3128", both), ("http://proxy:3128", server)] {
      #expect(
        try text(reason, proxy: proxy)
          == "https://hooks.example is unavailable through the proxy \(proxy): " + reason + advice)
    }
  }

  private func text(_ reason: String, proxy: String? = nil) throws -> String {
    var environment = WebhookEnvironment()
    // No proxy of the machine of the test.
    environment.variables = [:]
    environment.variables["https_proxy"] = proxy
    return try WebhookRequest(
      WebhookSettings(url: "https://hooks.example/x"), .gmt, environment
    ).reason(for: .unreachable(reason))
  }
}
