internal import Dispatch
internal import Foundation

/// Where the delegate of a manager is called: where the manager was made (1.1).
package enum DeliveryTarget: Sendable {
  /// The main queue. It also runs with the run loop of the main thread, and in a program whose main
  /// function is asynchronous.
  case main
  /// The run loop of another thread; nothing arrives while the thread does not run it.
  case runLoop(RunLoopScheduler)
  /// The thread that plays fixes through the service, at once and in order.
  case service(IsolatedScheduler)

  /// The target for an object made on this thread.
  package static var here: DeliveryTarget {
    isMain ? .main : .runLoop(.ofThread)
  }

  /// Whether the current thread may deliver to this target.
  package var isHere: Bool {
    switch self {
    case .main: Self.isMain
    case .runLoop(let scheduler): scheduler.isOfThread
    case .service: false
    }
  }

  /// Schedules the delivery of a manager's queue on this target.
  package func schedule(_ queue: any ScheduledQueue) {
    switch self {
    case .main: RunLoopScheduler.ofMain.add(queue)
    case .runLoop(let scheduler): scheduler.add(queue)
    case .service(let scheduler): scheduler.add(queue)
    }
  }

  /// Whether every entry of a queue is scheduled separately, which keeps the order of entries across
  /// several queues.
  package var schedulesEach: Bool {
    if case .service = self { true } else { false }
  }

  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// In a program with an asynchronous main function the main queue may run on another thread.
  private static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) == true
  }
}
