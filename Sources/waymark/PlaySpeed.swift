import ArgumentParser
import Glibc
import Session
import Traces

/// The value of `--speed`.
enum PlaySpeed: ExpressibleByArgument {
  case max
  /// Trace seconds a second, above 0.
  case times(Double)

  init?(argument: String) {
    if argument == "max" {
      self = .max
    } else if let factor = Double(argument), factor > 0, factor.isFinite {
      self = .times(factor)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .max: "max"
    case .times(let factor): "\(factor)"
    }
  }

  var pace: Pace {
    switch self {
    case .max: .unlimited
    case .times(let factor):
      Pace(speed: factor, now: { .now }, sleep: { Self.sleep($0) })
    }
  }

  private static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    // A signal cuts a sleep short and leaves what remains in `rest`.
    while nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
  }
}

extension EventFormat: ExpressibleByArgument {}
extension LogEntry.Kind: ExpressibleByArgument {}
