extension StubGeocoder {
  /// The condition that a suspended task waits for.
  enum Condition {
    /// ``StubGeocoder/release(_:)``.
    case released
    /// The request with this ordinal number.
    case requests(Int)
    /// So many pending answers.
    case pending(Int)
  }

  /// A suspended task.
  struct Waiter {
    let number: Int
    let condition: Condition
    let continuation: CheckedContinuation<Bool, Never>

    var isAnswer: Bool {
      if case .pending = condition { false } else { true }
    }
  }

  /// The tasks to resume after the lock is released.
  struct Resumption {
    let waiters: [Waiter]
    /// False for a cancelled task.
    var holds = true

    func resume() {
      for waiter in waiters { waiter.continuation.resume(returning: holds) }
    }
  }

  /// The mutable state, under the lock.
  struct State {
    private(set) var requests = 0
    private var numbers = 0
    /// In the order of arrival.
    private var waiters: [Waiter] = []

    /// How many answers are delayed.
    var pending: Int { waiters.count(where: \.isAnswer) }

    mutating func takeNumber() -> Int {
      numbers += 1
      return numbers
    }

    /// Counts a request and returns its ordinal number, from 1.
    mutating func count() -> (ordinal: Int, Resumption) {
      requests += 1
      return (requests, wake())
    }

    /// Adds a waiter, whose condition may hold already.
    mutating func add(_ waiter: Waiter) -> Resumption {
      waiters.append(waiter)
      return wake()
    }

    /// Takes the first of the delayed answers.
    mutating func release(_ count: Int) -> Resumption {
      let numbers = Set(waiters.filter(\.isAnswer).prefix(max(0, count)).map(\.number))
      return Resumption(waiters: take { numbers.contains($0.number) })
    }

    /// Takes a waiter whose task was cancelled; its condition then does not hold.
    mutating func cancel(_ number: Int) -> Resumption {
      Resumption(waiters: take { $0.number == number }, holds: false)
    }

    /// Takes the waiters whose condition holds by now.
    private mutating func wake() -> Resumption {
      let (pending, requests) = (pending, requests)
      return Resumption(
        waiters: take {
          switch $0.condition {
          case .released: false
          case .requests(let ordinal): requests >= ordinal
          case .pending(let count): pending >= count
          }
        })
    }

    private mutating func take(_ isTaken: (Waiter) -> Bool) -> [Waiter] {
      let taken = waiters.filter(isTaken)
      waiters.removeAll(where: isTaken)
      return taken
    }
  }
}
