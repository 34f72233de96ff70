/// A connection to an MQTT broker.
package struct BrokerSettings: Sendable, Hashable {
  package enum Version: String, Sendable, Hashable, CaseIterable {
    case v5 = "5"
    case v311 = "3.1.1"
  }

  package var host: String
  package var port: Int
  package var usesTLS = false
  package var version = Version.v5
  package var user: String?
  package var passwordFile: String?
  /// Paths of PEM files: trusted authorities, and the certificate and key of this client.
  package var authorityFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  /// The client id; the default is made of the name of the machine and what the connection is for.
  package var clientID: String?

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// The files that only this program should read.
  package var secretFiles: [String] { [passwordFile, keyFile].compactMap(\.self) }

  /// What may surprise, for `check` and the start: secrets that every user of the machine can read.
  package var warnings: [String] {
    secretFiles.compactMap(SecretFile.warning).map { "\(address): \($0)" }
  }

  /// The address, `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
  package var address: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return "\(usesTLS ? "mqtts" : "mqtt")://\(host):\(port)"
  }
}
