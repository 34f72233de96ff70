/// Storage that is kept only to be used again.
///
/// It is no part of a state: all are alike.
struct Scratch<Value: Sendable>: Sendable, Hashable {
  var value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: Self, b: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
