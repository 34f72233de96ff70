/// A value that moves to the thread of a manager and is used there only.
///
/// Unchecked, because no two threads use it: a client's closure is called once, on the thread where
/// the client made the manager; an object is a private copy, or immutable.
package struct UncheckedTransfer<Content>: @unchecked Sendable {
  package let content: Content

  package init(_ content: Content) { self.content = content }
}
