import Foundation
import TestSupport

/// A gpsd that says what a test lets it say, and when.
struct ScriptedGPSD {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(backlog: 64)
  }

  var address: String { "gpsd://127.0.0.1:\(server.port)" }

  /// The next client, greeted and told that its wish is granted.
  func client() throws -> Client {
    let client = Client(peer: try server.accept())
    client.say(
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)
    client.peer.wait(forRoom: false)
    let wish = client.peer.received()
    guard wish.hasPrefix("?WATCH=") else { throw Failure(description: "heard '\(wish)'") }
    client.say(#"{"class":"DEVICES","devices":[]}"#)
    client.say(#"{"class":"WATCH","enable":true,"json":true}"#)
    return client
  }

  /// Turns away clients that have come and gone.
  func dismissAll() throws {
    while server.hasClient { _ = try server.accept() }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// One connection, which ends with this value.
  struct Client {
    fileprivate let peer: FakePeer

    /// Says a line; whether anybody still listens does not matter.
    func say(_ line: String) { send(line + "\r\n") }

    /// Ends the connection with a reset when it goes.
    func breakOff() { peer.breakOff() }

    /// Says what may be no line.
    func send(_ text: String) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = peer.send(rest)
        rest = rest.dropFirst(count)
        if count == 0, !peer.wait(forRoom: true) { return }
      }
    }
  }
}
