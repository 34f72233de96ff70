/// The visit metrics of one group of devices.
struct VisitCounts {
  private var falses = 0
  private var ignored = 0
  private var merges = 0
  private var fragments = 0
  private var days = 0.0
  private var metres: [Double] = []
  /// Seconds after the truth.
  private(set) var arrivals: [Double] = []
  private(set) var departures: [Double] = []
  private var arrivalLatencies: [Double] = []
  private var departureLatencies: [Double] = []
  private(set) var predictions: [Prediction] = []
  private var times = TimeShares()
  /// By length of stay: those found, and all.
  private var found = [Int](repeating: 0, count: Length.allCases.count)
  private var required = [Int](repeating: 0, count: Length.allCases.count)

  /// Stays by length, minutes.
  private enum Length: String, CaseIterable {
    case under10 = "<10"
    case to30 = "10-30"
    case to120 = "30-120"
    case over120 = ">120"

    static func index(of seconds: Double) -> Int {
      [600.0, 1800, 7200].filter { seconds >= $0 }.count
    }
  }

  mutating func add(_ match: VisitMatch, _ device: ScoredDevice) {
    days += device.days
    for (index, stay) in match.stays.enumerated() where stay.isRequired {
      let length = Length.index(of: stay.period.length)
      required[length] += 1
      fragments += match.fragments(of: stay)
      guard let hit = match.hits[index] else { continue }
      found[length] += 1
      metres.append(hit.metres)
      addTimes(match.reported[hit.visit], of: stay)
    }
    for hit in match.hits where match.stays[hit.key].isRequired {
      addPrediction(match.reported[hit.value.visit], isCorrect: true)
    }
    for reported in match.unmatched {
      if match.isOptional(reported) {
        ignored += 1
        continue
      }
      falses += 1
      addPrediction(reported, isCorrect: false)
      if match.isMerge(reported) { merges += 1 }
    }
    times.add(match, device)
  }

  private mutating func addTimes(_ reported: VisitMatch.ReportedVisit, of stay: Truth.Visit) {
    if !stay.isClippedAtStart {
      arrivals.append(reported.period.start - stay.arrival)
      if let first = reported.visit.firstDecided { arrivalLatencies.append(first - stay.arrival) }
    }
    if !stay.isClippedAtEnd {
      departures.append(reported.period.end - stay.departure)
      if let last = reported.visit.decided { departureLatencies.append(last - stay.departure) }
    }
  }

  private mutating func addPrediction(_ reported: VisitMatch.ReportedVisit, isCorrect: Bool) {
    guard let confidence = reported.visit.confidence else { return }
    predictions.append(Prediction(confidence: confidence, isCorrect: isCorrect))
  }

  func score(group: String) -> Score {
    var score = Score(group: group)
    score.add(
      required: required.reduce(0, +), hits: found.reduce(0, +), falses: falses, ignored: ignored)
    score.add("arr_med", 50, of: arrivals.map(abs))
    score.add("arr_p95", 95, of: arrivals.map(abs))
    score.add("dep_med", 50, of: departures.map(abs))
    score.add("dep_p95", 95, of: departures.map(abs))
    score.add("arr_bias", 50, of: arrivals)
    score.add("dep_bias", 50, of: departures)
    score.add("cen_med", 50, of: metres)
    score.add("cen_p95", 95, of: metres)
    score.add("lat_arr_med", 50, of: arrivalLatencies)
    score.add("lat_arr_p95", 95, of: arrivalLatencies)
    score.add("lat_dep_med", 50, of: departureLatencies)
    score.add("lat_dep_p95", 95, of: departureLatencies)
    score.add("extra_fragments", fragments)
    score.add("merges", merges)
    score.add("fp_per_day", Double(falses) / max(1, days), decimals: 3)
    score.add("time_stay_recall", times.stayRecall)
    score.add("time_move_recall", times.moveRecall)
    for (index, length) in Length.allCases.enumerated() {
      let recall = Double(found[index]) / Double(max(1, required[index]))
      score.add("recall_\(length.rawValue)_min", recall, decimals: 3)
    }
    return score
  }
}

/// The shares of time at places, and of time between, that are reported as such; sampled every 5 s.
private struct TimeShares {
  private static let step = 5.0
  private var stayed = 0
  private var stayedAndReported = 0
  private var moved = 0
  private var movedAndReported = 0

  var stayRecall: Double { Double(stayedAndReported) / Double(max(1, stayed)) }
  var moveRecall: Double { Double(movedAndReported) / Double(max(1, moved)) }

  mutating func add(_ match: VisitMatch, _ device: ScoredDevice) {
    let required = mask(match.stays.filter(\.isRequired).map(\.period), device)
    let optional = mask(match.stays.filter { !$0.isRequired }.map(\.period), device)
    let reported = mask(match.reported.map(\.period), device)
    for cell in required.indices where !optional[cell] {
      if required[cell] {
        stayed += 1
        if reported[cell] { stayedAndReported += 1 }
      } else {
        moved += 1
        if !reported[cell] { movedAndReported += 1 }
      }
    }
  }

  private func mask(_ periods: [Period], _ device: ScoredDevice) -> [Bool] {
    // A hundred years are longer than any simulation, and bound the memory.
    let length = min(max(0, device.end - device.start), 3.2e9)
    let count = Int(length) / Int(Self.step) + 1
    var mask = [Bool](repeating: false, count: count)
    // In order, so that a cell that several cover is set once.
    var covered = 0
    for period in periods.sorted(by: { $0.start < $1.start }) {
      let start = max(cell(period.start - device.start, count), covered)
      let end = cell(period.end - device.start, count)
      guard start < end else { continue }
      for index in start..<end { mask[index] = true }
      covered = end
    }
    return mask
  }

  private func cell(_ seconds: Double, _ count: Int) -> Int {
    Int(min(max(0, seconds / Self.step), Double(count)))
  }
}
