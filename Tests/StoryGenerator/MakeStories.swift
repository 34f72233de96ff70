import Glibc

/// `make-stories DIR` writes the stories of traces/.
@main
enum MakeStories {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(WriteFailure) {
      if arguments.count == 1, let directory = arguments.first, !directory.hasPrefix("-") {
        try StoryFiles.write(Story.all, to: directory)
      } else {
        reportError("usage: make-stories DIR")
        exit(EX_USAGE)
      }
    } catch {
      reportError("make-stories: \(error)")
      exit(EX_IOERR)
    }
  }

  private static func reportError(_ text: String) {
    // The array passes the pointer with its length, valid for the call.
    Array((text + "\n").utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
