internal import Geodesy
internal import Traces
package import Tracking

/// Decides which client receives what, on the engine's time: the location services without threads,
/// clocks and files.
///
/// Fixes, times and requests of clients go in; notices for clients come out, in the order of delivery.
/// The same calls give the same notices.
package struct ServiceCore: Sendable {
  package let profile: Profile
  /// Engine time: the latest time of a fix or of ``advance(to:)``; nil before the first.
  package internal(set) var now: Timestamp?
  /// What the program may know.
  package internal(set) var grant: Authorization
  /// Whether location services are off for the whole machine (the status is denied then).
  package var isServiceOff = false
  /// Whether a prompt is shown.
  package var isRequestInProgress = false {
    didSet { if isRequestInProgress != oldValue { diagnose() } }
  }
  /// Whether the program must hold a session and does not.
  package var isSessionMissing = false {
    didSet { if isSessionMissing != oldValue { diagnose() } }
  }
  /// Whether the state cannot be saved; monitors report it (8.7).
  package var isPersistenceUnavailable = false {
    didSet { if isPersistenceUnavailable != oldValue { diagnoseMonitors() } }
  }
  /// Whether the program is in the background.
  package var isInBackground = false {
    didSet { if isInBackground != oldValue { useChanged() } }
  }
  /// Whether a session is held that lets it continue in the background.
  package var isHeldActive = false {
    didSet { if isHeldActive != oldValue { useChanged() } }
  }
  /// Whether updates of a manager were paused, which a program may not expect.
  package internal(set) var hasPaused = false
  /// Locations and events that were not delivered because the program was in the background.
  package internal(set) var withheld = 0

  var tracker: Tracker
  /// In the order of their numbers.
  ///
  /// A copy of a client costs more than most operations on it, and every fix visits all of them, so
  /// they are accessed in place, by index.
  var clients: [Client] = []
  var notices: [AddressedNotice] = []
  var events: [Event] = []
  var regions: [MonitoredRegion] = []
  var monitors: [String: MonitorState] = [:]
  var hasVisits = false
  var stay: Stay?
  var significant = SignificantUpdates()
  var last: Location?
  var coarsener = Coarsener()
  var coarse: Location?
  var history = History()
  var isAvailable = true
  /// One for every activity of clients whose updates may pause.
  var rests: [Activity: RestDetector] = [:]
  /// A fix that the next one must confirm.
  var waiting: Location?
  var areRulesCurrent = true
  var isTraceNew = false
  /// Whether the time is that of the system's clock, because no fix has come since a source started.
  var isClockGuessed = false
  /// Whether an earlier launch followed significant changes, and this one has neither started nor
  /// stopped them.
  var followedSignificantChanges = false
  /// The last heading of the source.
  var heading: Heading?
  /// Apart from the clients, which every fix visits: few managers want headings.
  var headings: [ClientID: HeadingUpdates] = [:]
  /// Fixes before the first heading.
  var fixesWithoutHeading = 0
  private var nextClient = 1

  /// A core in its initial state.
  package init(profile: Profile = .precise, grant: Authorization = Authorization()) {
    self.profile = profile
    self.grant = grant
    tracker = Tracker(rules: Rules())
  }

  // MARK: Clients

  /// Adds a client; a manager receives its authorization, a stream the last known location.
  package mutating func add(_ kind: ClientKind) -> ClientID {
    let id = ClientID(nextClient)
    nextClient += 1
    clients.append(Client(id: id, kind: kind))
    clientsChanged()
    switch kind {
    case .manager: send(.authorization, to: id)
    case .stream: beginStream(clients.count - 1)
    case .monitor(let name): beginIterating(name, id)
    case .observer: sendInitialState(clients.count - 1)
    }
    return id
  }

  /// Removes a client, and all notices for it.
  package mutating func remove(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    let client = clients.remove(at: index)
    notices.removeAll { $0.to == id }
    headings[id] = nil
    if case .monitor(let name) = client.kind { endIterating(name) }
    if client.followsSignificantChanges { significantClientsChanged() }
    clientsChanged()
  }

  /// The settings of a manager.
  package subscript(settings id: ClientID) -> UpdateSettings {
    get { index(of: id).map { clients[$0].settings } ?? UpdateSettings() }
    set {
      guard let index = index(of: id) else { return }
      let allowed = clients[index].settings.allowsBackground
      clients[index].settings = newValue
      if !allowed, newValue.allowsBackground { deliverWithheld() }
      clientsChanged()
    }
  }

  /// The index of a client, by binary search: clients have ascending numbers.
  func index(of id: ClientID) -> Int? {
    var (low, high) = (0, clients.count)
    while low < high {
      let middle = (low + high) / 2
      if clients[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < clients.count && clients[low].id == id ? low : nil
  }

  /// Whether any client needs fixes.
  package var needsSource: Bool {
    guard grant.isAuthorized else { return needsCompassAlone }
    if isHeadingWanted { return true }
    let hasPlaces = hasVisits || !regions.isEmpty
    return clients.indices.contains { index in
      switch clients[index].kind {
      case .manager:
        hasPlaces || clients[index].request != nil || clients[index].wantsSignificantChanges
          || clients[index].standard?.isPaused == false
      case .stream, .observer: true
      case .monitor(let name): monitors[name]?.records.isEmpty == false
      }
    }
  }

  // MARK: Notices

  /// The notices since the last call.
  package mutating func takeNotices() -> [AddressedNotice] {
    guard !notices.isEmpty else { return [] }
    defer { notices = [] }
    return notices
  }

  mutating func send(_ notice: Notice, to id: ClientID) {
    notices.append(AddressedNotice(to: id, notice))
  }

  /// Sends a notice to every manager, whichever made the request.
  mutating func sendToManagers(_ notice: Notice) {
    for index in clients.indices where clients[index].isManager {
      send(notice, to: clients[index].id)
    }
  }
}
