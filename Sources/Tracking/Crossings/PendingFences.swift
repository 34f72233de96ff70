/// The fences of which it is not known on which side the device is.
struct PendingFences: Sendable, Hashable, Codable {
  /// Whether nothing is known of any fence, as of a device that has not been seen.
  private(set) var areAll: Bool
  /// Else those, ascending; often shared with other devices.
  private(set) var list: [Int]

  /// Every fence.
  static let all = PendingFences(areAll: true, list: [])

  private init(areAll: Bool, list: [Int]) {
    (self.areAll, self.list) = (areAll, list)
  }

  /// - Parameter list: ascending.
  init(_ list: [Int]) { self.init(areAll: false, list: list) }

  var isEmpty: Bool { !areAll && list.isEmpty }

  func contains(_ fence: Int) -> Bool { areAll || list.holds(fence) }

  /// - Precondition: not all fences are fresh.
  mutating func insert(_ fence: Int) {
    list.insert(fence, at: list.start(where: { $0 > fence }))
  }
}
