import Foundation
import Synchronization

/// Counters of the whole crowd.
final class Meter: Sendable {
  let plan: Plan
  private let callbackCount = Atomic(0)
  private let completeCount = Atomic(0)
  private let visitorCount = Atomic(0)
  private let tenth = Atomic(0)

  init(_ plan: Plan) { self.plan = plan }

  /// Delegate calls so far.
  var callbacks: Int { callbackCount.load(ordering: .relaxed) }
  /// Passers-by so far.
  var visitors: Int { visitorCount.load(ordering: .relaxed) }
  /// Whether every listener has received the last fix.
  var isComplete: Bool { completeCount.load(ordering: .acquiring) >= plan.managers }
  /// Peak memory until a listener had received a tenth of the fixes, kB; 0 before that.
  var memoryAtTenth: Int { tenth.load(ordering: .relaxed) }

  func noteCall() { callbackCount.add(1, ordering: .relaxed) }
  func noteVisitor() { visitorCount.add(1, ordering: .relaxed) }
  func noteComplete() { completeCount.add(1, ordering: .releasing) }

  /// Counts the fixes that a listener has received.
  func note(_ fixes: Int) {
    guard fixes >= plan.fixes / 10, memoryAtTenth == 0 else { return }
    _ = tenth.compareExchange(expected: 0, desired: Self.peakMemory, ordering: .relaxed)
  }

  /// Peak memory of the process, VmHWM of proc(5), kB.
  static var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
