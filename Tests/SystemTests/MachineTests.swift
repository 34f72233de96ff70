import Foundation
import System
import TestSupport
import Testing

@Suite("The machine") struct MachineTests {
  @Test("its name is that of the kernel") func name() throws {
    let name = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
    #expect(HostName.current == name.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test("its clock is synchronised if the kernel or systemd says so") func clock() throws {
    let (python, output) = (Process(), Pipe())
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // 5 is TIME_ERROR.
    python.arguments = [
      "python3", "-c",
      "import ctypes; print(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)) != 5)",
    ]
    python.standardOutput = output
    try python.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    try python.waitForEnd()
    let hasFile = FileManager.default.fileExists(atPath: "/run/systemd/timesync/synchronized")
    #expect(SystemClock.isSynchronised == (hasFile || text == "True\n"))
  }
}
