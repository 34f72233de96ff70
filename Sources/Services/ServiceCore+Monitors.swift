internal import Geodesy
internal import Tracking

/// The conditions of one monitor.
struct MonitorState: Sendable {
  var records: [ConditionRecord] = []
  /// The last state sent of each condition, which the program may not have received yet.
  var sent: [String: ConditionState] = [:]
  /// Conditions that cannot be monitored, and why.
  var faults: [String: Diagnosis] = [:]
  /// The last diagnosis sent of each condition.
  var diagnosed: [String: Diagnosis] = [:]
  var isIterated = false
  /// Counts the iterations over its events.
  ///
  /// For each one the engine reports all states again, because those of an earlier iteration may not
  /// have been received.
  var iteration = 0
  /// How often a condition was added, by identifier: when one is added again, even the same circle, the
  /// engine reports its state again.
  var additions: [String: Int] = [:]

  /// Forgets what was sent and not received.
  mutating func forgetSent() {
    sent = Dictionary(uniqueKeysWithValues: records.map { ($0.identifier, $0.state) })
  }
}

extension ServiceCore {
  /// Adds a condition; it replaces one with the same identifier.
  ///
  /// It is monitored while there is an iteration over the monitor's events.
  package mutating func addCondition(
    _ condition: Condition, identifier: String, of monitor: String,
    assuming state: ConditionState = .unknown
  ) {
    var conditions = monitors[monitor] ?? MonitorState()
    conditions.records.removeAll { $0.identifier == identifier }
    conditions.faults[identifier] = fault(of: condition)
    conditions.records.append(
      ConditionRecord(
        identifier: identifier, condition: condition, state: state, time: now ?? .distantPast))
    conditions.sent[identifier] = state
    conditions.diagnosed[identifier] = nil
    conditions.additions[identifier, default: 0] += 1
    monitors[monitor] = conditions
    areRulesCurrent = false
    if conditions.isIterated { diagnose(identifier, of: monitor) }
  }

  /// Removes a condition.
  package mutating func removeCondition(_ identifier: String, of monitor: String) {
    monitors[monitor]?.records.removeAll { $0.identifier == identifier }
    monitors[monitor]?.faults[identifier] = nil
    monitors[monitor]?.sent[identifier] = nil
    areRulesCurrent = false
  }

  /// The conditions of a monitor, in the order in which they were added.
  package func conditions(of monitor: String) -> [ConditionRecord] {
    monitors[monitor]?.records ?? []
  }

  /// The program received an event, which is the last one of its condition from now on.
  package mutating func handled(_ event: ConditionEvent, of monitor: String) {
    guard
      let place = monitors[monitor]?.records.firstIndex(where: {
        $0.identifier == event.identifier
      })
    else { return }
    monitors[monitor]?.records[place].state = event.state
    monitors[monitor]?.records[place].time = event.time
  }

  mutating func beginIterating(_ monitor: String, _ id: ClientID) {
    var conditions = monitors[monitor] ?? MonitorState()
    if !conditions.isIterated {
      conditions.iteration += 1
      conditions.forgetSent()
    }
    conditions.isIterated = true
    conditions.diagnosed = [:]
    monitors[monitor] = conditions
    areRulesCurrent = false
    for record in conditions.records { diagnose(record.identifier, of: monitor) }
  }

  mutating func endIterating(_ monitor: String) {
    guard !clients.contains(where: { $0.kind == .monitor(monitor) }) else { return }
    monitors[monitor]?.isIterated = false
    areRulesCurrent = false
  }

  /// The fences of a monitor's conditions; empty without an iteration.
  func fences(_ name: String, _ monitor: MonitorState) -> [Fence] {
    guard monitor.isIterated else { return [] }
    let spelled = MonitorName.spelled(name)
    return monitor.records.compactMap { record in
      guard monitor.faults[record.identifier] == nil,
        case .circle(let center, let radius) = record.condition
      else { return nil }
      let addition = monitor.additions[record.identifier] ?? 0
      let iteration = "\(monitor.iteration).\(addition)"
      return circle(
        "\(Self.conditionPrefix)\(spelled)/\(iteration)/\(record.identifier)", center, radius)
    }
  }

  mutating func noteCondition(_ fence: String, _ state: Containment, _ event: Event) {
    let parts = fence.dropFirst(Self.conditionPrefix.count).split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let monitor = MonitorName.name(spelled: parts[0]) else { return }
    let identifier = String(parts[2])
    let found = ConditionState(state)
    // An unknown state is not an observation.
    guard found != .unknown, let sent = monitors[monitor]?.sent[identifier], sent != found else {
      return
    }
    guard mayUpdateStreams else { return withheld += 1 }
    monitors[monitor]?.sent[identifier] = found
    send(
      ConditionEvent(identifier: identifier, state: found, time: event.time), of: monitor)
  }

  /// Sends why conditions are not monitored now to all iterations.
  mutating func diagnoseMonitors() {
    for (name, monitor) in monitors.sorted(by: { $0.key < $1.key }) where monitor.isIterated {
      for record in monitor.records { diagnose(record.identifier, of: name) }
    }
  }

  private mutating func diagnose(_ identifier: String, of monitor: String) {
    guard let conditions = monitors[monitor],
      let record = conditions.records.first(where: { $0.identifier == identifier })
    else { return }
    let fault = conditions.faults[identifier]
    var why = fault ?? diagnosis
    // A missing fix changes no condition.
    why.locationUnavailable = false
    why.persistenceUnavailable = isPersistenceUnavailable
    guard why != conditions.diagnosed[identifier] ?? Diagnosis() else { return }
    monitors[monitor]?.diagnosed[identifier] = why
    guard why != Diagnosis() else { return }
    send(
      ConditionEvent(
        identifier: identifier, state: fault == nil ? record.state : .unmonitored,
        time: now ?? record.time, diagnosis: why),
      of: monitor)
  }

  private mutating func send(_ event: ConditionEvent, of monitor: String) {
    for client in clients where client.kind == .monitor(monitor) {
      send(.condition(event), to: client.id)
    }
  }

  private func fault(of condition: Condition) -> Diagnosis? {
    var fault = Diagnosis()
    let count = monitors.values.reduce(0) { $0 + $1.records.count }
    switch condition {
    case .unsupported: fault.conditionUnsupported = true
    case .circle(let center, let radius):
      fault.conditionUnsupported =
        !(center.isValid && radius > 0 && radius <= profile.longestRadius)
      fault.conditionLimitExceeded = count >= profile.regionLimit ?? .max
    }
    return fault == Diagnosis() ? nil : fault
  }
}

extension ConditionState {
  init(_ containment: Containment) {
    switch containment {
    case .inside: self = .satisfied
    case .outside: self = .unsatisfied
    case .unknown: self = .unknown
    }
  }
}
