extension StubGeocoder {
  /// What somebody who is suspended waits for.
  enum Condition {
    /// An answer that ``release(_:)`` lets go.
    case released
    /// An answer that the request of this ordinal number lets go.
    case requests(Int)
    /// Somebody who wants so many answers to be held.
    case holding(Int)
  }

  /// Somebody who is suspended.
  struct Parked {
    let number: Int
    let condition: Condition
    let continuation: CheckedContinuation<Bool, Never>

    var isAnswer: Bool {
      if case .holding = condition { false } else { true }
    }
  }

  /// Those to be resumed once the lock is free.
  struct Woken {
    let parked: [Parked]
    var isFree = true

    func resume() {
      for one in parked { one.continuation.resume(returning: isFree) }
    }
  }

  /// What changes, under the lock.
  struct State {
    private(set) var requests = 0
    private var numbers = 0
    /// In the order of arrival.
    private var parked: [Parked] = []

    var held: Int { parked.count(where: \.isAnswer) }

    mutating func takeNumber() -> Int {
      numbers += 1
      return numbers
    }

    /// A request was made; its ordinal number, from 1.
    mutating func count() -> (ordinal: Int, Woken) {
      requests += 1
      return (requests, wake())
    }

    mutating func park(_ new: Parked) -> Woken {
      parked.append(new)
      return wake()
    }

    mutating func release(_ count: Int) -> Woken {
      let numbers = Set(parked.filter(\.isAnswer).prefix(max(0, count)).map(\.number))
      return Woken(parked: take { numbers.contains($0.number) })
    }

    mutating func cancel(_ number: Int) -> Woken {
      Woken(parked: take { $0.number == number }, isFree: false)
    }

    private mutating func wake() -> Woken {
      let (held, requests) = (held, requests)
      return Woken(
        parked: take {
          switch $0.condition {
          case .released: false
          case .requests(let ordinal): requests >= ordinal
          case .holding(let count): held >= count
          }
        })
    }

    private mutating func take(_ isTaken: (Parked) -> Bool) -> [Parked] {
      let taken = parked.filter(isTaken)
      parked.removeAll(where: isTaken)
      return taken
    }
  }
}
