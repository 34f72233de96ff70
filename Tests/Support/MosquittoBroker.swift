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
        return accepts()
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

  private func accepts() -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
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
