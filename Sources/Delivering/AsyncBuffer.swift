internal import Locking

/// The buffer of an asynchronous sequence: any thread puts elements in, tasks take them out.
///
/// Putting in never waits and never calls client code. It holds ``capacity`` elements; after that each
/// new one replaces the oldest, which is counted. A source that can wait, such as a recording, checks
/// ``Backpressure`` first.
package final class AsyncBuffer<Element: Sendable>: Sendable {
  private struct WaitingTask {
    let ticket: Int
    let task: TaskID
    let continuation: CheckedContinuation<Element?, Never>
  }

  private struct State {
    var elements = Queue<Element>()
    var waiters = Queue<WaitingTask>()
    var tickets = 0
    var isFinished = false
    var dropped = 0
    /// The task that got the last element.
    var taker: TaskID?
  }

  /// The default capacity, the same as that of a manager's queue.
  package static var defaultCapacity: Int { 10_000 }

  package let capacity: Int
  private let backpressure: Backpressure?
  private let state = Mutex(State())

  package init(capacity: Int = defaultCapacity, backpressure: Backpressure? = nil) {
    self.capacity = max(1, capacity)
    self.backpressure = backpressure
  }

  deinit { close() }

  /// Elements that are waiting to be taken.
  package var count: Int { state.withLock { $0.elements.count } }

  /// Tasks that are waiting for an element.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Elements dropped because they were not taken in time.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Puts an element in; does nothing once finished.
  package func put(_ element: Element) {
    let woken: WaitingTask? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if let waiter = state.waiters.popFirst() {
        // While the lock is held: the task counts as busy before it can ask for the next element.
        backpressure?.taskTook(waiter.task)
        state.taker = waiter.task
        return waiter
      }
      if state.elements.count == capacity {
        _ = state.elements.popFirst()
        state.dropped += 1
        backpressure?.elementDropped()
      } else if state.elements.count == capacity / 2 {
        backpressure?.bufferFilled()
      }
      state.elements.append(element)
      return nil
    }
    woken?.continuation.resume(returning: element)
  }

  /// The oldest element, as soon as there is one.
  ///
  /// Several tasks may wait; each element goes to the one that has waited longest. Returns nil when
  /// the calling task is cancelled, or when the buffer is finished and empty.
  package func next() async -> Element? {
    if Task.isCancelled { return nil }
    let task = TaskID.current
    let taken = state.withLock { state in
      let element = pop(&state)
      if element != nil { state.taker = task }
      return element
    }
    if let taken {
      backpressure?.taskTook(task)
      return taken
    }
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(with: $0, ticket: ticket) }
    } onCancel: {
      giveUp(ticket)
    }
  }

  /// The oldest element, if there is one.
  package func take() -> Element? { state.withLock { pop(&$0) } }

  /// Ends the sequence: the elements in it can still be taken, further ones are ignored.
  package func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = Queue() }
      return state.waiters
    }
    for waiter in waiters.elements { waiter.continuation.resume(returning: nil) }
  }

  /// Ends the sequence and drops its elements: no task will take them.
  package func close() {
    finish()
    let taker = state.withLock { state in
      if state.elements.count > capacity / 2 { backpressure?.bufferDrained() }
      state.elements = Queue()
      defer { state.taker = nil }
      return state.taker
    }
    if let taker { backpressure?.taskLeft(taker) }
  }

  private func pop(_ state: inout State) -> Element? {
    guard let element = state.elements.popFirst() else { return nil }
    if state.elements.count == capacity / 2 { backpressure?.bufferDrained() }
    return element
  }

  private func wait(with continuation: CheckedContinuation<Element?, Never>, ticket: Int) {
    let task = TaskID.current
    let element: Element?? = state.withLock { state in
      if let element = pop(&state) {
        state.taker = task
        return element
      }
      // A cancellation before this line is seen here; a later one finds the waiting task.
      if state.isFinished || Task.isCancelled { return .some(nil) }
      state.waiters.append(WaitingTask(ticket: ticket, task: task, continuation: continuation))
      backpressure?.taskWaits(task)
      return nil
    }
    if let element { continuation.resume(returning: element) }
  }

  private func giveUp(_ ticket: Int) {
    let waiter = state.withLock { $0.waiters.removeFirst { $0.ticket == ticket } }
    waiter?.continuation.resume(returning: nil)
  }
}
