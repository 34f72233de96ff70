internal import EventLog
internal import Explaining
internal import Session
internal import Text
internal import Tracking

/// Explains the failures of a test; its track is read once, and only when something failed.
struct TestExplainer {
  private let played: PlayedTest
  private let rules: Rules
  private lazy var recording = read()
  private var explainers: [Int: Explainer] = [:]

  init(_ played: PlayedTest) {
    (self.played, rules) = (played, played.file.rules)
  }

  /// Why an event was reported.
  mutating func lines(for entry: LogEntry) -> [String] {
    guard let event = entry.event, let explainer = explainer(of: entry.device) else { return [] }
    let occurrence = explainer.occurrences.first { $0.event == event }
    return occurrence.flatMap(explainer.explain)?.lines ?? []
  }

  /// Why a fence reported an event about a time, or did not; nil for the whole track.
  mutating func lines(
    _ kind: LogEntry.Kind, of fence: String?, near time: Timestamp?, device: String?
  ) -> [String] {
    guard [.enter, .exit, .dwell].contains(kind), let explainer = explainer(of: device),
      let index = fence.flatMap(rules.fences.index(ofID:)), let span = explainer.span
    else { return [] }
    if let time { return explainer.explain(kind, of: index, near: time).lines }
    return explainer.explainMissing(
      kind, of: index, from: span.lowerBound, until: span.upperBound
    ).lines
  }

  /// The explainer of a device; nil stands for the only one.
  private mutating func explainer(of name: String?) -> Explainer? {
    let names = recording?.names ?? []
    guard
      let number = name.map({ ExactText.firstIndex(of: $0, in: names) })
        ?? (names.count == 1 ? 0 : nil)
    else { return nil }
    if let known = explainers[number] { return known }
    let explainer = Explainer(
      device: names[number], fixes: recording?.takeFixes(of: number) ?? [], rules: rules)
    explainers[number] = explainer
    return explainer
  }

  private func read() -> Recording? {
    // Its errors are those of the replay, which are reported.
    (try? played.feeds { _ in }).map { Recording($0, device: played.device) { _ in } }
  }
}
