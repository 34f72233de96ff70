internal import FuzzDriver
internal import Fuzzing
internal import Glibc

// fuzz SUBJECT [options of libFuzzer] CORPUS...
// fuzz --list: the subjects, with what each of them reads.

/// The subject of this run, for a callback that cannot capture it.
private var subject: Subject?
/// The costs of all inputs so far.
private var meter = Meter()

private func say(_ text: String) {
  let line = text + "\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
}

private func list() {
  for subject in Subject.all { print("\(subject.name)\t\(subject.decodes)") }
}

@MainActor private func fuzz(_ name: String) -> CInt {
  guard let found = Subject.all.first(where: { $0.name == name }) else {
    say("there is no subject '\(name)'; 'fuzz --list' names them")
    return 64
  }
  subject = found
  // libFuzzer keeps the arguments as long as the process lives.
  var arguments = CommandLine.arguments.enumerated()
    .filter { $0.offset != 1 }.map { strdup($0.element) }
  arguments.append(nil)
  let count = CInt(arguments.count - 1)
  // libFuzzer ends the process itself.
  atexit { MainActor.assumeIsolated { say(meter.summary) } }
  return arguments.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return 70 }
    return FuzzDrive(count, start) { bytes, count in
      // libFuzzer calls on the thread that called it, which is the main one.
      MainActor.assumeIsolated {
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        do {
          let effort = subject?.effort ?? 1
          let complaint = try meter.check(count, effort: effort) { _ = try subject?.check(input) }
          if let complaint {
            say(complaint)
            abort()
          }
        } catch {
          say("\(error)")
          abort()
        }
        return 0
      }
    }
  }
}

switch CommandLine.arguments.dropFirst().first {
case nil, "--help":
  say("usage: fuzz SUBJECT [options of libFuzzer] CORPUS...; fuzz --list")
  exit(64)
case "--list": list()
case let name?: exit(fuzz(name))
}
