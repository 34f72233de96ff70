package import Foundation

/// A web server on this machine that behaves as the path of a request says: Tests/Peers/webhook-peer.py.
package final class WebhookPeer {
  /// A request as the server saw it.
  package struct Request: Decodable {
    package var path: String
    /// Keyed by name in small letters.
    package var headers: [String: String]
    package var body: Data
    /// Whether the server accepted the event, though its answer may have been lost.
    package var accepted: Bool

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package let port: Int
  /// The path of the file with the requests.
  package let log: String
  private let process = Process()
  /// The server ends when this closes.
  private let input = Pipe()

  /// Starts a server; with the PEM file of a certificate and its key it speaks TLS.
  package init(
    in folder: ScratchFolder, certificate: String? = nil, seed: Int = 1
  ) throws {
    log = folder.file("requests-\(UUID().uuidString)")
    try Data().write(to: URL(fileURLWithPath: log))
    let output = Pipe()
    process.executableURL = try Built.peerPython()
    process.arguments =
      ["-B", Built.package("Tests/Peers/webhook-peer.py").path, log, "--seed", String(seed)]
      + (certificate.map { ["--certificate", $0] } ?? [])
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw NeverHappened(description: "webhook-peer.py printed no port")
    }
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
  }

  /// The address of a path, such as `ok`.
  package func url(_ path: String, scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)/\(path)"
  }

  /// The requests so far.
  package func requests() throws -> [Request] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
  }

  /// The lines that Tests/Peers/verify-webhook.py prints about the requests, one for each.
  ///
  /// - Throws: What it writes to standard error, when a request is not signed with every secret or its
  ///   CloudEvent cannot be read.
  package func verified(by secrets: [String]) throws -> [String] {
    let (verifier, output, errors) = (Process(), Pipe(), Pipe())
    verifier.executableURL = try Built.peerPython()
    verifier.arguments =
      ["-B", Built.package("Tests/Peers/verify-webhook.py").path, log] + secrets
    verifier.standardOutput = output
    verifier.standardError = errors
    try verifier.run()
    let lines = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    try verifier.waitForEnd()
    guard verifier.terminationStatus == 0 else {
      throw NeverHappened(description: String(decoding: complaint, as: UTF8.self))
    }
    return lines.split(separator: "\n").map(String.init)
  }
}
