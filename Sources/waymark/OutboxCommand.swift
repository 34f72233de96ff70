import ArgumentParser
import Foundation
import Glibc
import Outbox
import Session
import Storing
import System
import Text
import Tracking

struct OutboxCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, jsonl }

  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Show what waits for each receiver of a store, and why.",
    discussion: """
      Lists the receivers that `deliver` in a config named: how many events wait, the oldest one, the \
      last error and the next attempt. A running watch sees a change within two seconds.

        waymark outbox events.gpkg
        waymark outbox events.gpkg --format jsonl
        waymark outbox events.gpkg --retry phone
        waymark outbox events.gpkg --replay phone --since 2026-03-10T08:00:00Z
        waymark outbox events.gpkg --discard phone
        waymark outbox events.gpkg --dead

      Events that are delivered again have the same ids as before, so a receiver that drops what it \
      has seen drops them.
      """)

  @Argument(
    help: ArgumentHelp("The store of the events.", valueName: "store"), completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "Try at once, also a receiver that wanted no more events.", valueName: "receiver"))
  var retry: String?

  @Option(
    help: ArgumentHelp("Deliver the events since a time again.", valueName: "receiver"))
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "The time for --replay, when events were decided: 2025-03-10T08:00:00Z, or a date.",
      valueName: "time"), transform: TimeArgument.parse)
  var since: Timestamp?

  @Option(
    help: ArgumentHelp(
      "Drop what waits for a receiver, and its dead letters.", valueName: "receiver"))
  var discard: String?

  @Flag(help: "List the events that were given up, as lines of JSON.")
  var dead = false

  @Option(help: "How receivers are listed: text, or jsonl, an object for each.")
  var format = Format.text

  func validate() throws {
    let asked = [retry != nil, replay != nil, discard != nil, dead].count(where: \.self)
    guard asked <= 1 else {
      throw ValidationError("give one of --retry, --replay, --discard and --dead")
    }
    guard (replay == nil) == (since == nil) else {
      throw ValidationError("--replay and --since go together")
    }
  }

  func run() throws {
    do {
      guard FileManager.default.fileExists(atPath: store) else {
        Terminal.report("waymark: \(store): there is no such file; name the `store` of a config")
        throw ExitStatus.noInput
      }
      // SQLite would make a database of it.
      guard !Self.isEmpty(store) else {
        Terminal.report("waymark: \(store): the file is empty; name the `store` of a config")
        throw ExitStatus.noInput
      }
      let queue = try OutboxQueue(store)
      if dead { return try listDead(queue) }
      let receivers = try queue.overview()
      if let name = retry {
        let receiver = try require(name, receivers)
        try queue.retry(name)
        try Terminal.answer([Self.retrying(receiver)])
      } else if let name = replay, let since {
        _ = try require(name, receivers)
        let count = try queue.replay(name, since: Self.text(since))
        try Terminal.answer(["\(name): \(SessionTotals.count(count, "event")) will be delivered"])
      } else if let name = discard {
        let dead = try require(name, receivers).dead
        let count = try queue.discard(name)
        let part = dead > 0 ? ", \(dead) of them given up before" : ""
        try Terminal.answer(["\(name): \(SessionTotals.count(count, "event")) dropped\(part)"])
      } else {
        let now = Date().timeIntervalSince1970
        try Terminal.answer(
          format == .jsonl
            ? receivers.map(Self.json)
            : receivers.isEmpty
              ? ["no receivers: no run has delivered from this store"]
              : receivers.flatMap { Self.lines($0, now: now) })
      }
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// When the next attempt is made after `--retry`.
  private static func retrying(_ receiver: OutboxQueue.Overview) -> String {
    let answer = "\(receiver.name): the next attempt is made at once"
    guard receiver.waiting > 0, let held = receiver.position.held else { return answer }
    // Only a run knows the hours that hold now.
    return answer
      + ", but not in quiet hours; when a run last looked, events were held back: \(held)"
  }

  private func require(
    _ name: String, _ receivers: [OutboxQueue.Overview]
  ) throws -> OutboxQueue.Overview {
    if let receiver = receivers.first(where: { $0.name == name }) { return receiver }
    let names = receivers.map(\.name).joined(separator: ", ")
    throw ValidationError(
      "the store has no receiver '\(name)'; "
        + (names.isEmpty ? "it has none" : "expected one of: \(names)"))
  }

  private func listDead(_ queue: OutboxQueue) throws {
    try Terminal.answer(
      try queue.deadLetters(of: nil).map {
        var reason: [UInt8] = []
        JSONText.append($0.reason, to: &reason)
        return
          "{\"receiver\":\"\($0.receiver)\",\"reason\":\(reason.span.string),\"event\":\($0.json)}"
      })
  }

  private static func json(_ receiver: OutboxQueue.Overview) -> String {
    var json = JSONBuilder()
    json.object { json in
      json.text("receiver", receiver.name)
      json.boolean("active", receiver.isActive)
      json.number("waiting", receiver.waiting)
      if let oldest = receiver.oldest { json.text("oldest", oldest) }
      json.number("delivered", receiver.delivered)
      if let last = receiver.lastDelivery { json.text("lastDelivery", time(last)) }
      json.number("givenUp", receiver.dead)
      if let error = receiver.position.error { json.text("error", error) }
      if receiver.waiting > 0, let held = receiver.position.held { json.text("held", held) }
      if let next = receiver.position.nextAttempt { json.text("nextAttempt", time(next)) }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// RFC 3339, from seconds since 1970.
  private static func time(_ seconds: Double) -> String { text(timestamp(seconds)) }

  /// A store may hold any number; the time stays within its range.
  private static func timestamp(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 0).advanced(bySeconds: seconds)
  }

  private static func lines(_ receiver: OutboxQueue.Overview, now: Double) -> [String] {
    let position = receiver.position
    var parts = [
      receiver.waiting == 0
        ? "nothing waits" : "\(SessionTotals.count(receiver.waiting, "event")) waiting"
    ]
    if receiver.waiting > 0, let oldest = receiver.oldest { parts[0] += " since \(oldest)" }
    parts.append("\(receiver.delivered) delivered")
    if let last = receiver.lastDelivery { parts[1] += ", the last at \(text(seconds: last))" }
    if receiver.dead > 0 { parts.append("\(receiver.dead) given up") }
    if !receiver.isActive { parts.append("no longer in the config") }
    var lines = ["\(receiver.name): \(parts.joined(separator: "; "))"]
    if receiver.waiting > 0, let held = position.held { lines.append("  held back: \(held)") }
    if let error = position.error {
      if position.gone != nil {
        lines.append("  wants no more events: \(error)")
      } else if receiver.waiting == 0 {
        lines.append("  the last attempt failed: \(error)")
      } else {
        let since = position.failingSince.map { " since \(text(seconds: $0))" } ?? ""
        // None is counted after events were given up, and after --retry.
        let count =
          position.attempts > 0 ? ", \(SessionTotals.count(position.attempts, "attempt"))" : ""
        lines.append("  failing\(since)\(count): \(error)")
      }
    }
    if let next = position.nextAttempt, position.gone == nil, receiver.waiting > 0 {
      lines.append(
        next > now
          ? "  next attempt in \(Readable.duration(next - now))"
          : "  next attempt when a run delivers")
    }
    return lines
  }

  private static func text(_ time: Timestamp) -> String {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func text(seconds: Double) -> String {
    Readable.time(timestamp(seconds))
  }
}
