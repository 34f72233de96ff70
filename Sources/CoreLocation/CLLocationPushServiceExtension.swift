public import Foundation

/// A program that a server wakes to request its location; never woken here.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// Answers a push; call `completion` when done.
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping () -> Void)

  /// The time for the answer is running out.
  func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
  /// Does nothing.
  public func serviceExtensionWillTerminate() {}
}
