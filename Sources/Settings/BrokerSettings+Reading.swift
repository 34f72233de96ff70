internal import Foundation
internal import System

extension BrokerSettings {
  /// The keys of a connection to a broker.
  package static let keys = [
    "mqtt", "user", "password-file", "ca-file", "certificate-file", "key-file", "version",
    "client-id",
  ]

  package static let form = "an address such as mqtt://broker.local or mqtts://broker.local:8883"

  /// Reads the keys of a connection; nil without a valid address.
  package static func read(_ item: inout ConfigurationSectionReader) -> BrokerSettings? {
    guard let text = item.text("mqtt", expected: form) else { return nil }
    let url = item.address(text, schemes: ["mqtt", "mqtts"], key: "mqtt", expected: form)
    let usesTLS = url?.scheme?.lowercased() == "mqtts"
    if let url, !["", "/"].contains(url.path) {
      item.note(valueOf: "mqtt", found: "an address with a path", expected: form)
    }
    if let port = url?.port, !(1...65_535 ~= port) {
      item.note(valueOf: "mqtt", found: "the port \(port)", expected: "one of 1 to 65535")
    }
    // An address of IPv6 is in brackets.
    let host = (url?.host ?? "").trimmingCharacters(in: ["[", "]"])
    var settings = BrokerSettings(host: host, port: url?.port ?? (usesTLS ? 8883 : 1883))
    settings.usesTLS = usesTLS
    settings.user = item.text("user", expected: "the name of a user")
    settings.passwordFile = item.secrets("password-file").first
    if settings.passwordFile != nil, settings.user == nil {
      item.note(
        key: "password-file", found: "a password without a user", expected: "it beside user")
    }
    if usesTLS {
      settings.readCertificates(&item)
    } else {
      for key in ["ca-file", "certificate-file", "key-file"] where item.has(key) {
        item.note(key: key, found: "'\(key)' beside mqtt://", expected: "it beside mqtts://")
      }
    }
    if let versions: [Version] = item.choices("version"), let version = versions.first {
      settings.version = version
    }
    settings.clientID = item.text("client-id", expected: "a client id such as waymark-van")
    return url == nil ? nil : settings
  }

  private mutating func readCertificates(_ item: inout ConfigurationSectionReader) {
    authorityFile = Self.pemFile("ca-file", &item)
    guard item.has("certificate-file") == item.has("key-file") else {
      return item.note(
        found: "one of certificate-file and key-file", expected: "both, or none of them")
    }
    certificateFile = Self.pemFile("certificate-file", &item)
    keyFile = Self.pemFile("key-file", &item)
  }

  /// The path of a PEM file, which must exist.
  private static func pemFile(
    _ key: String, _ item: inout ConfigurationSectionReader
  ) -> String? {
    let expected = ConfigurationSectionReader.pemFile
    guard let path = item.path(key, expected: expected) else { return nil }
    do throws(WholeFile.Failure) {
      let bytes = try WholeFile.read(path, limit: longestPEMFile)
      // Otherwise OpenSSL refuses it at every connection.
      if String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") { return path }
      item.note(
        valueOf: key, found: "'\(path)', a file without -----BEGIN", expected: expected)
    } catch {
      item.note(
        valueOf: key, found: "'\(path)', which cannot be read (\(error.reason))",
        expected: expected)
    }
    return nil
  }

  private static let longestPEMFile = 16 << 20
}
