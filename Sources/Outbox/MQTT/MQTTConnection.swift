internal import CMosquitto
internal import Settings
internal import System

/// A connection to a broker, through libmosquitto.
///
/// It is never reopened, so libmosquitto, whose queue has no bound, never repeats a message of an
/// earlier attempt.
///
/// Unchecked: one thread at a time uses it. ``MQTTDial`` passes it to its thread and takes it back
/// under a lock, when that thread no longer uses it.
final class MQTTConnection: @unchecked Sendable {
  /// Messages that libmosquitto has at most; one event has fewer.
  private static let window = 16
  /// The longest wait without a look at the keep-alive.
  private static let patience = Duration.seconds(10)
  static let noAnswer = "no answer in time"

  let client: UnsafeMutablePointer<waymark_mosquitto>
  /// Messages handed to libmosquitto.
  private var published: UInt32 = 0

  /// Makes a connection that is not open yet, after the library has been loaded.
  ///
  /// - Parameters:
  ///   - will: The topic on which the broker publishes `offline` when the connection is lost.
  ///   - session: What the broker keeps without a connection; nil for nothing.
  init(
    _ settings: BrokerSettings, password: String?, id: String, will: String? = nil,
    session: MQTTSession? = nil
  ) throws(MQTTFailure) {
    let version = settings.version == .v5 ? waymark_mosquitto_v5 : waymark_mosquitto_v311
    let isClean = session?.isNew ?? true
    guard let client = waymark_mosquitto_open(id, Int32(version), isClean ? 1 : 0) else {
      throw .refused("out of memory, or an invalid client id")
    }
    self.client = client
    if let session {
      try check(
        waymark_mosquitto_keep_session(client, session.seconds, MQTTSession.longestPacket))
    }
    if let will { try check(waymark_mosquitto_set_will(client, will, MQTTCourier.offline)) }
    if let user = settings.user { try check(waymark_mosquitto_set_user(client, user, password)) }
    if settings.usesTLS {
      let folder = settings.authorityFile == nil ? "/etc/ssl/certs" : nil
      let code = waymark_mosquitto_set_tls(
        client, settings.authorityFile, folder, settings.certificateFile, settings.keyFile)
      guard code == 0 else { throw .refused("TLS settings: \(text(code))") }
    }
  }

  deinit { waymark_mosquitto_close(client) }

  // MARK: Opening

  /// Blocks as long as the system does; 0, or the error for ``text(_:)``.
  func connect(to host: String, port: Int32, keepAlive: Int32) -> Int32 {
    waymark_mosquitto_connect(client, host, port, keepAlive)
  }

  /// Waits for the broker's answer to a connection.
  func acceptance(
    until deadline: ContinuousClock.Instant, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    try serve(until: deadline, wait) { $0.connected >= 0 }
    let code = client.pointee.connected
    guard code == 0 else { throw .reason(code, refusal("the connection", code)) }
  }

  // MARK: Serving

  /// Whether the connection is open and every message was acknowledged.
  var isIdle: Bool {
    waymark_mosquitto_socket(client) >= 0 && client.pointee.acknowledged == published
  }

  /// The descriptor of the connection, and for what it waits.
  var interest: (descriptor: Int32, readiness: Poller.Readiness) {
    let wantsWrite = waymark_mosquitto_wants_write(client) != 0
    return (waymark_mosquitto_socket(client), wantsWrite ? [.read, .write] : .read)
  }

  /// Publishes messages, and waits until all are acknowledged.
  ///
  /// - Throws: ``MQTTFailure/refused(_:)`` when the broker refused one. The connection can be used
  ///   after an error if it ``isIdle``.
  func publish(
    _ messages: [MQTTMessage], within limit: Duration, _ wait: MQTTWait
  ) throws(MQTTFailure) {
    for start in stride(from: 0, to: messages.count, by: Self.window) {
      let end = min(start + Self.window, messages.count)
      client.pointee.refusal = 0
      for message in messages[start..<end] { try publish(message) }
      try serve(until: .now + limit, wait) { $0.acknowledged == self.published }
      let code = client.pointee.refusal
      guard code == 0 else {
        throw .refused(refusal("a message", code, advice: "the broker's access list"))
      }
    }
  }

