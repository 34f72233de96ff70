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
        complain("usage: make-stories DIR")
        exit(EX_USAGE)
      }
    } catch {
      complain("make-stories: \(error)")
      exit(EX_IOERR)
    }
  }

  private static func complain(_ text: String) {
    // The array gives the pointer with its own length, for the time of the call.
    Array((text + "\n").utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
