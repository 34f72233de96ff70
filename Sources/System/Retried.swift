internal import Glibc

/// Repeats a system call that a signal interrupted (EINTR), which can happen with files on a
/// network.
package func retried(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
