internal import Geodesy
package import Tracking

/// Decides which client is told what, on the engine's time: the whole of the location services
/// without threads, clocks and files.
///
/// Fixes, the passing of time and what clients ask for go in; letters to clients come out, in the
/// order in which they are to be delivered. The same calls give the same letters.
package struct ServiceCore: Sendable {
  package let profile: Profile
  /// Engine time: the newest that a fix or ``advance(to:)`` said; nil before.
  package internal(set) var now: Timestamp?
  /// What the program may know.
  package internal(set) var grant: Grant
  /// Whether location services are off for the whole machine (the grant says denied then).
  package var isServiceOff = false
  /// Whether a prompt is up.
  package var isRequestInProgress = false {
    didSet { if isRequestInProgress != oldValue { diagnose() } }
  }
  /// Whether the program must hold a session and does not.
  package var isSessionMissing = false {
    didSet { if isSessionMissing != oldValue { diagnose() } }
  }
  /// Whether what is to last between launches cannot be kept; monitors say so (8.7).
  package var isPersistenceUnavailable = false {
    didSet { if isPersistenceUnavailable != oldValue { diagnoseMonitors() } }
  }
  /// Whether nobody uses the program just now.
  package var isInBackground = false {
    didSet { if isInBackground != oldValue { useChanged() } }
  }
  /// Whether a session is held that lets it go on in the background.
  package var isHeldActive = false {
    didSet { if isHeldActive != oldValue { useChanged() } }
  }
  /// Locations and events that were not told because the program was in the background.
  package internal(set) var withheld = 0

  var tracker: Tracker
  /// In the order of their numbers.
  ///
  /// To copy one costs more than most of what is asked of it, and every fix goes through all: so they
  /// are looked at where they lie, by index.
  var clients: [Client] = []
  var letters: [Letter] = []
  var events: [Event] = []
  var regions: [MonitoredRegion] = []
  var monitors: [String: MonitorState] = [:]
  var hasVisits = false
  var stay: Stay?
  var significant = SignificantUpdates()
  var last: Report?
  var coarsener = Coarsener()
  var coarse: Report?
  var history = History()
  var isAvailable = true
  /// One for every activity by which a client may be left alone.
  var rests: [Activity: RestWatch] = [:]
  /// A doubtful fix that waits for the next one.
  var waiting: Report?
  var areRulesCurrent = true
  var isTraceNew = false
  /// Whether the time is that of the system's clock, as no fix has come since a source began.
  var isClockGuessed = false
  /// Whether significant changes were followed by an earlier launch, and this one has not said yet
  /// whether it does.
  var followedSignificantChanges = false
  private var nextClient = 1

  /// A core that has seen nothing.
  package init(profile: Profile = .precise, grant: Grant = Grant()) {
    self.profile = profile
    self.grant = grant
    tracker = Tracker(rules: Rules())
  }

  // MARK: Clients

  /// Adds a client; a manager is told of its permission, a stream of what is known.
  package mutating func add(_ kind: ClientKind) -> ClientID {
    let id = ClientID(nextClient)
    nextClient += 1
    clients.append(Client(id: id, kind: kind))
    clientsChanged()
    switch kind {
    case .manager: send(.authorization, to: id)
    case .stream: beginStream(clients.count - 1)
    case .monitor(let name): beginIterating(name, id)
    case .observer: greet(clients.count - 1)
    }
    return id
  }

  /// Forgets a client; nothing is told to it any more.
  package mutating func remove(_ id: ClientID) {
    guard let index = index(of: id) else { return }
    let client = clients.remove(at: index)
    letters.removeAll { $0.to == id }
    if case .monitor(let name) = client.kind { endIterating(name) }
    if client.followsSignificantChanges { significantClientsChanged() }
    clientsChanged()
  }

  /// How a manager wants its locations.
  package subscript(settings id: ClientID) -> UpdateSettings {
    get { index(of: id).map { clients[$0].settings } ?? UpdateSettings() }
    set {
      guard let index = index(of: id) else { return }
      let allowed = clients[index].settings.allowsBackground
      clients[index].settings = newValue
      if !allowed, newValue.allowsBackground { tellWithheld() }
      clientsChanged()
    }
  }

  /// Clients have ascending numbers.
  func index(of id: ClientID) -> Int? {
    var (low, high) = (0, clients.count)
    while low < high {
      let middle = (low + high) / 2
      if clients[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < clients.count && clients[low].id == id ? low : nil
  }

  /// Whether anybody is there for whom fixes are needed.
  package var needsSource: Bool {
    guard grant.isAuthorized else { return false }
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

  // MARK: Letters

  /// What is to be delivered since this was asked last.
  package mutating func takeLetters() -> [Letter] {
    guard !letters.isEmpty else { return [] }
    defer { letters = [] }
    return letters
  }

  mutating func send(_ notice: Notice, to id: ClientID) {
    letters.append(Letter(to: id, notice))
  }

  /// Every manager is told, whichever asked.
  mutating func sendToManagers(_ notice: Notice) {
    for index in clients.indices where clients[index].isManager {
      send(notice, to: clients[index].id)
    }
  }
}
