internal import System
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Session

/// Opens the sockets of a server.
struct Listener {
  /// How connections are served.
  let bootstrap: ServerBootstrap
  /// The option that names the address, for messages.
  let option: String

  /// A bootstrap for up to some hundred clients, each with a send buffer of the system of so many bytes.
  static func bootstrap(_ group: any EventLoopGroup, systemQueue: Int) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.so_sndbuf), value: systemQueue)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
  }

  /// Connections that may wait to be accepted; the client's system retries further ones.
  private static let backlog: Int32 = 128

  /// Opens every socket of an address, or throws and leaves none open.
  func listen(on address: ListenAddress) throws(ServingError) -> [any Channel] {
    do {
      return try sockets(of: address)
    } catch {
      throw error.described
    }
  }

  private func sockets(of address: ListenAddress) throws(BindError) -> [any Channel] {
    if let host = address.host { return [try bind(host, address.port)] }
    let first = try bind("127.0.0.1", address.port)
    do {
      return [first, try bind("::1", first.localAddress?.port ?? address.port)]
    } catch {
      // The machine may have no IPv6, or another server the random port.
      if error.isMissingAddress || address.port == 0 { return [first] }
      try? first.close().wait()
      throw error
    }
  }

  private func bind(_ host: String, _ port: Int) throws(BindError) -> any Channel {
    do {
      return try bootstrap.bind(host: host, port: port).wait()
    } catch {
      throw BindError(address: ListenAddress.text(host, port), option: option, cause: error)
    }
  }
}

/// A failure to listen on an address.
private struct BindError: Error {
  let address: String
  let option: String
  let cause: any Error

  var described: ServingError { .address(address, reason: reason) }
  /// Whether the machine has no such address.
  var isMissingAddress: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }

  private var number: CInt? { (cause as? IOError)?.errnoCode }

  private var reason: String {
    switch number {
    case EADDRINUSE?:
      "the port is in use, perhaps by gpsd; stop that, or choose another with \(option) HOST:PORT"
    case EACCES?:
      "only root may use that port; choose one above 1023 with \(option) HOST:PORT"
    case EADDRNOTAVAIL?: "this machine has no such address"
    case let number?: SystemError(code: number).description
    case nil: "\(cause)"
    }
  }
}
