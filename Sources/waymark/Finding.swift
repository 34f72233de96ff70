import Text

/// The result of one check of `doctor`.
struct Finding {
  enum Status: String {
    case fine = "ok"
    /// It works, but may surprise.
    case warning
    case failure = "failed"
  }

  /// What was looked at, one word.
  let subject: String
  let status: Status
  /// What was found.
  let found: String
  /// What to do; nil when there is nothing to do, or when it is part of what was found.
  let advice: String?

  static func fine(_ subject: String, _ found: String) -> Finding {
    Finding(subject: subject, status: .fine, found: found, advice: nil)
  }

  static func warning(_ subject: String, _ found: String, _ advice: String) -> Finding {
    Finding(subject: subject, status: .warning, found: found, advice: advice)
  }

  static func failure(_ subject: String, _ found: String, _ advice: String) -> Finding {
    Finding(subject: subject, status: .failure, found: found, advice: advice)
  }

  /// One line for people.
  var line: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return padded(status.rawValue, 9) + padded(subject, 13) + found
      + (advice.map { "; \($0)" } ?? "")
  }

  func write(to json: inout JSONBuilder) {
    json.object { json in
      json.text("check", subject)
      json.text("status", status.rawValue)
      json.text("found", found)
      if let advice { json.text("advice", advice) }
    }
  }
}
