package import Settings

extension ReceiverSettings {
  /// The start of the topics of OwnTracks that it publishes at the broker of a source; nil for none.
  ///
  /// A source that took them would have each device once more, and those again.
  package func ownTracksRoot(at source: BrokerSettings) -> String? {
    guard case .mqtt(let settings) = channel, settings.dialects.contains(.owntracks),
      Self.machine(settings.broker.host) == Self.machine(source.host)
    else { return nil }
    return OwnTracksDialect.root(of: settings.ownTracksUser)
  }

  /// A host, whichever name of this machine it has; the ports of one broker differ by TLS.
  private static func machine(_ host: String) -> String {
    let name = host.lowercased()
    return ["127.0.0.1", "::1"].contains(name) ? "localhost" : name
  }
}
