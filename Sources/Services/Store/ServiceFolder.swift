internal import Glibc
internal import StateFiles
internal import System

/// The files of a state folder; a process that changes them holds its ``FolderLock``.
///
/// Each is private, is replaced in one step, and has a header with a checksum (``ChecksummedFile``). An
/// invalid file is reported and renamed, and its contents start over.
package struct ServiceFolder: Sendable {
  package let path: String
  /// Receives messages for the user.
  let log: @Sendable (String) -> Void

  private static let services = ChecksummedFile("services", version: 1)
  private static let monitor = ChecksummedFile("monitor", version: 1)
  private static let pending = ChecksummedFile("pending", version: 1)
  /// The most events that wait for a program; the oldest are dropped.
  package static let mostPending = 1_000

  package init(_ path: String, log: @escaping @Sendable (String) -> Void) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.log = log
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of the program's permission file.
  package var permissionPath: String { file("permission") }

  private var servicesPath: String { file("services") }
  private var pendingPath: String { file("pending") }

  // MARK: The state of the services

  /// The saved state; nil when there is none.
  package func load() -> ServiceState? {
    guard var state = read(Self.services, ServiceState.self, servicesPath) else { return nil }
    for name in monitorNames() {
      state.registrations.monitors[name] = read(
        Self.monitor, [ConditionRecord].self, monitorPath(name))
    }
    return state
  }

  /// Saves everything; false when the system refused some of it, which was reported.
  ///
  /// Every monitor has a file for its conditions; those of one with an invalid name are not saved.
  @discardableResult
  package func save(_ state: ServiceState) -> Bool {
    let kept = state.registrations.monitors.filter {
      MonitorName.isValid($0.key) && !$0.value.isEmpty
    }
    var isSaved = true
    for (name, records) in kept {
      isSaved = write(Self.monitor, records, monitorPath(name)) && isSaved
    }
    for name in monitorNames() where kept[name] == nil { unlink(monitorPath(name)) }
    var state = state
    state.registrations.monitors = [:]
    return write(Self.services, state, servicesPath) && isSaved
  }

  /// Changes whenever the services' state is saved.
  package var stamp: [Int] {
    var status = stat()
    guard stat(servicesPath, &status) == 0 else { return [] }
    return [
      Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }

  private static let monitorSuffix = ".monitor"

  private func monitorPath(_ name: String) -> String {
    file(MonitorName.spelled(name) + Self.monitorSuffix)
  }

  private func monitorNames() -> [String] {
    let files = (try? Folder.names(in: path)) ?? []
    return files.filter { $0.hasSuffix(Self.monitorSuffix) }
      .compactMap { MonitorName.name(spelled: $0.dropLast(Self.monitorSuffix.count)) }.sorted()
  }

  // MARK: Events while the program did not run

  /// The events that wait for the program, oldest first.
  package func pending() -> [PendingEvent] {
    read(Self.pending, [PendingEvent].self, pendingPath) ?? []
  }

  /// Adds events for the program; the oldest are dropped when there are too many.
  ///
  /// - Returns: false when the system refused, which was reported.
  @discardableResult
  package func add(_ events: [PendingEvent]) -> Bool {
    let all = pending() + events
    if all.count > Self.mostPending {
      log(
        "\(path): dropped \(all.count - Self.mostPending) events that the program did not take")
    }
    return write(Self.pending, Array(all.suffix(Self.mostPending)), pendingPath)
  }

  /// Removes the events, when the program has taken them.
  package func removePending() { unlink(pendingPath) }

  /// Whether events wait for the program.
  package var hasPending: Bool { access(pendingPath, F_OK) == 0 }

  // MARK: Files

  private func read<Content: Decodable>(
    _ kind: ChecksummedFile, _ type: Content.Type, _ path: String
  ) -> Content? {
    do throws(ChecksummedFile.ReadError) {
      return try kind.read(type, from: path)
    } catch {
      switch error {
      case .missing: break
      case .unusable(let reason), .newer(let reason):
        rename(path, "\(path).broken")
        log("\(path): \(reason); renamed it to \(path).broken and started over")
      case .unreadable(let reason): log("\(path): cannot be read: \(reason)")
      }
      return nil
    }
  }

  @discardableResult
  private func write(_ kind: ChecksummedFile, _ content: some Encodable, _ path: String) -> Bool {
    do {
      try kind.write(content, to: path)
      return true
    } catch {
      log("\(path): cannot be written: \(error.reason)")
      return false
    }
  }
}
