internal import Glibc

/// A socket of this machine that answers one datagram with another; see unix(7).
///
/// Who may write to its file may ask. The file goes with this object; one that a killed program left is
/// replaced.
package final class LocalSocket {
  /// Readable when somebody asks.
  package let descriptor: Int32
  private let path: String

  /// The longest question and the longest answer, bytes.
  package static let longest = 4_096

  /// The longest path of a socket, bytes; a byte ends it.
  package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Who asked.
  package struct Asker {
    fileprivate let address: sockaddr_un
    fileprivate let length: socklen_t
  }

  /// Why nobody answered.
  package enum Failure: Error, Sendable, Hashable {
    /// Nobody listens at the path.
    case nobody
    /// The answer did not come in time.
    case late
    case refused(SystemError)
  }

  /// Listens at a path, whose lock the caller holds; only the owner may ask.
  ///
  /// - Throws: ``SystemError``, also when the path is too long, or is not that of a socket.
  package init(path: String) throws(SystemError) {
    let address = try LocalAddress(path)
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(code: EEXIST) }
      unlink(path)
    }
    let descriptor = try Self.make()
    // The file gets the mode of the socket, without a moment in which others may ask.
    guard fchmod(descriptor, 0o600) == 0,
      address.use({ bind(descriptor, $0, $1) }) == 0
    else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// The next question, without waiting; nil when there is none.
  package func receive() -> (question: [UInt8], asker: Asker)? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = withUnsafeMutablePointer(to: &address) { pointer in
      // sockaddr_un begins like every sockaddr.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
      }
    }
    return count < 0 ? nil : (Array(bytes.prefix(count)), Asker(address: address, length: length))
  }

  /// Answers, if the asker still waits; never waits itself.
  package func answer(_ bytes: [UInt8], to asker: Asker) {
    _ = withUnsafePointer(to: asker.address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, asker.length)
      }
    }
  }

  /// Asks who listens at a path, and waits for the answer.
  package static func ask(
    _ path: String, _ question: [UInt8], patience: Duration
  ) throws(Failure) -> [UInt8] {
    let descriptor: Int32
    let address: LocalAddress
    do throws(SystemError) {
      address = try LocalAddress(path)
      descriptor = try make()
    } catch {
      throw .refused(error)
    }
    defer { close(descriptor) }
    // The kernel chooses a name to which the answer goes (unix(7), autobind).
    var own = sa_family_t(AF_UNIX)
    let isNamed = withUnsafePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
      }
    }
    guard isNamed == 0 else { throw .refused(.last) }
    // Connected, only the listener can answer.
    guard address.use({ connect(descriptor, $0, $1) }) == 0,
      send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
    else {
      let error = SystemError.last
      throw [ENOENT, ECONNREFUSED].contains(error.code) ? .nobody : .refused(error)
    }
    return try answer(on: descriptor, until: .now + patience)
  }

  private static func answer(
    on descriptor: Int32, until end: ContinuousClock.Instant
  ) throws(Failure) -> [UInt8] {
    var poller = Poller()
    var bytes = [UInt8](repeating: 0, count: longest)
    while ContinuousClock.now < end {
      poller.removeAll()
      _ = poller.add(descriptor, .read)
      poller.wait(until: end)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count >= 0 { return Array(bytes.prefix(count)) }
      let error = SystemError.last
      guard [EAGAIN, EINTR].contains(error.code) else {
        throw error.code == ECONNREFUSED ? .nobody : .refused(error)
      }
    }
    throw .late
  }

  private static func make() throws(SystemError) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }
}

/// The address of a socket with a path.
private struct LocalAddress {
  private var address = sockaddr_un()

  init(_ path: String) throws(SystemError) {
    let bytes = Array(path.utf8)
    guard bytes.count <= LocalSocket.longestPath else {
      throw SystemError(code: ENAMETOOLONG)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
