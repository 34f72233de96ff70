import Foundation
import Glibc
import TestSupport
import Testing

/// A program that runs for long, on a system of which a call fails every now and then, uses no more
/// memory, files and threads in the end than in the beginning.
@Suite("a long run with faults", .ownThreads, .timeLimit(Effort.limit))
struct SteadyTests {
  @Test("of a watch in which every 50th call fails", arguments: [ENOSPC, EIO, EINTR])
  func watch(_ error: Int32) throws {
    let scenario = WatchScenario(
      drive: Drive(count: Effort.isSoak ? 100_000 : 20_000), isLong: true)
    let stage = try Stage()
    stage.lookEvery = 100
    let outcome = try scenario.run(
      stage, Fault(call: 100, kind: .error(error), only: "wst", count: 1), ["FAULTS_EVERY": "50"])
    #expect([69, 74].contains(outcome.code), "\(outcome.errors.suffix(500))")
    try expectSteady(stage, "watch, error \(error)")
  }

  @Test("of a pipe with many devices in which about every third write is short")
  func pipe() throws {
    let stage = try Stage()
    // It reads and writes in large pieces.
    stage.lookEvery = 5
    let fifo = stage.folder.file("fixes")
    #expect(mkfifo(fifo, 0o600) == 0)
    // A device keeps more and more of its way at first, so that few go further in the same time.
    let (devices, rounds) = Effort.isSoak ? (1_000, 3_000) : (100, 1_500)
    let writer = Thread {
      Stream.write(to: fifo, parts: rounds + 1) { Self.fixes($0, devices: devices) }
    }
    writer.start()
    let outcome = try stage.run(
      ["pipe", "--in", "csv", "--state", "state", "--fence", "gate=0,0,150"], input: "fixes",
      output: "events", fault: Fault(call: 1, kind: .short, only: "w"),
      environment: ["FAULTS_EVERY": "3"])
    #expect(outcome.code == 0, "\(outcome.errors.suffix(500))")
    #expect(outcome.errors.contains(#""devices":\#(devices),"#))
    try expectSteady(stage, "pipe")
  }

  /// A round of all devices, each on a way of its own.
  private static func fixes(_ round: Int, devices: Int) -> [UInt8] {
    if round == 0 { return Array("device,time,latitude,longitude,accuracy\n".utf8) }
    return (0..<devices).flatMap { device in
      let place = Double((round + device) % 20 - 10) / 4_000
      return Array("d\(device),\(1_741_593_600 + round * 10),0,\(place),5\n".utf8)
    }
  }

  private func expectSteady(_ stage: Stage, _ name: String) throws {
    let all = try stage.uses()
    #expect(all.count > 8)
    // It has begun by then.
    let uses = all.dropFirst(all.count / 2)
    let (first, last) = (try #require(uses.first), try #require(uses.last))
    print(
      "\(name): \(uses.count) looks, \(first.memory >> 10) to \(last.memory >> 10) KiB, "
        + "\(first.files) to \(last.files) files, \(first.threads) to \(last.threads) threads")
    #expect(last.memory < first.memory + 4 << 20)
    #expect((uses.map(\.files).max() ?? 0) <= first.files + 3)
    #expect((uses.map(\.threads).max() ?? 0) <= first.threads + 1)
  }
}
