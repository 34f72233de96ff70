internal import Glibc
internal import Receivers
internal import Session
internal import System
package import Traces

/// The socket beside the state of a watch, through which `waymark anchor` sets its anchors.
///
/// A question is a line of a recording, see ``RecordingHeader``; an answer begins with `+` when the
/// command was obeyed, with `-` when not, and says what happened.
package final class AnchorControl {
  /// What follows the path of a state in the name of the socket.
  package static let suffix = ".control"

  /// Why a command was not obeyed.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No watch has this state and an anchor.
    case nobody(state: String)
    /// Its watch runs, and has no socket, as the path is too long for one.
    case unreachable(state: String)
    /// The watch did not answer in time.
    case late(state: String)
    case refused(state: String, reason: String)
    /// The watch said no.
    case declined(String)

    package var description: String {
      switch self {
      case .nobody(let state):
        "\(state): no watch with this --state has a fence with `center: here`; start one, or name its "
          + "--state"
      case .unreachable(let state):
        "\(state): `waymark anchor` cannot reach its watch, as the path of the state with "
          + "\(AnchorControl.suffix) has more than \(LocalSocket.longestPath) bytes; send it SIGUSR1, or "
          + "start it with a shorter --state"
      case .late(let state): "\(state): its watch did not answer; look at its messages"
      case .refused(let state, let reason): "\(state): cannot ask its watch: \(reason)"
      case .declined(let answer): answer
      }
    }
  }

  /// Why a watch did not obey.
  struct Declined: Error, Sendable, Hashable {
    var reason: String
  }

  /// A command, and who waits for the answer.
  struct Request {
    var command: AnchorChange
    fileprivate var asker: LocalSocket.Asker
  }

  private let socket: LocalSocket

  /// How long a command waits for the answer.
  private static let patience = Duration.seconds(10)

  /// Listens beside a state, whose lock the caller holds.
  init(state: String) throws(SystemError) {
    socket = try LocalSocket(path: state + Self.suffix)
  }

  /// Readable when a command has come.
  var descriptor: Int32 { socket.descriptor }

  /// The next command, without waiting; what is none is answered.
  func next() -> Request? {
    while let (question, asker) = socket.receive() {
      var reader = SwiftGPSDReader()
      if case .anchor(let command)? = try? reader.read(question.span) {
        return Request(command: command, asker: asker)
      }
      socket.answer(Array("-not a command of this release".utf8), to: asker)
    }
    return nil
  }

  /// Answers a command with what happened to the anchors, or why it was not obeyed.
  func answer(_ request: Request, _ result: Result<[String], Declined>) {
    let text =
      switch result {
      case .success(let messages): "+" + messages.joined(separator: "\n")
      case .failure(let declined): "-" + declined.reason
      }
    socket.answer(Array(text.utf8.prefix(LocalSocket.longest)), to: request.asker)
  }

  /// Gives a command to the watch with a state; returns what happened to the anchors, a line each.
  package static func send(
    _ command: AnchorChange, state: String
  ) throws(Failure) -> [String] {
    let answer: [UInt8]
    do throws(LocalSocket.Failure) {
      let line = RecordingHeader.line(command).dropLast()
      answer = try LocalSocket.ask(state + suffix, Array(line), patience: patience)
    } catch {
      if error != .late, isUnreachable(state) { throw .unreachable(state: state) }
      switch error {
      case .nobody: throw .nobody(state: state)
      case .late: throw .late(state: state)
      case .refused(let error): throw .refused(state: state, reason: error.description)
      }
    }
    let text = String(decoding: answer.dropFirst(), as: UTF8.self)
    guard answer.first == UInt8(ascii: "+") else { throw .declined(text) }
    return text.split(separator: "\n").map(String.init)
  }

  /// Whether a watch has a state, and no socket beside it, as its path is too long.
  private static func isUnreachable(_ state: String) -> Bool {
    guard access(state + suffix, F_OK) != 0,
      let real = realpath(Folder.parent(of: state), nil)
    else { return false }
    defer { free(real) }
    // A relative path may be short where that of the watch is not.
    let name = state.split(separator: "/").last ?? ""
    let length = String(cString: real).utf8.count + 1 + name.utf8.count + suffix.utf8.count
    return max(length, (state + suffix).utf8.count) > LocalSocket.longestPath
      && StateStore.isInUse(state)
  }
}
