package import Session

/// A source whose devices appear while it is watched, as phones do.
package struct WatchedInlet: Sendable {
  /// Where it takes their reports, for messages and the recording.
  package let address: String
  package let inbox: ReportInbox

  package init(address: String, inbox: ReportInbox) {
    (self.address, self.inbox) = (address, inbox)
  }
}
