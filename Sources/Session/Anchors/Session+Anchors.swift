package import Tracking
internal import Traces

extension Session {
  /// Takes rules, and plans of fences that fixes place; an anchor that is set stays where it is.
  package mutating func adopt(_ rules: Rules, _ plans: [AnchorPlan]) {
    guard !plans.isEmpty else {
      anchors = nil
      self.rules = rules
      return
    }
    var watch = anchors ?? AnchorWatch()
    watch.adopt(plans)
    var rules = rules
    rules.fences = watch.placed(among: rules.fences)
    anchors = watch
    self.rules = rules
  }

  /// Goes on with the anchors of a checkpoint, whose rules have their fences.
  package mutating func resume(_ anchors: AnchorWatch?) { self.anchors = anchors }

  /// Removes and returns what happened to the anchors, in words.
  package mutating func takeAnchorMessages() -> [String] {
    anchors?.takeMessages() ?? []
  }

  /// Gives the anchors the fix that a device just had, if the engine used it.
  mutating func showAnchors(_ fix: borrowing Fix, of device: Int) {
    guard let time = fix.time, lastDefect(of: device) == nil, lastTime(of: device) == time,
      anchors?.take(fix, at: time, of: device) == true
    else { return }
    placeAnchors()
  }

  /// Obeys a command; what came due before it has been reported.
  mutating func obey(_ command: AnchorChange) {
    if anchors?.obey(command) == true { placeAnchors() }
  }

  private mutating func placeAnchors() {
    let known = rules.fences
    if let fences = anchors?.placed(among: known) { rules.fences = fences }
  }
}
