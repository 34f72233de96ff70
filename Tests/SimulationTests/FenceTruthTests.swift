import Glibc
import Testing

@testable import Simulation

/// A device that moves along a line through the middle of a fence of 100 m.
private func truth(
  _ distance: @escaping (Double) -> Double, seconds: Int = 2000, radius: Double = 100,
  fixesEvery interval: Int = 10
) -> FenceTruth {
  FenceTruth(
    distances: (0..<seconds).map { distance(Double($0)) }, radius: radius,
    fixes: stride(from: 0, to: seconds, by: interval).map(Double.init),
    interval: Double(interval), distance: distance)
}

@Suite("True crossings of fences")
struct FenceTruthTests {
  @Test("a walk through the middle enters and leaves where it was computed")
  func through() throws {
    // 1 m/s from 500.25 m before the middle: inside from 400.25 s to 600.25 s.
    let truth = truth { abs($0 - 500.25) - 100 }
    #expect(!truth.beginsInside)
    #expect(truth.passages.map(\.kind) == [.enter, .exit])
    #expect(abs(truth.passages[0].time - 400.25) < 1e-5)
    #expect(abs(truth.passages[1].time - 600.25) < 1e-5)
    #expect(truth.passages.allSatisfy { $0.isRequired })
    #expect(truth.passages[0].fixBefore == 400)
    #expect(truth.passages[0].fixAfter == 410)
    let inside = try #require(truth.passages[0].inside)
    #expect(abs(inside - 200) < 1e-5)
  }

  @Test("a device that begins inside only leaves")
  func beginsInside() {
    let truth = truth { $0 - 300.5 }
    #expect(truth.beginsInside)
    #expect(truth.passages.map(\.kind) == [.exit])
  }

  @Test("a passage less than 20 m deep is optional")
  func shallow() {
    // 15 m deep at most.
    let truth = truth { abs($0 - 500.25) - 15 }
    #expect(truth.passages.map(\.kind) == [.enter, .exit])
    #expect(truth.passages.allSatisfy { !$0.isRequired })
  }

  @Test("a short passage is optional")
  func short() {
    // 4 m/s through 200 m takes 50 s.
    let truth = truth { 4 * abs($0 - 500.25) - 100 }
    #expect(truth.passages.map(\.isRequired) == [false, false])
  }

  @Test("with 60 s between fixes a passage of two minutes is optional")
  func sparse() {
    let path = { (second: Double) in 1.6 * abs(second - 500.25) - 100 }
    #expect(truth(path).passages.map(\.isRequired) == [true, true])
    #expect(truth(path, fixesEvery: 60).passages.map(\.isRequired) == [false, false])
  }

  @Test("going back and forth over the edge is one passage from the first crossing to the last")
  func wavering() {
    // Approaches at 1 m/s, goes 10 m back and forth over the edge for 100 s, and goes in.
    let truth = truth { second in
      switch second {
      case ..<500: 500.25 - second
      case ..<600: 10 * sin((second - 500) / 50 * 2 * .pi) + 0.25
      default: 600.25 - second
      }
    }
    #expect(truth.passages.first?.kind == .enter)
    #expect(truth.passages.filter(\.isRequired).count == 1)
    #expect((truth.passages.first?.first ?? 0) < 530)
    #expect((truth.passages.first?.last ?? 0) > 595)
    // The crossings in between are recorded too, and are optional.
    #expect(truth.passages.count > 1)
  }

  @Test("a way out of a state in which no fix was taken is optional")
  func unheardBefore() {
    let path = { (second: Double) in abs(second - 500.25) - 100 }
    func required(_ fixes: [Double]) -> [Bool] {
      FenceTruth(
        distances: (0..<2000).map { path(Double($0)) }, radius: 100, fixes: fixes, interval: 10,
        distance: path
      ).passages.map(\.isRequired)
    }
    // Inside from 400.25 s to 600.25 s: nobody sees the device there.
    #expect(required([0, 100, 900, 1000]) == [false, false])
    #expect(required([0, 100, 500, 900, 1000]) == [false, true])
    #expect(required([500, 550, 900, 1000]) == [false, true])
  }

  @Test("a passage that must be deeper is optional when it is not")
  func deeper() {
    let path = { (second: Double) in abs(second - 500.25) - 60 }
    func required(_ depth: Double) -> [Bool] {
      FenceTruth(
        distances: (0..<2000).map { path(Double($0)) }, radius: 400,
        fixes: stride(from: 0, to: 2000, by: 10).map(Double.init), interval: 10, depth: depth,
        distance: path
      ).passages.map(\.isRequired)
    }
    #expect(required(50) == [true, true])
    #expect(required(70) == [false, false])
  }

  @Test("a passage without two fixes inside is optional")
  func unheard() {
    let path = { (second: Double) in abs(second - 500.25) - 100 }
    let deaf = FenceTruth(
      distances: (0..<2000).map { path(Double($0)) }, radius: 100,
      fixes: [0, 100, 500, 900, 1000], interval: 10, distance: path)
    #expect(deaf.passages.map(\.isRequired) == [false, true])
  }
}
