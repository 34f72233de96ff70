internal import Glibc
internal import Locking
internal import System

/// The file of a socket that a server listens on: it is made where nothing foreign is, and it goes with
/// the server.
final class SocketFile: Sendable {
  /// The socket, which listens; who uses it closes it.
  let descriptor: Int32
  private let path: String
  /// The file that the server made, open without access to it, so that no other file can have its number;
  /// nil before that and once it is removed.
  private let own = Mutex<Int32?>(nil)

  /// Looks what is at the path, removes a socket that nobody listens on any longer, as a killed program
  /// leaves it, and listens there.
  ///
  /// Every user of the machine may connect, as to a port of this machine.
  ///
  /// - Throws: the reason, also when there is anything else, which stays as it is.
  init(path: String) throws(Refusal) {
    try Self.clear(path)
    let descriptor = try Self.make()
    var address = Self.address(of: path)
    let isBound =
      Self.use(&address) { bind(descriptor, $0, $1) } == 0
      && listen(descriptor, Self.backlog) == 0
    guard isBound else {
      let error = SystemError.last
      close(descriptor)
      throw Refusal(reason: error.description)
    }
    (self.path, self.descriptor) = (path, descriptor)
    chmod(path, 0o666)
    let file = open(path, Self.withoutAccess | O_NOFOLLOW | O_CLOEXEC)
    own.withLock { $0 = file >= 0 ? file : nil }
  }

  deinit { remove() }

  /// Removes what is left of another server, or throws the reason why nothing may be at the path.
  private static func clear(_ path: String) throws(Refusal) {
    guard path.utf8.count <= longestPath else {
      throw Refusal(
        reason: "the path has \(path.utf8.count) bytes; that of a socket has at most "
          + "\(longestPath)")
    }
    guard let found = status(path) else { return }
    guard found.st_mode & S_IFMT == S_IFSOCK else {
      throw Refusal(reason: "there is a file that is no socket; remove it, or choose another path")
    }
    guard try !isServed(path) else {
      throw Refusal(reason: "another program listens there; stop that, or choose another path")
    }
    unlink(path)
  }

  /// Why a path cannot be listened on.
  struct Refusal: Error {
    let reason: String
  }

  /// The longest path that a socket can have: the address has 108 bytes, the last of which is zero.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Clients that may wait to be accepted.
  private static let backlog: Int32 = 128

  /// Removes the file if it is still the one that the server made.
  func remove() {
    own.withLock { own in
      guard let descriptor = own else { return }
      var made = stat()
      if fstat(descriptor, &made) == 0, let found = Self.status(path),
        (found.st_dev, found.st_ino) == (made.st_dev, made.st_ino)
      {
        unlink(path)
      }
      close(descriptor)
      own = nil
    }
  }

  /// O_PATH of open(2), which Swift's module of the C library lacks; the same on all of Linux's machines
  /// that Swift runs on (asm-generic/fcntl.h).
  private static let withoutAccess: Int32 = 0o10_000_000

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func make() throws(Refusal) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Refusal(reason: SystemError.last.description) }
    return descriptor
  }

  /// The address of a path that is not too long.
  private static func address(of path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private static func use(
    _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      // sockaddr_un begins like every sockaddr.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Whether a program listens at the path.
  private static func isServed(_ path: String) throws(Refusal) -> Bool {
    let descriptor = try make()
    defer { close(descriptor) }
    var address = address(of: path)
    if use(&address, { connect(descriptor, $0, $1) }) == 0 { return true }
    switch errno {
    case ECONNREFUSED, ENOENT: return false
    // The queue of a program that listens is full, or the socket is of another kind.
    case EAGAIN, EPROTOTYPE: return true
    default:
      throw Refusal(
        reason: "a socket is there, and whether it is in use cannot be seen: \(SystemError.last)")
    }
  }
}
