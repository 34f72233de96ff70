public import Foundation
internal import Glibc

/// A terminal that a test holds, and can take away.
public final class PseudoTerminal {
  private var main: Int32
  /// The end that a program gets as its terminal.
  public let terminal: FileHandle

  /// TIOCGPTN and TIOCSPTLCK of ioctl_tty(2), which are macros: the number of the terminal, and its lock.
  private static let (number, lock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)

  /// Opens a terminal.
  public init() throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (index, isLocked): (Int32, Int32) = (0, 0)
    guard main >= 0, ioctl(main, Self.lock, &isLocked) == 0, ioctl(main, Self.number, &index) == 0
    else { throw POSIXError(.ENODEV) }
    let descriptor = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.ENODEV) }
    terminal = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { takeAway() }

  /// The terminal is gone for the program, as when its window is closed.
  public func takeAway() {
    if main >= 0 { close(main) }
    main = -1
  }
}
