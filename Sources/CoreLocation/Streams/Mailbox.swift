internal import Locking

/// What somebody is told and has not taken yet: any thread puts elements in, tasks take them out.
///
/// This is the one buffer behind every asynchronous sequence. Putting in never waits and never calls
/// out. It holds ``capacity`` elements; then the oldest goes for a new one, and is counted. A source
/// that can wait, such as a recording, asks ``Backpressure`` first.
final class Mailbox<Element: Sendable>: Sendable {
  private struct Waiter {
    let ticket: Int
    let task: TaskName
    let continuation: CheckedContinuation<Element?, Never>
  }

  private struct State {
    var elements = Queue<Element>()
    var waiters = Queue<Waiter>()
    var tickets = 0
    var isFinished = false
    var dropped = 0
    /// The task that was given the last element.
    var taker: TaskName?
  }

  /// Elements that are kept by default: as many as a manager's inbox keeps.
  static var usualCapacity: Int { 10_000 }

  let capacity: Int
  private let backpressure: Backpressure?
  private let state = Mutex(State())

  init(capacity: Int = usualCapacity, backpressure: Backpressure? = nil) {
    self.capacity = max(1, capacity)
    self.backpressure = backpressure
  }

  deinit { close() }

  /// Elements that nobody has taken.
  var count: Int { state.withLock { $0.elements.count } }

  /// Tasks that wait for an element.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// Elements that went because nobody took them in time.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Puts an element in; does nothing once finished.
  func put(_ element: Element) {
    let woken: Waiter? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if let waiter = state.waiters.popFirst() {
        // While the lock is held: the task is away for the source before it can be back.
        backpressure?.took(waiter.task)
        state.taker = waiter.task
        return waiter
      }
      if state.elements.count == capacity {
        _ = state.elements.popFirst()
        state.dropped += 1
        backpressure?.lost()
      } else if state.elements.count == capacity / 2 {
        backpressure?.filled()
      }
      state.elements.append(element)
      return nil
    }
    woken?.continuation.resume(returning: element)
  }

  /// The oldest element, as soon as there is one.
  ///
  /// Several tasks may wait; each element goes to the one that has waited longest. Nil when the
  /// calling task is cancelled, or when the mailbox is finished and empty.
  func next() async -> Element? {
    if Task.isCancelled { return nil }
    let task = TaskName.current
    let taken = state.withLock { state in
      let element = pop(&state)
      if element != nil { state.taker = task }
      return element
    }
    if let taken {
      backpressure?.took(task)
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
  func take() -> Element? { state.withLock { pop(&$0) } }

  /// Ends the mailbox: what is in it can still be taken, nothing more comes.
  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = Queue() }
      return state.waiters
    }
    for waiter in waiters.elements { waiter.continuation.resume(returning: nil) }
  }

  /// Ends the mailbox and drops what is in it: nobody is there to take it.
  func close() {
    finish()
    let taker = state.withLock { state in
      if state.elements.count > capacity / 2 { backpressure?.drained() }
      state.elements = Queue()
      defer { state.taker = nil }
      return state.taker
    }
    if let taker { backpressure?.left(taker) }
  }

  private func pop(_ state: inout State) -> Element? {
    guard let element = state.elements.popFirst() else { return nil }
    if state.elements.count == capacity / 2 { backpressure?.drained() }
    return element
  }

  private func wait(with continuation: CheckedContinuation<Element?, Never>, ticket: Int) {
    let task = TaskName.current
    let element: Element?? = state.withLock { state in
      if let element = pop(&state) {
        state.taker = task
        return element
      }
      // A cancellation before this line is seen here; one after it finds the waiter.
      if state.isFinished || Task.isCancelled { return .some(nil) }
      state.waiters.append(Waiter(ticket: ticket, task: task, continuation: continuation))
      backpressure?.rests(task)
      return nil
    }
    if let element { continuation.resume(returning: element) }
  }

  private func giveUp(_ ticket: Int) {
    let waiter = state.withLock { $0.waiters.removeFirst { $0.ticket == ticket } }
    waiter?.continuation.resume(returning: nil)
  }
}
