internal import System
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Session

/// How much each connection of a server may use.
struct ConnectionLimits: Sendable {
  /// Send buffer of the system, bytes (SO_SNDBUF).
  var systemQueue: Int
  /// When bytes that wait for a client hold others back, and when no longer.
  var waterMark: ChannelOptions.Types.WriteBufferWaterMark
  /// Most bytes read from a client at a time; nil for a size that follows what it sends.
  var readSize: Int?

  /// Connections that may wait to be accepted; the client's system retries further ones.
  private static let backlog: Int32 = 128

  /// A bootstrap for up to some hundred clients.
  func bootstrap(_ group: any EventLoopGroup, _ kind: Listener.Kind) -> ServerBootstrap {
    var bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .childChannelOption(.socketOption(.so_sndbuf), value: systemQueue)
      .childChannelOption(.writeBufferWaterMark, value: waterMark)
    if kind == .network {
      bootstrap =
        bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    }
    guard let readSize else { return bootstrap }
    return
      bootstrap
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readSize)
      )
      .childChannelOption(.maxMessagesPerRead, value: 1)
  }
}

/// The sockets that a server listens on.
struct Listener: Sendable {
  /// What a socket is: options of TCP are errors of others.
  enum Kind { case network, file }

  private let channels: [any Channel]
  private let files: [SocketFile]

  /// Opens every socket of all places, or throws and leaves none open.
  ///
  /// - Parameter bootstrap: How connections of a kind are served.
  init(
    on places: [ListenPlace], option: String, bootstrap: (Kind) -> ServerBootstrap
  ) throws(ServingError) {
    var opening = Opening(option: option, network: bootstrap(.network), local: bootstrap(.file))
    do {
      for place in places { try opening.open(place) }
    } catch {
      for channel in opening.channels { try? channel.close().wait() }
      for file in opening.files { file.remove() }
      throw error.described
    }
    (channels, files) = (opening.channels, opening.files)
  }

  /// Where it listens, with the actual ports.
  var bound: [SocketAddress] { channels.compactMap(\.localAddress) }

  /// Accepts no more clients.
  func stop() {
    for channel in channels { channel.close(promise: nil) }
    for file in files { file.remove() }
  }
}

/// The sockets that are open so far.
private struct Opening {
  /// The option that names the places, for messages.
  let option: String
  let network: ServerBootstrap
  let local: ServerBootstrap
  var channels: [any Channel] = []
  var files: [SocketFile] = []

  mutating func open(_ place: ListenPlace) throws(BindError) {
    switch place {
    case .address(let address): try open(address)
    case .file(let path): try open(path, place)
    }
  }

  private mutating func open(_ path: String, _ place: ListenPlace) throws(BindError) {
    let file: SocketFile
    do throws(SocketFile.Refusal) {
      file = try SocketFile(path: path)
    } catch {
      throw BindError(place: "\(place)", option: option, refusal: error.reason)
    }
    do {
      // A socket that the library bound itself would take any file at its path with it.
      channels.append(try local.withBoundSocket(file.descriptor).wait())
    } catch {
      throw BindError(place: "\(place)", option: option, cause: error)
    }
    files.append(file)
  }

  private mutating func open(_ address: ListenAddress) throws(BindError) {
    if let host = address.host {
      channels.append(try bind(host, address.port))
      return
    }
    let first = try bind("127.0.0.1", address.port)
    channels.append(first)
    do {
      channels.append(try bind("::1", first.localAddress?.port ?? address.port))
    } catch {
      // The machine may have no IPv6, or another server the random port.
      guard error.isMissingAddress || address.port == 0 else { throw error }
    }
  }

  private func bind(_ host: String, _ port: Int) throws(BindError) -> any Channel {
    do {
      return try network.bind(host: host, port: port).wait()
    } catch {
      throw BindError(place: ListenAddress.text(host, port), option: option, cause: error)
    }
  }
}

/// A failure to listen at a place.
private struct BindError: Error {
  let place: String
  let option: String
  var cause: (any Error)?
  /// Why a path cannot be listened on.
  var refusal: String?

  var described: ServingError { .address(place, reason: refusal ?? reason) }
  /// Whether the machine has no such address.
  var isMissingAddress: Bool { number == EADDRNOTAVAIL || number == EAFNOSUPPORT }

  private var number: CInt? { (cause as? IOError)?.errnoCode }

  private var reason: String {
    switch number {
    case EADDRINUSE?:
      // Only the port of feed is one that gpsd may have.
      option == "--listen"
        ? "the port is in use, perhaps by gpsd; stop that, or choose another with \(option) HOST:PORT"
        : "the port is in use; stop what uses it, or choose another with \(option) HOST:PORT"
    case EACCES?:
      "only root may use that port; choose one above 1023 with \(option) HOST:PORT"
    case EADDRNOTAVAIL?: "this machine has no such address"
    case let number?: SystemError(code: number).description
    case nil: unknownHost ?? cause.map { "\($0)" } ?? "unknown"
    }
  }

  /// That the host's name has no address, with the system's reason.
  private var unknownHost: String? {
    (cause as? SocketAddressError.UnknownHost).map {
      "the host is unknown (\($0.errorDescription.lowercased())); expected a name or an address of "
        + "this machine, such as 127.0.0.1"
    }
  }
}
