import Glibc
import TestSupport

/// What the other end of a connection says: a greeting, and an answer to what it hears.
struct Peer {
  var greeting: [UInt8] = []
  /// The answer to what was heard so far, after which the connection ends; nil to hear more.
  var answer: (String) throws -> [UInt8]?

  /// A gpsd that says lines to whoever wants to watch, and then ends the connection.
  ///
  /// - Parameter lines: Is asked when somebody does: what is left to say then.
  static func gpsd(_ lines: @escaping () throws -> [String]) -> Peer {
    let version =
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    let granted = [
      #"{"class":"DEVICES","devices":[]}"#, #"{"class":"WATCH","enable":true,"json":true}"#,
    ]
    return Peer(greeting: Array("\(version)\r\n".utf8)) { heard in
      guard heard.contains("?WATCH=") else { return nil }
      return (granted + (try lines())).flatMap { Array("\($0)\r\n".utf8) }
    }
  }
}

/// One connection to a ``Peer``.
final class Conversation {
  let peer: FakePeer
  private let script: Peer
  private var heard = ""
  private var unsent: [UInt8]
  private var isAnswered = false

  init(_ peer: FakePeer, _ script: Peer) {
    self.peer = peer
    self.script = script
    unsent = script.greeting
  }

  /// What it waits for.
  var events: Int16 { Int16(POLLIN | (unsent.isEmpty ? 0 : POLLOUT)) }

  /// Hears and says what is possible; false once the other end is gone.
  func turn(_ found: Int16) throws -> Bool {
    if found & Int16(POLLIN) != 0 {
      let text = peer.received()
      if text.isEmpty { return false }
      heard += text
      if !isAnswered, let answer = try script.answer(heard) {
        isAnswered = true
        unsent += answer
      }
    } else if found & Int16(POLLERR | POLLHUP) != 0 {
      return false
    }
    if !unsent.isEmpty {
      unsent.removeFirst(peer.send(unsent[...]))
      if unsent.isEmpty, isAnswered { shutdown(peer.descriptor, Int32(SHUT_WR)) }
    }
    return true
  }
}
