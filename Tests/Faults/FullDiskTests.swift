import Foundation
import Glibc
import TestSupport
import Testing

/// A disk of its own that is full, at every place that a run can come to: told, nothing torn, and
/// gone on with when there is room.
@Suite("a full disk", .ownThreads, .timeLimit(Effort.limit))
struct FullDiskTests {
  @Test("in each command that writes files", arguments: scenarios)
  func full(_ scenario: any Scenario) throws {
    guard let disk = try SmallDisk() else { return }
    let before = try Stage()
    try scenario.prepare(before)
    let expected = try before.copy()
    try #require(try scenario.run(expected, nil, [:]).code == scenario.code)
    var count = 0
    for room in stride(from: 0, through: 16, by: 4) {
      let stage = try before.copy(in: disk.path)
      try disk.fill(leaving: room << 10)
      let found = try scenario.run(stage, nil, [:])
      disk.empty()
      let trial = Trial(scenario: scenario, expected: expected, error: ENOSPC)
      for complaint in try trial.judge(found, stage) {
        Issue.record(
          "\(scenario.name), \(room) KiB free: \(complaint); it said: \(found.errors)")
      }
      count += 1
    }
    print("\(scenario.name): \(count) times on a full disk")
  }
}

/// A file system in memory, which takes two megabytes.
private final class SmallDisk {
  let path: String
  private let folder: ScratchFolder
  private var ballast: String { "\(path)/ballast" }

  /// Nil where nobody may mount one, which is printed.
  init?() throws {
    folder = try ScratchFolder()
    path = folder.path
    guard try Self.command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", path) else {
      print("SKIPPED: no tmpfs can be mounted here; as root it is")
      return nil
    }
  }

  deinit { _ = try? Self.command("umount", "-l", path) }

  func fill(leaving room: Int) throws {
    let file = open(ballast, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    let page = [UInt8](repeating: 0, count: 4_096)
    var size = 0
    while write(file, page, page.count) == page.count { size += page.count }
    ftruncate(file, off_t(size - room))
  }

  func empty() { unlink(ballast) }

  private static func command(_ words: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    try process.run()
    try process.waitForEnd()
    return process.terminationStatus == 0
  }
}
