internal import Foundation

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
    authorityFile = item.pemFile("ca-file", with: "CERTIFICATE")
    guard item.has("certificate-file") == item.has("key-file") else {
      return item.note(
        found: "one of certificate-file and key-file", expected: "both, or none of them")
    }
    certificateFile = item.pemFile("certificate-file", with: "CERTIFICATE")
    keyFile = item.pemFile("key-file", with: "PRIVATE KEY")
  }
}
