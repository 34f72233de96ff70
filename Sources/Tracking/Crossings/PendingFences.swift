/// The fences for which the side of the device is unknown.
struct PendingFences: Sendable, Hashable, Codable {
  /// Whether no fence is resolved, as for a device without a fix.
  private(set) var areAll: Bool
  /// Otherwise the unresolved ones, ascending; often shared with other devices.
  private(set) var list: [Int]

  /// Every fence.
  static let all = PendingFences(areAll: true, list: [])

  private init(areAll: Bool, list: [Int]) {
    (self.areAll, self.list) = (areAll, list)
  }

  /// - Parameter list: ascending.
  init(_ list: [Int]) { self.init(areAll: false, list: list) }

  /// Whether the side of every fence is known.
  var isEmpty: Bool { !areAll && list.isEmpty }

  /// Whether the side of a fence is unknown.
  ///
  /// - Complexity: O(log n) for n pending fences.
  func contains(_ fence: Int) -> Bool { areAll || list.holds(fence) }

  /// - Precondition: not all fences are pending.
  mutating func insert(_ fence: Int) {
    list.insert(fence, at: list.start(where: { $0 > fence }))
  }
}
