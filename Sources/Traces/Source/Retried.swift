internal import Glibc

/// Makes a call of the system again as long as a signal interrupts it (EINTR), which it may do where
/// a file lies on a network.
package func retried(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
