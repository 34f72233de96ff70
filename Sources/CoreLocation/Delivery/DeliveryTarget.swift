internal import Dispatch
internal import Foundation

/// Where a manager's delegate is called: where the manager was made (1.1).
enum DeliveryTarget: Sendable {
  /// The main queue, which also runs when the main thread runs its run loop, and in a program whose
  /// main function is asynchronous.
  case main
  /// The run loop of another thread; where nobody runs it nothing arrives.
  case runLoop(LoopDeliveries)
  /// Whoever plays something through the service, at once and in order.
  case service(DeliveryQueue)

  /// The target for something that is made here and now.
  static var here: DeliveryTarget {
    isMain ? .main : .runLoop(.ofThread)
  }

  /// Whether this code may call what is delivered there.
  var isHere: Bool {
    switch self {
    case .main: Self.isMain
    case .runLoop(let deliveries): deliveries.isOfThread
    case .service: false
    }
  }

  /// Has the inbox emptied there, soon.
  func schedule(_ inbox: Inbox) {
    switch self {
    case .main: LoopDeliveries.ofMain.add(inbox)
    case .runLoop(let deliveries): deliveries.add(inbox)
    case .service(let queue): queue.add(inbox)
    }
  }

  /// Whether every new entry of an inbox is scheduled by itself, so that several inboxes are
  /// delivered in the order of their entries.
  var schedulesEach: Bool {
    if case .service = self { true } else { false }
  }

  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// In a program whose main function is asynchronous the main queue runs on another thread.
  private static var isMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }
}
