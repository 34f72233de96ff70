internal import EventLog
internal import Geodesy
internal import Text
internal import Tracking

extension Explanation {
  /// The explanation in words, as up to three short lines: what was decided and why, where the event
  /// lies or what became of the fixes, and what would have changed it.
  package var lines: [String] {
    let lines =
      switch reason {
      case .reported(let event, .way(let from, let to)): [line(event, .way(from: from, to: to))]
      case .reported(let event, let cause): [line(event, cause), between.map(line)]
      case .missing(let shortfall): [line(shortfall), unusedLine, alternativeLine]
      }
    return lines.compactMap(\.self)
  }

  /// The same as one sentence.
  package var sentence: String { lines.joined(separator: "; ") }

  /// The subject of the sentence: the fence, or the device.
  private var name: String { fence?.id ?? device }

  // MARK: Reported

  private func line(_ event: Event, _ cause: Cause) -> String {
    var text = "\(name): \(what(event)) at \(Readable.time(event.time))"
    if let sigma = event.statement.crossing?.timeUncertainty {
      text += " ± \(Readable.duration(sigma))"
    }
    return text + ", because \(because(event, cause))"
  }

  private func what(_ event: Event) -> String {
    switch event.statement {
    case .state(_, let side, _): "\(side.rawValue)"
    case .visit(let visit):
      visit.isRetracted ? "no visit after all" : visit.departure == nil ? "visit" : "visit ended"
    default: kind.rawValue
    }
  }

  private func because(_ event: Event, _ cause: Cause) -> String {
    let at = clock(event.decided)
    switch cause {
    case .evidence(let probability, let needed, let since, let hold):
      let held =
        hold > 0 ? " for \(Readable.duration(hold)), which it was since \(clock(since))" : ""
      return
        "\(side(event)) was \(share(probability)) at \(at) and \(decision) needs "
        + "\(share(needed))\(held)"
    case .passage(let probability, let needed):
      return
        "the passage was over at \(at), \(other(event)) had reached \(share(probability)) and \(decision) "
        + "needs \(share(needed))"
    case .silence(let since, let heard, let patience):
      return
        "\(side(event)) was enough for \(decision) since \(clock(since)), and no fix followed that of "
        + "\(clock(heard)) for \(Readable.duration(patience))"
    case .initial(let probability, let needed):
      guard let needed else {
        return "the first fix that was used lies there, with probability \(share(probability))"
      }
      let enough = probability >= needed ? "" : ", and fixes of 2 min had not made it clearer"
      return
        "the side became known at \(at): its probability was \(share(probability)) and a first report "
        + "needs \(share(needed))\(enough)"
    case .lost(let since):
      return
        "the device was inside since \(clock(since)), its side was lost in a silence, and at \(at) "
        + "it was outside"
    case .way(let from?, let to):
      return "the way between the fixes of \(clock(from)) and \(clock(to)) crosses the edge"
    case .way(nil, let to):
      return "the track broke off, and the fix of \(clock(to)) is on this side"
    case .cushion(let since):
      return
        "the fixes were past the edge and its cushion since \(clock(since)), which is \(decision)'s "
        + "\(Readable.duration(Decision.cushionTime)) or more at \(at)"
    case .dwell(let since, let needed):
      return "the device was inside since \(clock(since)), which makes \(Readable.duration(needed))"
    case .undecided(let probability, let needed):
      return
        "P(inside) was \(share(probability)) at \(at), and a first report of either side needs "
        + share(needed)
    case .forgotten(let heard, let memory):
      return "no fix followed that of \(clock(heard)) for \(Readable.duration(memory))"
    case .stay(let length, let needed, let evidence, let least):
      return
        "the fixes lay at one place for \(Readable.duration(length)) until \(at), of "
        + "\(Readable.duration(needed)) at least, and the log-odds of a stay were "
        + "\(Readable.number(evidence, decimals: 1)), of \(Readable.number(least, decimals: 1)) at least"
    case .departure(let since?): return "the device was away since \(clock(since)), sure at \(at)"
    case .departure(nil): return "the fix of \(at) is elsewhere, or begins another stay"
    case .retraction(let length, let needed):
      return
        "the stay lasted \(Readable.duration(length)), and a visit needs \(Readable.duration(needed))"
    case .distance(let distance, let needed, let probability, let half):
      return
        "the device was \(Readable.length(distance)) from where it was last reported: "
        + "\(Readable.length(needed)) or more with probability \(share(probability)), which needs "
        + "\(share(SignificantChangeRules.required.whole)), and \(Readable.length(needed / 2)) with "
        + "\(share(half)), which needs \(share(SignificantChangeRules.required.half))"
    }
  }

  private func line(_ between: ClosedRange<Timestamp>) -> String {
    "the crossing lies between the fixes of \(clock(between.lowerBound)) and "
      + clock(between.upperBound)
  }

  // MARK: Missing

  private func line(_ shortfall: Shortfall) -> String {
    "\(name): no \(kind.rawValue): \(because(shortfall))"
  }

