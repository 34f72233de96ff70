package import Traces
internal import Tracking

extension ServiceCore {
  /// So many fixes in a row without a heading show that the source has no compass.
  package static let fixesWithoutCompass = 30
  /// The oldest heading that is still the current one, seconds.
  private static let currentAge = 5.0

  /// Whether the source may have a compass: it has reported a heading, or too few fixes to know.
  package var mayHaveCompass: Bool {
    heading != nil || fixesWithoutHeading < Self.fixesWithoutCompass
  }

  /// Whether a manager waits for headings that do not come.
  package var lacksHeadings: Bool { isHeadingWanted && !mayHaveCompass }

  /// The last heading delivered to a manager; nil before the first.
  package func heading(of id: ClientID) -> Heading? { headings[id]?.last }

  /// Whether any manager wants headings.
  var isHeadingWanted: Bool { headings.contains { $1.isRunning } }

  /// Whether headings need the source, though the program has no permission for locations.
  ///
  /// As long as nothing is decided, a program that also waits for locations waits with them: a recording
  /// must not be over before it may have them.
  var needsCompassAlone: Bool {
    guard isHeadingWanted, !isServiceOff else { return false }
    guard grant.status == .notDetermined else { return true }
    return !isRequestInProgress && !hasVisits && regions.isEmpty
      && clients.allSatisfy { client in
        client.isManager && client.request == nil && client.standard == nil
          && !client.wantsSignificantChanges
      }
  }

  // MARK: Requests

  /// Starts headings: the current one comes first, if the source reports headings already.
  ///
  /// No effect while they run.
  package mutating func startHeadings(_ id: ClientID) {
    guard let index = index(of: id), headings[id]?.isRunning != true else { return }
    let wasRunning = needsSource
    headings[id, default: HeadingUpdates()].isRunning = true
    headings[id]?.awaitsFirst = true
    guard wasRunning, let heading, let time = heading.time, let now,
      abs(now.seconds(since: time)) <= Self.currentAge
    else { return }
    offer(heading, to: index)
  }

  /// Stops headings.
  package mutating func stopHeadings(_ id: ClientID) {
    headings[id]?.isRunning = false
    notices.removeAll { notice in
      guard notice.to == id, case .heading = notice.notice else { return false }
      return true
    }
  }

  // MARK: The compass

  /// Takes a heading of the source.
  package mutating func take(_ heading: Heading) {
    var heading = heading
    heading.time = heading.time ?? now
    self.heading = heading
    offerHeading()
  }

  /// Another recording starts, whose device may have another compass, or none.
  mutating func forgetCompass() {
    heading = nil
    fixesWithoutHeading = 0
  }

  /// Offers the last heading to all managers; it does not pass the filter of one that has it.
  mutating func offerHeading() {
    guard let heading, !headings.isEmpty else { return }
    for index in clients.indices { offer(heading, to: index) }
  }

  private mutating func offer(_ heading: Heading, to index: Int) {
    let id = clients[index].id
    guard headings[id]?.isRunning == true, !isServiceOff,
      !isInBackground || mayDeliver(index)
    else { return }
    let settings = clients[index].settings
    var turned = heading.turned(by: settings.headingOffset)
    if !grant.isAuthorized {
      // With both norths a program could compute the variation, and from that about where it is.
      turned.geographic = nil
      guard turned.magnetic != nil else { return }
    }
    if headings[id]?.takes(turned, filter: settings.headingFilter) == true {
      send(.heading(turned), to: id)
    }
  }
}
