internal import Dispatch
internal import Locking

/// How far the consumers of a service's streams are behind; a recording waits for them.
///
/// It knows two things: whether a buffer is more than half full; and, during a replay, which tasks took
/// an element and have not come back for the next one. A replay that waits for these tasks after every
/// fix shows its consumers what they would see in real time, every time.
///
/// A replay does not wait for tasks that have taken nothing since it began: one may be the task that
/// replays, and reads its stream afterwards.
package final class Backpressure: Sendable {
  private struct State {
    var replays = 0
    /// Buffers that are more than half full.
    var full = 0
    /// How many of them the source no longer waits for.
    var abandoned = 0
    /// Threads that wait until no buffer is more than half full.
    var threads: [DispatchSemaphore] = []
    /// Tasks that took an element and are processing it.
    var busy: Set<TaskID> = []
    /// Tasks that this replay no longer waits for.
    var stuck: Set<TaskID> = []
    var dropped = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// The number of waits so far; the watchdog compares it to see whether one is still the same.
    var waits = 0
    var isWatched = false
  }

  /// How long a replay waits for a busy task, in steps of 10 ms.
  ///
  /// The task may itself wait for something that only later fixes bring, which is not visible here. Then
  /// the replay continues without it.
  private static let patience = 200
  /// How long a source waits for full buffers, seconds of real time; the same as for managers.
  private static let longPatience = 5.0

  private let state = Mutex(State())

  package init() {}

  /// Whether a source may continue: no buffer is more than half full.
  package var hasRoom: Bool { state.withLock { $0.full <= $0.abandoned } }

  /// Blocks a recording's thread while a buffer is more than half full.
  ///
  /// It gives up when nothing is taken for long: the task may never come back, and other consumers need
  /// the same source.
  package func waitUntilDrained() {
    let semaphore: DispatchSemaphore? = state.withLock { state in
      guard state.full > state.abandoned else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.threads.append(semaphore)
      return semaphore
    }
    guard let semaphore, semaphore.wait(timeout: .now() + Self.longPatience) == .timedOut else {
      return
    }
    state.withLock { state in
      state.threads.removeAll { $0 === semaphore }
      state.abandoned = state.full
    }
  }

  /// Elements dropped because they were not taken in time, over all buffers.
  package var droppedCount: Int { state.withLock { $0.dropped } }

  /// Runs `body`, which replays; until it ends busy tasks are tracked.
  package func replaying<R>(_ body: () async throws -> R) async rethrows -> R {
    state.withLock { $0.replays += 1 }
    defer {
      release { state in
        state.replays -= 1
        guard state.replays == 0 else { return }
        state.busy.removeAll()
        state.stuck.removeAll()
      }
    }
    return try await body()
  }

  /// Whether no task is known to be busy with an element.
  package var isSettled: Bool { state.withLock { $0.busy.isEmpty } }

  /// Waits until every task that took an element asks for the next one, or is done.
  package func settled() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if state.busy.isEmpty { return true }
        state.waiters.append(continuation)
        state.waits += 1
        watch(&state)
        return false
      }
      if isSettled { continuation.resume() }
    }
  }

  /// Stops waiting for the tasks that are busy now.
  package func giveUpOnBusyTasks() {
    release { state in
      state.stuck.formUnion(state.busy)
      state.busy.removeAll()
    }
  }

  /// Notes that a task got an element.
  package func taskTook(_ task: TaskID) {
    state.withLock { state in
      if state.replays > 0, !state.stuck.contains(task) { state.busy.insert(task) }
    }
  }

  /// Notes that a task waits for an element.
  package func taskWaits(_ task: TaskID) { release { _ = $0.busy.remove(task) } }

  /// Notes that the buffer of a task's last element is closed, so the task is not busy with it.
  ///
  /// The task may have ended and another one may have its ID, so nothing else is kept of it.
  package func taskLeft(_ task: TaskID) {
    release { state in
      state.busy.remove(task)
      state.stuck.remove(task)
    }
  }

  /// Notes that a buffer became more than half full.
  package func bufferFilled() { state.withLock { $0.full += 1 } }

  /// Notes that a buffer is no longer more than half full.
  package func bufferDrained() {
    let threads = state.withLock { state in
      state.full -= 1
      state.abandoned = min(state.abandoned, state.full)
      guard state.full <= state.abandoned else { return [DispatchSemaphore]() }
      defer { state.threads = [] }
      return state.threads
    }
    for thread in threads { thread.signal() }
  }

  /// Counts an element that was dropped because it was not taken in time.
  package func elementDropped() { state.withLock { $0.dropped += 1 } }

  private func release(_ change: (inout State) -> Void) {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      change(&state)
      guard state.busy.isEmpty else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Starts the watchdog if it is not running.
  private func watch(_ state: inout State) {
    guard !state.isWatched else { return }
    state.isWatched = true
    let seen = state.waits
    // Tasks that are ready run before each of its steps, so on a busy machine they do not count as
    // stuck.
    Task.detached(priority: Task.currentPriority) { [weak self] in
      for _ in 0..<Self.patience { try? await Task.sleep(for: .milliseconds(10)) }
      self?.checkProgress(since: seen)
    }
  }

  private func checkProgress(since seen: Int) {
    let isStuck = state.withLock { state in
      state.isWatched = false
      guard !state.waiters.isEmpty else { return false }
      if state.waits == seen { return true }
      watch(&state)
      return false
    }
    if isStuck { giveUpOnBusyTasks() }
  }
}
