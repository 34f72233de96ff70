/// A value that moves to the thread of a manager and is used there only.
///
/// Unchecked, because no two threads use it: a client's closure is called once, on the thread where
/// the client made the manager; an object is a private copy, or immutable.
struct UncheckedTransfer<Content>: @unchecked Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}

extension UncheckedTransfer where Content: CLRegion {
  /// A copy of `region`, which its owner may change afterwards.
  init(copyOf region: Content) {
    let copy = region.copyWithDefaults() as? Content ?? region
    copy.notifyOnEntry = region.notifyOnEntry
    copy.notifyOnExit = region.notifyOnExit
    self.init(copy)
  }
}
