import Glibc

/// What is to happen to a program at one of its calls that deal with files.
struct Fault: Sendable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    /// kill -9, before the call, when half of a write is done, or after it.
    case killBefore, killHalf, killAfter
    /// A write takes half of what it is given.
    case short
    /// The call fails with this number.
    case error(Int32)
  }

  /// The number of the call, from 1.
  var call: Int
  var kind: Kind
  /// Letters of the calls that can fail in this way (see `faults.c`); nil for all.
  var only: String?
  /// How many of them fail; 0 for all from that one on.
  var count = 1

  var environment: [String: String] {
    var values = ["FAULTS_AT": "\(call)", "FAULTS_FOR": "\(count)"]
    values["FAULTS_ONLY"] = only
    values["FAULTS_DO"] =
      switch kind {
      case .killBefore: "before"
      case .killHalf: "half"
      case .killAfter: "after"
      case .short: "short"
      case .error(let code): "\(code)"
      }
    return values
  }

  /// The error that is to be told; nil when a program must do without a word: a call that was
  /// interrupted, or a write that took a part, is gone on with.
  var error: Int32? {
    guard case .error(let code) = kind, code != EINTR else { return nil }
    return code
  }

  var description: String {
    let what =
      switch kind {
      case .error(let code): "error \(code) (\(String(cString: strerror(code))))"
      default: "\(kind)"
      }
    return "\(what) at call \(call)\(count == 1 ? "" : " and after it")"
  }
}
