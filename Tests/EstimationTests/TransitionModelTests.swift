import Testing

@testable import Estimation

@Suite("Transition model: what may have happened between two fixes")
struct TransitionModelTests {
  private let spell = MotionModel.offsetSpell

  @Test("a spell of fixes that are off may be over before the next fix")
  func spells() {
    let times = MotionModel.offsetTimes
    for age in times.indices {
      let share = spell / (spell + times[age])
      let short = TransitionModel(1, restAge: age).begins.share[Modes.off]
      #expect(abs(Double(short) * times[age] - 1) < 0.01)
      // However long the interval, no more fixes are off than the share of the time of spells.
      for elapsed in [60.0, 600, 3_600, 86_400] {
        let off = TransitionModel(elapsed, restAge: age).begins.share[Modes.off]
        #expect(Double(off) < share, "\(elapsed) s")
      }
    }
  }

  @Test("fixes that go astray less often do so for a shorter time", arguments: [0.05, 0.3, 0.9])
  func straying(share: Float) {
    let short = TransitionModel(0.1, restAge: 0).straying(share: share)
    #expect(abs(short.begins / share - 1) < 0.01)
    #expect(abs(short.ends * share - 1) < 0.01)
    let later = TransitionModel(100, restAge: 0).straying(share: share)
    // Together with what the model for wifi has, it is the exponential of its own spell.
    let lasts = Exponential.of(-100 / spell) * Double(later.lasts)
    #expect(abs(lasts / Exponential.of(-100 / (spell * Double(share))) - 1) < 1e-5)
    let long = TransitionModel(1e6, restAge: 0).straying(share: share)
    #expect(abs(long.begins / (share * share) - 1) < 1e-5)
    #expect(long.lasts == 0)
    #expect(abs(long.ends - 1) < 1e-5)
  }

  @Test("an exact fix and one of wifi are the limits")
  func limits() {
    for elapsed in [0.001, 1, 1e8] {
      let model = TransitionModel(elapsed, restAge: 3)
      let wifi = model.straying(share: 1)
      #expect((wifi.begins, wifi.lasts, wifi.ends) == (1, 1, 1))
      let exact = model.straying(share: 0)
      #expect((exact.begins, exact.lasts) == (0, 0))
      #expect(exact.ends.isFinite)
    }
  }

  @Test("what leaves a mode and what stays are no more than it was")
  func weights() {
    for elapsed in [0.5, 10, 90, 1_000, 50_000] {
      for age in 0..<4 {
        let model = TransitionModel(elapsed, restAge: age)
        let (rest, walk, ride, off) = (Modes.rest, Modes.walk, Modes.ride, Modes.off)
        let fromRest =
          model.stays.share[rest] + model.begins.share[walk] + model.begins.share[ride]
          + model.begins.share[off] + model.trips.share[rest] + model.strolls.share[rest]
        #expect(abs(fromRest - 1) < 1e-5, "\(elapsed) s")
        let fromOff =
          model.stays.share[off] + model.ends.share[off] + model.returns.share[rest]
          + model.returns.share[walk] + model.trips.share[ride]
        #expect(fromOff < 1 + 1e-5 && fromOff > 0.9, "\(elapsed) s")
      }
    }
  }
}
