import Foundation
import Glibc
import TestSupport
import Testing

@testable import Outbox

/// A folder, and webhooks that do not depend on the machine of the test.
struct WebhookStand {
  let folder: ScratchFolder
  let stop: StopFlag
  var environment = WebhookEnvironment()

  static let secret = "whsec_" + Data((1...32).map(UInt8.init)).base64EncodedString()

  init() throws {
    folder = try ScratchFolder()
    stop = try StopFlag()
    environment.variables = [:]
    environment.isClockSynchronised = { true }
    environment.hostName = "boat"
    // A busy machine may take long.
    environment.timeout = 300
  }

  func courier(
    _ url: String, _ change: (inout WebhookSettings) throws -> Void = { _ in }
  ) throws -> WebhookCourier {
    var settings = WebhookSettings(url: url)
    try change(&settings)
    return try WebhookCourier(
      settings, zone: try #require(TimeZone(identifier: "Europe/Berlin")),
      environment: environment)
  }

  /// The outcome of one attempt.
  func deliver(
    to url: String, _ delivery: Delivery? = nil,
    _ change: (inout WebhookSettings) throws -> Void = { _ in }
  ) throws -> DeliveryOutcome {
    try courier(url, change)
      .deliver(try delivery ?? MessageTemplateTests.delivery(), until: stop)
  }

  /// Writes a file, and gives its path.
  func file(_ name: String, _ text: String) throws -> String {
    try folder.write(name, text)
    return folder.file(name)
  }

  /// A PEM file with a new certificate for 127.0.0.1, which nobody else has signed, and its key.
  func certificate(_ name: String) throws -> String {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=peer"
      .split(separator: " ").map(String.init)
      + ["-addext", "subjectAltName=IP:127.0.0.1"]
      + ["-keyout", folder.file("key"), "-out", folder.file("certificate")]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    try openssl.waitForEnd()
    return try file(name, try folder.read("key") + folder.read("certificate"))
  }
}

extension DeliveryOutcome {
  /// The reason, if it is one of the kind.
  var unreachable: String? { if case .unreachable(let reason) = self { reason } else { nil } }
  var failed: String? { if case .failed(let reason, _) = self { reason } else { nil } }
  var gone: String? { if case .gone(let reason) = self { reason } else { nil } }
  var delay: Duration? { if case .failed(_, let after) = self { after } else { nil } }
}
