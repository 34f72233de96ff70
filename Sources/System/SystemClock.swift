@_implementationOnly import CClock
internal import Glibc

/// The clock of the system, as programs read the time of day from it.
package enum SystemClock {
  /// Whether a time service has set the clock since the machine started.
  ///
  /// systemd-timesyncd leaves a file when it has; any other service tells the kernel, see adjtimex(2).
  /// The kernel forgets it after some hours without a server. A container that may not query the
  /// kernel counts as synchronised: its host keeps the clock.
  package static var isSynchronised: Bool {
    access("/run/systemd/timesync/synchronized", F_OK) == 0
      || waymark_clock_is_unsynchronised() == 0
  }
}
