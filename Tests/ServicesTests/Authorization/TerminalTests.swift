import Glibc
import Locking
import Services
import Testing

@Suite("asking on the terminal", .timeLimit(.minutes(90)))
struct TerminalTests {
  /// A terminal whose user has typed already; what is written to it goes to `screen`.
  private final class Typed: TerminalPrompter.Line {
    private let screen: Screen
    private var lines: [String]

    init(_ lines: [String], _ screen: Screen) {
      self.lines = lines
      self.screen = screen
    }

    func write(_ text: String) { screen.text.withLock { $0 += text } }
    func read() -> String? { lines.isEmpty ? nil : lines.removeFirst() }
  }

  private final class Screen: Sendable {
    let text = Mutex("")
    let said = Mutex<[String]>([])
  }

  /// What the user's lines answer to the prompt of a request.
  private static func answer(
    _ lines: [String]?, _ screen: Screen = Screen(), purposes: PurposeStrings = Desk.purposes,
    _ request: (inout AuthorizationController) -> Void
  ) async -> PromptAnswer? {
    var desk = AuthorizationController(purposes: purposes, record: nil)
    request(&desk)
    guard let prompt = desk.takePrompts().first else { return nil }
    let asker = TerminalPrompter(program: "van") { line in
      screen.said.withLock { $0.append(line) }
    } open: {
      lines.map { Typed($0, screen) }
    }
    return await withCheckedContinuation { done in
      PermissionPolicy.terminal(asker).ask(prompt) { done.resume(returning: $0) }
    }
  }

  @Test(
    "words and notices",
    arguments: [
      ("a", PromptAnswer.always), ("Always ", .always), ("w", .whenInUse),
      ("while in  use", .whenInUse), ("o", .once), ("n", .denied), ("NO", .denied),
    ])
  func answers(_ line: String, _ answer: PromptAnswer) async {
    #expect(await Self.answer([line]) { $0.requestAlways() } == answer)
  }

  @Test("an invalid answer repeats the prompt, three times in all")
  func nonsense() async {
    #expect(await Self.answer(["", "yes", "o"]) { $0.requestWhenInUse() } == .once)
    #expect(await Self.answer(["1", "2", "a", "w"]) { $0.requestWhenInUse() } == .declined)
    #expect(await Self.answer([]) { $0.requestWhenInUse() } == .declined)
  }

  @Test("the program and its purpose are shown, and the purpose cannot steer the terminal")
  func screen() async {
    let screen = Screen()
    let purposes = PurposeStrings(whenInUse: "To show\u{1B}[2J the way.\n")
    _ = await Self.answer(["n"], screen, purposes: purposes) { $0.requestWhenInUse() }
    #expect(
      screen.text.withLock { $0 } == """

        van would like to know where this device is while it is in use:
          To show?[2J the way.
        [w]hile in use, [o]nce, [n]o? 
        """)
  }

  @Test("without a terminal there is no prompt, and a message says what to do")
  func noTerminal() async {
    let screen = Screen()
    #expect(await Self.answer(nil, screen) { $0.requestWhenInUse() } == .unanswerable)
    #expect(
      screen.said.withLock { $0 } == [
        "location access is denied to van, because there is no terminal to prompt the user; set "
          + "WAYMARK_PERMISSION, or the permission of a LocationService.Configuration, to allow, "
          + "whenInUse, always or a permission file"
      ])
  }

  @Test("a real terminal: output, input, and its end")
  func terminal() throws {
    let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // ioctl_tty(2): TIOCSPTLCK, which unlocks the other side, and TIOCGPTN, its number.
    var (lock, number) = (Int32(0), Int32(-1))
    try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
    try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
    let terminal = try #require(ControllingTerminal(path: "/dev/pts/\(number)"))
    terminal.write("shown")
    var shown = [UInt8](repeating: 0, count: 5)
    #expect(read(keyboard, &shown, 5) == 5)
    #expect(String(decoding: shown, as: UTF8.self) == "shown")
    // The last one is the end of the input: control and D.
    #expect(write(keyboard, "while in use\n\n\u{4}", 15) == 15)
    #expect(terminal.read() == "while in use")
    #expect(terminal.read() == "")
    #expect(terminal.read() == nil)
    close(keyboard)
    #expect(terminal.read() == nil)
    terminal.write("nobody sees it")
  }
}