  private func publish(_ message: MQTTMessage) throws(MQTTFailure) {
    let type = message.isJSON ? "application/json" : nil
    try check(
      waymark_mosquitto_publish(
        client, message.topic, message.payload, message.payload.utf8.count,
        message.isRetained ? 1 : 0, type, message.id))
    published &+= 1
  }

  /// Says goodbye, so the broker drops the last will.
  func disconnect(within limit: Duration) {
    guard waymark_mosquitto_disconnect(client) == 0 else { return }
    let (deadline, wait) = (ContinuousClock.now + limit, MQTTWait(nil))
    while interest.descriptor >= 0, interest.readiness.contains(.write), .now < deadline {
      guard let ready = try? wait.wait(for: interest.descriptor, .write, until: deadline),
        (try? advance(ready)) != nil
      else { return }
    }
  }

  /// Receives and sends what is ready, and pings an idle broker.
  func advance(_ ready: Poller.Readiness) throws(MQTTFailure) {
    if ready.contains(.read) { try check(waymark_mosquitto_read(client)) }
    if ready.contains(.write) { try check(waymark_mosquitto_write(client)) }
    try check(waymark_mosquitto_keep_alive(client))
  }

  /// When the keep-alive must be looked at, before a deadline.
  static func nextLook(before deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    min(deadline, .now + patience)
  }

  private func serve(
    until deadline: ContinuousClock.Instant, _ wait: MQTTWait,
    _ isDone: (waymark_mosquitto) -> Bool
  ) throws(MQTTFailure) {
    while !isDone(client.pointee) {
      guard ContinuousClock.now < deadline else { throw .unreachable(Self.noAnswer) }
      let (descriptor, readiness) = interest
      let ready = try wait.wait(
        for: descriptor, readiness, until: Self.nextLook(before: deadline))
      do throws(MQTTFailure) {
        try advance(ready)
      } catch {
        // A refusal arrives together with the end of the connection.
        guard isDone(client.pointee) else { throw error }
      }
    }
  }

  // MARK: Errors

  /// An error of libmosquitto in words.
  func text(_ code: Int32) -> String {
    let text = Self.phrase(String(cString: waymark_mosquitto_error_text(client, code)))
    // What OpenSSL says of the usual mistakes.
    if text.contains("certificate verify failed") {
      return
        "its certificate is not trusted, has expired, or has another host name (certificate verify "
        + "failed); name its authority with ca-file, and the host as in the certificate"
    }
    let isNoTLS = text.contains("wrong version number") || text.contains("unexpected eof")
    if isNoTLS, client.pointee.connected < 0 {
      return "it does not speak MQTT with TLS; check the port, or use mqtt:// for one without TLS"
    }
    if code == Self.connectionLost, client.pointee.connected < 0 {
      return "it ended the connection without an answer; check the port, or use mqtts:// for TLS"
    }
    return text
  }

  /// MOSQ_ERR_CONN_LOST of mosquitto.h.
  private static let connectionLost: Int32 = 7

  func refusal(
    _ what: String, _ code: Int32, advice: String = "user and password-file"
  ) -> String {
    let reason = Self.phrase(String(cString: waymark_mosquitto_reason_text(client, code)))
    return "the broker refuses \(what): \(reason)"
      + (Self.isAboutTheUser(code) ? "; check \(advice)" : "")
  }

  /// MQTT 3.1.1 §3.2.2.3 has the first two, MQTT 5 §2.4 the others: bad user name or password, not
  /// authorised.
  private static func isAboutTheUser(_ code: Int32) -> Bool { [4, 5, 0x86, 0x87].contains(code) }

  /// Throws the error of a call, or the reason with which the broker ended the connection.
  func check(_ code: Int32) throws(MQTTFailure) {
    let ended = client.pointee.disconnected
    if ended != 0 { throw .reason(ended, refusal("the connection", ended)) }
    guard code != 0 else { return }
    throw Self.isRefusal(code) ? .refused(text(code)) : .unreachable(text(code))
  }

  /// Whether libmosquitto refuses what it was given: errors of mosquitto.h about arguments, text that
  /// is not UTF-8, a packet that is too large, and retained messages that the broker does not take.
  private static func isRefusal(_ code: Int32) -> Bool {
    [3, 9, 10, 18, 24, 25, 28].contains(code)
  }

  /// `Connection Refused: not authorised.` as a part of a sentence.
  private static func phrase(_ text: String) -> String {
    let text = text.hasSuffix(".") ? text.dropLast() : text[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
