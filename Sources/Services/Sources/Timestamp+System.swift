internal import Glibc
internal import Tracking

extension Timestamp {
  /// The system's clock, now.
  static var ofSystem: Timestamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }
}
