import ArgumentParser

/// Standard input, which is called `-` among files.
enum StandardInput {
  /// It can be read only once.
  static func checkGivenOnce(in files: [String]) throws {
    guard files.count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("standard input (-) can be given only once")
  }
}