  private func because(_ shortfall: Shortfall) -> String {
    switch shortfall {
    case .noFix(let before, let after):
      let times = [
        before.map { "the one before is of \(Readable.time($0))" },
        after.map { "the one after is of \(Readable.time($0))" },
      ]
      return (["there is no fix in that time"] + times.compactMap(\.self)).joined(separator: ", ")
    case .noFixUsed(let count):
      return count == 1 ? "the fix of that time was not used" : "none of \(count) fixes was used"
    case .already(let side, let since):
      return "the device was \(side.rawValue) all that time"
        + (since.map { ", since \(Readable.time($0))" } ?? "")
    case .notWanted: return "notify does not have \(kind.rawValue)"
    case .far(let distance, let at):
      return "the device came no nearer to the edge than \(Readable.length(distance)), at "
        + Readable.time(at)
    case .notBelieved(let distance, let at):
      return
        "the fix of \(Readable.time(at)) lay \(kind == .exit ? "outside" : "inside"), but was not "
        + "believed: the estimate was \(Readable.length(distance)) from the edge"
    case .improbable(let probability, let needed, let at):
      return
        "\(side) reached \(share(probability)) at \(Readable.time(at)) and \(decision) needs "
        + share(needed)
    case .brief(let probability, let seconds, let needed, let since):
      return
        "\(side) was \(share(probability)), which is enough, but for \(Readable.duration(seconds)) from "
        + "\(Readable.time(since)) on and \(decision) needs \(Readable.duration(needed))"
    case .unknownSide(let probability, let needed, let at):
      return
        "the side of the device was not known: \(side) reached \(share(probability)) at "
        + "\(Readable.time(at)) and a first report needs \(share(needed))"
    case .cushion(let seconds, let needed, let since):
      return
        "the fixes were past the edge and its cushion for \(Readable.duration(seconds)) from "
        + "\(Readable.time(since)) on and \(decision) needs \(Readable.duration(needed))"
    case .noFixBeyond(let distance, let at):
      let where_ = distance <= 0 ? "inside" : "outside"
      return
        "no fix was far enough for \(decision), the nearest \(Readable.length(abs(distance))) \(where_) "
        + "the edge at \(Readable.time(at))"
    case .briefStay(let seconds?, let needed):
      return
        "the device was inside for \(Readable.duration(seconds)) and a dwell needs "
        + Readable.duration(needed)
    case .briefStay(nil, _): return "the device was never inside"
    }
  }

  /// What became of the fixes that were not used.
  private var unusedLine: String? {
    var counts: [(name: String, count: Int)] = []
    for row in rows {
      guard let name = row.defectText else { continue }
      if let place = counts.firstIndex(where: { $0.name == name }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    guard !counts.isEmpty else { return nil }
    return "fixes that were not used: "
      + counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }

  private var alternativeLine: String? {
    guard case .missing(let shortfall) = reason else { return nil }
    if alternatives.isEmpty {
      switch shortfall {
      case .improbable, .brief, .cushion, .noFixBeyond, .unknownSide:
        return "no other decision"
          + (fence?.isCircle == true ? " or radius that was tried" : "") + " would have reported it"
      default: return nil
      }
    }
    let texts = alternatives.map { alternative in
      switch alternative.change {
      case .decision(let decision): "`\(decision.rawValue)`"
      case .radius(let radius): "a radius of \(Readable.length(radius))"
      }
    }
    return texts.joined(separator: ", ") + " would have reported it"
  }

  // MARK: Words

  private var decision: String { fence?.decision.rawValue ?? "" }

  /// The probability of the side that the expected event states.
  private var side: String { kind == .exit ? "P(outside)" : "P(inside)" }

  private func side(_ event: Event) -> String {
    if case .exit = event.statement { "P(outside)" } else { "P(inside)" }
  }

  /// That of the side on which the device was in a passage: an exit ends one inside, if it was outside
  /// before.
  private func other(_ event: Event) -> String {
    rows.first { $0.view?.passage != nil }?.view?.side == .inside ? "P(outside)" : "P(inside)"
  }

  private func share(_ probability: Double) -> String {
    // A probability below what is required is not rounded up to it.
    let thousandths = (probability * 100_000).rounded(.down) / 100_000
    var text = Readable.number(thousandths, decimals: 5)
    while text.hasSuffix("0"), !text.hasSuffix(".0"), text.count > 3 { text.removeLast() }
    return text
  }

  private func clock(_ time: Timestamp) -> String {
    // The date and the zone are in the first line.
    String(Readable.time(time).split(separator: " ").last?.dropLast() ?? "")
  }
}

extension Fence {
  fileprivate var isCircle: Bool { if case .circle = area { true } else { false } }
}

extension ExplanationRow {
  /// Why the fix was not used, in words; nil when it was.
  var defectText: String? {
    switch verdict {
    case .accepted, .late, .confirmed: nil
    case .waits(.teleport): wasWrong ? "too far away" : "waiting (too far away)"
    case .waits(.clockJump): wasWrong ? "clock jump" : "waiting (clock jump)"
    case .dropped(let defect): defect.text
    }
  }
}

extension Defect {
  fileprivate var text: String {
    switch self {
    case .timeless: "without a time"
    case .withoutPosition: "without a position"
    case .invalid: "invalid"
    case .duplicate: "duplicate"
    case .sameTime: "of the same time"
    case .outOfOrder: "out of order"
    case .teleport: "too far away"
    case .clockJump: "clock jump"
    case .coarse: "coarse"
    }
  }
}
