internal import Foundation
internal import Glibc

/// A mosquitto of a test's own, on a free port of this machine.
package final class MosquittoBroker {
  private static let program = "/usr/sbin/mosquitto"
  package static let isInstalled =
    [program, "/usr/bin/mosquitto_sub"].allSatisfy(FileManager.default.isExecutableFile)

  package let port: Int
  private let folder: ScratchFolder
  private var process: Process?

  /// Starts a broker that lets everybody in.
  ///
  /// - Parameters:
  ///   - settings: Lines for its config; those of `listener` come first.
  ///   - folder: Has the files that the settings name.
  package init(_ settings: [String] = ["allow_anonymous true"], in folder: ScratchFolder? = nil)
    throws
  {
    self.folder = try folder ?? ScratchFolder()
    // The system gives the port of a server that has ended to nobody else for a while.
    port = Int(try FakeServer().port)
    // Started as root it would change its user, who cannot read the folder.
    let lines = ["listener \(port) 127.0.0.1"] + settings + ["user root"]
    try self.folder.write("mosquitto.conf", lines.joined(separator: "\n") + "\n")
    try start()
  }

  deinit { kill() }

  package func start() throws {
    let process = Process()
    // The thread of a test may block signals, and a child inherits that.
    let script =
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); "
      + "os.execv(sys.argv[1], sys.argv[1:])"
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, Self.program, "-c", folder.file("mosquitto.conf")]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try folder.write("mosquitto.log", "")
    process.standardError = FileHandle(forWritingAtPath: folder.file("mosquitto.log"))
    try process.run()
    self.process = process
    do {
      try blockUntil("mosquitto on port \(port)") {
        guard process.isRunning else { throw BrokerFailure(description: "mosquitto ended") }
        // To connect proves nothing: a connection to a free port of this machine can reach itself.
        return try folder.read("mosquitto.log").contains(" running")
      }
    } catch {
      let log = (try? folder.read("mosquitto.log")) ?? ""
      throw BrokerFailure(description: "\(error): \(log)")
    }
  }

  /// The settings of a broker that lets everybody in and remembers sessions, as of the last
  /// ``saveSessions()``; what it has for a connected subscriber, it sends at once.
  package static func remembering(in folder: ScratchFolder) -> [String] {
    [
      "allow_anonymous true", "persistence true", "persistence_location \(folder.path)/",
      "autosave_interval 0", "max_inflight_messages 0",
    ]
  }

  /// Saves the sessions, which outlast ``kill()`` then.
  package func saveSessions() throws {
    guard let process else { return }
    Glibc.kill(process.processIdentifier, SIGUSR1)
    try blockUntil("the file with the sessions") {
      FileManager.default.fileExists(atPath: folder.file("mosquitto.db"))
    }
  }

  /// Ends it as a power cut would.
  package func kill() {
    guard let process, process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    try? process.waitForEnd()
  }

  /// Makes an authority, a certificate of a server named `localhost`, and one of a client.
  package static func makeCertificates(in folder: ScratchFolder) throws {
    let script = """
      set -e
      cd "$0"
      authority() {
        openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -keyout $1.key -out $1.pem
      }
      signed() {
        openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout $1.key -out $1.csr
        printf "subjectAltName=DNS:%s" "$1" >$1.ext
        openssl x509 -req -in $1.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
          -days 30 -extfile $1.ext -out $1.pem
      }
      authority authority
      authority stranger
      signed localhost
      signed client
      """
    let result = try runProgram("/bin/sh", ["-c", script, folder.path])
    guard result.code == 0 else { throw BrokerFailure(description: result.output) }
  }
}

/// Why a broker did not start.
package struct BrokerFailure: Error, CustomStringConvertible {
  package let description: String
}
