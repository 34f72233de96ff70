import ArgumentParser
import EventLog
import Glibc
package import Session

/// The value of `--speed`.
extension PlaySpeed: ExpressibleByArgument {
  package var defaultValueDescription: String { factor.map { "\($0)" } ?? "max" }

  var pace: Pacer {
    Pacer(speed: factor, now: { .now }, sleep: { Self.sleep($0) })
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
