internal import EventLog
internal import Text
internal import Tracking

/// Writes explanations as JSON Lines: one object for each fix, then one for the explanation.
package enum ExplanationJSON {
  /// Appends the lines of an explanation.
  package static func append(_ explanation: Explanation, to buffer: inout [UInt8]) {
    for row in explanation.rows { append(row, of: explanation, to: &buffer) }
    var json = JSONBuilder()
    json.object { json in
      json.text("type", "explanation")
      if let id = explanation.id { json.text("event", id.description) }
      json.text("device", explanation.device)
      if let fence = explanation.fence { json.text("fence", fence.id) }
      json.text("kind", explanation.kind.rawValue)
      json.boolean("reported", explanation.id != nil)
      switch explanation.reason {
      case .reported(let event, let cause):
        json.time("time", event.time)
        json.time("decided", event.decided)
        json.text("reason", cause.name)
      case .missing(let shortfall): json.text("reason", shortfall.name)
      }
      if let between = explanation.between {
        json.time("before", between.lowerBound)
        json.time("after", between.upperBound)
      }
      json.array("alternatives", explanation.alternatives) { json, alternative in
        append(alternative, to: &json)
      }
      json.text("text", explanation.sentence)
    }
    buffer += json.bytes + [UInt8(ascii: "\n")]
  }

  private static func append(_ alternative: Alternative, to json: inout JSONBuilder) {
    json.object { json in
      switch alternative.change {
      case .decision(let decision): json.text("decision", decision.rawValue)
      case .radius(let radius): json.number("radius", radius, decimals: 2)
      }
      json.time("time", alternative.event.time)
      json.time("decided", alternative.event.decided)
    }
  }

  private static func append(
    _ row: ExplanationRow, of explanation: Explanation, to buffer: inout [UInt8]
  ) {
    var json = JSONBuilder()
    json.object { json in
      json.text("type", "row")
      json.text("device", explanation.device)
      if let time = row.time { json.time("time", time) }
      json.text("fix", row.verdict.name)
      if let defect = row.defect { json.text("defect", defect) }
      json.number("accuracy", ifKnown: row.accuracy, decimals: 2)
      json.number("estimatedAccuracy", ifKnown: row.believed, decimals: 2)
      json.number("distance", ifKnown: row.distance, decimals: 2)
      json.number("sigma", ifKnown: row.view?.sigma, decimals: 2)
      json.number("rest", ifKnown: row.rest, decimals: 3)
      json.number("walk", ifKnown: row.walk, decimals: 3)
      json.number("ride", ifKnown: row.ride, decimals: 3)
      json.number("inside", ifKnown: row.view?.inside, decimals: 5)
      if let view = row.view {
        json.text("side", view.side.rawValue)
        json.number("needed", ifKnown: view.needed, decimals: 5)
        json.number("hold", view.hold, decimals: 2)
        if let since = view.since { json.time("since", since) }
      }
      json.array("events", row.kinds) { $0.element($1.rawValue) }
    }
    buffer += json.bytes + [UInt8(ascii: "\n")]
  }
}

extension Judgement.Verdict {
  fileprivate var name: String {
    switch self {
    case .accepted: "accepted"
    case .late: "late"
    case .confirmed: "confirmed"
    case .waits: "waits"
    case .dropped: "dropped"
    }
  }
}

extension ExplanationRow {
  fileprivate var defect: String? {
    switch verdict {
    case .accepted, .late, .confirmed: nil
    case .waits(let reason): reason.rawValue
    case .dropped(let defect): defect.rawValue
    }
  }
}

extension Cause {
  fileprivate var name: String {
    switch self {
    case .evidence: "evidence"
    case .passage: "passage"
    case .silence: "silence"
    case .initial: "initial"
    case .lost: "lost"
    case .way: "way"
    case .cushion: "cushion"
    case .dwell: "dwell"
    case .undecided: "undecided"
    case .forgotten: "forgotten"
    case .stay: "stay"
    case .departure: "departure"
    case .retraction: "retraction"
    case .distance: "distance"
    }
  }
}

extension Shortfall {
  fileprivate var name: String {
    switch self {
    case .noFix: "no-fix"
    case .noFixUsed: "no-fix-used"
    case .already: "already"
    case .notWanted: "not-wanted"
    case .far: "far"
    case .notBelieved: "not-believed"
    case .improbable: "improbable"
    case .brief: "brief"
    case .unknownSide: "unknown-side"
    case .cushion: "cushion"
    case .noFixBeyond: "no-fix-beyond"
    case .briefStay: "brief-stay"
    }
  }
}
