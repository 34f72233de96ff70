internal import Locking
package import Tracking

/// The fences of a run, which change when its config is reloaded.
///
/// Any thread may use it.
package final class CurrentFences: Sendable {
  private let state: Mutex<(set: FenceSet, changes: Int)>

  package init(_ set: FenceSet) { state = Mutex((set, 0)) }

  /// Replaces the fences.
  package func replace(with set: FenceSet) {
    state.withLock { $0 = (set, $0.changes + 1) }
  }

  /// The fences, and how often they changed.
  var current: (set: FenceSet, changes: Int) { state.withLock { $0 } }
}
