/// What a request asks for, or why it is refused; without sockets.
///
/// - GET and HEAD alone: nothing of the live map changes anything.
/// - A request must name the host that the server is: a page of another name that leads to this machine
///   (DNS rebinding) gets nothing.
/// - An `Origin` must be that host: no other page may read.
/// - With a token, a request needs it: as a cookie, as `Authorization: Bearer`, or once as `?token=`, which
///   is exchanged for the cookie.
struct WebRequest: Equatable {
  var method: String
  var uri: String
  /// Names in lowercase, in order.
  var headers: [(name: String, value: String)] = []

  static func == (a: Self, b: Self) -> Bool {
    a.method == b.method && a.uri == b.uri
      && a.headers.elementsEqual(b.headers) { $0.name == $1.name && $0.value == $1.value }
  }

  enum Route: Equatable {
    /// A file of the page, by its path.
    case page(String)
    /// A tile of the map, by zoom, column and row.
    case tile(Int, Int, Int)
    case status
    case metrics
    /// Events after an id, as JSON lines; nil for all that are kept.
    case events(since: String?)
    case track
    case fences
    /// Server-sent events after an id.
    case stream(since: String?)
  }

  enum Answer: Equatable {
    case route(Route, isHead: Bool)
    /// The token was right: the cookie is set, and the browser asks again without the token.
    case signIn(location: String)
    case refusal(code: Int, reason: String)
  }

  /// The answer to the request.
  ///
  /// - Parameters:
  ///   - token: What a request needs; nil when only this machine can reach the server.
  ///   - pages: The paths of the files of the page.
  func answer(token: WebToken?, pages: Set<String>) -> Answer {
    guard method == "GET" || method == "HEAD" else {
      return .refusal(code: 405, reason: "only GET and HEAD are allowed")
    }
    guard uri.utf8.count <= Self.longest, let target = Target(uri) else {
      return .refusal(code: 400, reason: "the address is not understood")
    }
    if let refusal = refusedHost(token) { return refusal }
    if let token {
      if let given = target.query["token"] {
        guard token.matches(given) else { return Self.unauthorised }
        return .signIn(location: target.path)
      }
      guard cookie.map(token.matches) ?? false || bearer.map(token.matches) ?? false else {
        return Self.unauthorised
      }
    }
    guard let route = route(target, pages) else {
      return .refusal(code: 404, reason: "there is no \(target.path)")
    }
    return .route(route, isHead: method == "HEAD")
  }

  static let unauthorised = Answer.refusal(
    code: 401, reason: "open the address with ?token= and the token of the server's file")

  /// The longest target, bytes.
  static let longest = 2_048

  private func route(_ target: Target, _ pages: Set<String>) -> Route? {
    switch target.path {
    case "/status": .status
    case "/metrics": .metrics
    case "/track": .track
    case "/fences": .fences
    case "/events": .events(since: target.query["since"])
    case "/stream": .stream(since: value(of: "last-event-id") ?? target.query["since"])
    case let path: pages.contains(path) ? .page(path) : Self.tile(path)
    }
  }

  /// The tile of a path such as `/tiles/3/4/2`.
  private static func tile(_ path: String) -> Route? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "tiles",
      let zoom = Int(parts[2]), 0...30 ~= zoom, let x = Int(parts[3]), let y = Int(parts[4]),
      0..<1 << zoom ~= x, 0..<1 << zoom ~= y
    else { return nil }
    return .tile(zoom, x, y)
  }

  // MARK: Who asks

  /// The value of a header that stands at most once.
  func value(of name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Why a request is refused for the host or the origin that it names; nil when it is not.
  func refusedHost(_ token: WebToken?) -> Answer? {
    guard let host = value(of: "host"), let name = Self.name(ofHost: host) else {
      return .refusal(code: 400, reason: "a request must name its host once")
    }
    // With a token the name does not matter: a cookie belongs to the name that it was set for.
    guard token != nil || Self.ownNames.contains(name) else {
      return .refusal(code: 403, reason: "this server is for localhost alone, not for '\(name)'")
    }
    guard headers.contains(where: { $0.name == "origin" }) else { return nil }
    guard let origin = value(of: "origin"),
      origin == "http://\(host)" || origin == "https://\(host)"
    else { return .refusal(code: 403, reason: "a page of another origin may not read this") }
    return nil
  }

  private static let ownNames: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  /// The name in a `Host` header, without its port and in lowercase; nil when it is malformed.
  private static func name(ofHost host: String) -> String? {
    var name = host[...].utf8
    if let colon = name.lastIndex(of: UInt8(ascii: ":")), name.last != UInt8(ascii: "]") {
      let port = name[colon...].dropFirst()
      guard port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
      }
      name = name[..<colon]
    }
    let isValid =
      !name.isEmpty
      && name.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !"/@\\?#\"'<>".utf8.contains($0)
      }
    return isValid ? String(name)?.lowercased() : nil
  }

  private var cookie: String? {
    for header in headers where header.name == "cookie" {
      for pair in header.value.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].filter({ $0 != " " }) == WebToken.cookie else { continue }
        return parts[1].filter { $0 != " " }
      }
    }
    return nil
  }

  /// The token of `Authorization: Bearer`.
  var bearer: String? {
    guard let value = value(of: "authorization"), value.hasPrefix("Bearer ") else { return nil }
    return String(value.dropFirst("Bearer ".count))
  }

  /// The path and the query of a request's target.
  struct Target {
    let path: String
    /// What follows the question mark, as it was sent.
    private(set) var text: Substring = ""
    private(set) var query: [String: String] = [:]

    /// Nil unless the target is a path: no address of another server, no path that goes up.
    init?(_ uri: String) {
      guard uri.hasPrefix("/"), uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
      let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      path = String(parts[0])
      guard !path.hasPrefix("//"), parts.count == 2 else {
        if path.hasPrefix("//") { return nil }
        return
      }
      text = parts[1]
      for pair in parts[1].split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        query[String(sides[0])] = sides.count == 2 ? String(sides[1]) : ""
      }
    }
  }
}
