internal import Glibc

/// A socket that listens on this machine, and does what a test tells it, step by step.
package final class FakeServer: Sendable {
  package let descriptor: Int32
  package let port: UInt16

  /// `backlog` is how many connections may wait to be accepted.
  package init(backlog: Int32 = 16) throws(FakeServerError) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw FakeServerError(code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let (code, port) = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let code = bind(descriptor, address, size)
        getsockname(descriptor, address, &size)
        return (code, UInt16(bigEndian: pointer.pointee.sin_port))
      }
    }
    self.port = port
    guard code == 0, listen(descriptor, backlog) == 0 else { throw FakeServerError(code: errno) }
  }

  deinit { Glibc.close(descriptor) }

  /// Whether a connection waits to be accepted.
  package var hasClient: Bool { FakePeer.wait(descriptor, POLLIN, milliseconds: 0) }

  /// The next connection; waits for it.
  package func accept() throws(FakeServerError) -> FakePeer {
    // The server is there before its client, whose test may wait for a thread while other tests block
    // all of them: as long as a suite may take.
    guard FakePeer.wait(descriptor, POLLIN, milliseconds: 1_500_000) else {
      throw FakeServerError(code: ETIMEDOUT)
    }
    let peer = Glibc.accept(descriptor, nil, nil)
    guard peer >= 0 else { throw FakeServerError(code: errno) }
    return FakePeer(peer)
  }
}

/// The server's end of a connection.
package final class FakePeer {
  package let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Sends as much as there is room for, and gives how much that was.
  @discardableResult
  package func send(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes {
      max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)))
    }
  }

  @discardableResult
  package func send(_ text: String) -> Int { send(Array(text.utf8)[...]) }

  /// What the client has sent and was not read yet.
  package func received() -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  /// Waits until there is something to read, or room to write; false when the client is gone or
  /// ``patience`` has passed.
  @discardableResult
  package func wait(forRoom isForRoom: Bool) -> Bool {
    Self.wait(descriptor, isForRoom ? POLLOUT : POLLIN)
  }

  fileprivate static func wait(
    _ descriptor: Int32, _ events: Int32, milliseconds: Int32 = patienceInMilliseconds
  ) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&request, 1, milliseconds) == 1
      && Int32(request.revents) & (POLLERR | POLLHUP) == 0
  }

  /// Makes the end come as a reset (RST) when this object goes.
  package func breakOff() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }
}

/// A call of the system that failed, by its number.
package struct FakeServerError: Error {
  package let code: Int32

  package init(code: Int32) { self.code = code }
}
