/// Reused storage.
///
/// It is not part of the state, so all are equal.
struct Scratch<Value: Sendable>: Sendable, Hashable {
  var value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: Self, b: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
