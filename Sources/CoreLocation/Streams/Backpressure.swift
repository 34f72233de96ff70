internal import Dispatch
internal import Locking

/// How far the consumers of one service's streams are behind, so that a recording can wait for them.
///
/// Two things are known: whether a mailbox is more than half full; and, during a replay, which tasks
/// took an element and have not come back to wait for the next one. A replay that waits for the second
/// after every fix shows its consumers what they would see in real time, in every run.
///
/// A task that has taken nothing since the replay began is not waited for: it may be the one that
/// replays, and take what it was told afterwards.
final class Backpressure: Sendable {
  private struct State {
    var replays = 0
    /// Mailboxes that are more than half full.
    var full = 0
    /// So many of them are not waited for any more.
    var abandoned = 0
    /// Threads that wait for room.
    var threads: [DispatchSemaphore] = []
    /// Tasks that took an element and are at work on it.
    var away: Set<TaskName> = []
    /// Tasks that are not waited for any more in this replay.
    var stuck: Set<TaskName> = []
    var dropped = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// How many waits there were, by which the watchdog sees that one goes on.
    var waits = 0
    var isWatched = false
  }

  /// Turns of 10 ms for which a task at work is waited for.
  ///
  /// It may itself wait for what only the recording's next fixes bring, in a way that cannot be seen
  /// from here; then the recording goes on without it.
  private static let patience = 200
  /// Seconds of real time for which is waited for room, as for that of a manager.
  private static let longPatience = 5.0

  private let state = Mutex(State())

  /// Whether a source should go on: no mailbox is more than half full.
  var hasRoom: Bool { state.withLock { $0.full <= $0.abandoned } }

  /// Holds a recording's thread while a mailbox is more than half full, unless nothing is taken for
  /// long: a task may never ask again, and others wait for the same source.
  func waitForRoom() {
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

  /// Elements that went because nobody took them in time, of all mailboxes.
  var droppedCount: Int { state.withLock { $0.dropped } }

  /// Lets `body` replay: until it ends, it is known who is at work.
  func replaying<R>(_ body: () async throws -> R) async rethrows -> R {
    state.withLock { $0.replays += 1 }
    defer {
      release { state in
        state.replays -= 1
        guard state.replays == 0 else { return }
        state.away.removeAll()
        state.stuck.removeAll()
      }
    }
    return try await body()
  }

  /// Whether no task is known to be at work on what it took.
  var isSettled: Bool { state.withLock { $0.away.isEmpty } }

  /// Waits until every task that took something asks for more, or is done.
  func settled() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if state.away.isEmpty { return true }
        state.waiters.append(continuation)
        state.waits += 1
        watch(&state)
        return false
      }
      if isSettled { continuation.resume() }
    }
  }

  /// Goes on without the tasks that are at work now.
  func goOn() {
    release { state in
      state.stuck.formUnion(state.away)
      state.away.removeAll()
    }
  }

  /// A task got an element and is at work on it.
  func took(_ task: TaskName) {
    state.withLock { state in
      if state.replays > 0, !state.stuck.contains(task) { state.away.insert(task) }
    }
  }

  /// A task waits for an element, or wants no more.
  func rests(_ task: TaskName) { release { _ = $0.away.remove(task) } }

  /// What a task took its last element from has gone: it is not at work on that any more.
  ///
  /// It may have ended, and its name may belong to another task, for which nothing is known yet.
  func left(_ task: TaskName) {
    release { state in
      state.away.remove(task)
      state.stuck.remove(task)
    }
  }

  /// A mailbox is more than half full.
  func filled() { state.withLock { $0.full += 1 } }

  /// A mailbox is no longer more than half full.
  func drained() {
    let threads = state.withLock { state in
      state.full -= 1
      state.abandoned = min(state.abandoned, state.full)
      guard state.full <= state.abandoned else { return [DispatchSemaphore]() }
      defer { state.threads = [] }
      return state.threads
    }
    for thread in threads { thread.signal() }
  }

  /// An element went because nobody took it in time.
  func lost() { state.withLock { $0.dropped += 1 } }

  private func release(_ change: (inout State) -> Void) {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      change(&state)
      guard state.away.isEmpty else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// One timer at a time, however often is waited.
  private func watch(_ state: inout State) {
    guard !state.isWatched else { return }
    state.isWatched = true
    let seen = state.waits
    // Its turns come after those of tasks that are ready, so that on a busy machine these are not
    // taken for stuck.
    Task.detached(priority: Task.currentPriority) { [weak self] in
      for _ in 0..<Self.patience { try? await Task.sleep(for: .milliseconds(10)) }
      self?.look(since: seen)
    }
  }

  private func look(since seen: Int) {
    let isStuck = state.withLock { state in
      state.isWatched = false
      guard !state.waiters.isEmpty else { return false }
      if state.waits == seen { return true }
      watch(&state)
      return false
    }
    if isStuck { goOn() }
  }
}
