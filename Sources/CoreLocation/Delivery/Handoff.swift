/// Something that moves to the thread of a manager, where it is used.
///
/// Unchecked, as it is not used on both sides: a client's closure is called once, where the client
/// made the manager, and nobody else calls it; an object is a copy that only its maker knows of, or
/// one that cannot change.
struct Handoff<Content>: @unchecked Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}

extension Handoff where Content: CLRegion {
  /// A region with the same values as `region`, which its owner may go on to change.
  init(twinOf region: Content) {
    let twin = region.twin() as? Content ?? region
    twin.notifyOnEntry = region.notifyOnEntry
    twin.notifyOnExit = region.notifyOnExit
    self.init(twin)
  }
}
