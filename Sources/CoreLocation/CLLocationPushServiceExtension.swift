public import Foundation

/// What a program is that a server wakes to ask for its place; nobody wakes it here.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// Answers a push; call `completion` when done.
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping () -> Void)

  /// Tells that time is running out.
  func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
  /// Does nothing.
  public func serviceExtensionWillTerminate() {}
}
