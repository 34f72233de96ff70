#if THREAD_SANITIZER
  internal import Glibc

  /// A mutex that the thread sanitizer sees, in place of the one of `Synchronization`.
  ///
  /// On Linux `Synchronization.Mutex` is a word of memory on which threads wait with futex(2). The
  /// sanitizer learns that a lock orders its holders from the calls that it intercepts, those of
  /// pthreads, and from atomic operations in instrumented code. The mutex makes neither: its
  /// operations are those of the standard library, which is not instrumented. So whatever a mutex
  /// guards looks unguarded, and a program without any race is full of reports.
  ///
  /// When the program is built with `-sanitize=thread -DTHREAD_SANITIZER`, as `make tsan` and `make
  /// crowd-tsan` do, this is the mutex: the same interface over `pthread_mutex_t`. In all other
  /// builds the module re-exports `Synchronization.Mutex`: it adds no type, no call and no memory.
  ///
  /// It serves our own code alone. The sanitizer already knows the locks of Foundation and
  /// Dispatch, which are those of pthreads or are intercepted by name. `Atomic` needs nothing: its
  /// operations are inlined into instrumented code.
  ///
  /// With it the sanitizer also reports locks taken in different orders, a mutex that is destroyed
  /// while it is held, and one that is unlocked by another thread.
  ///
  /// Unchecked, because pointers are not Sendable: only the holder of the lock reaches the value.
  /// Both belong to this mutex alone, which cannot be copied, and are freed with it. The value was
  /// passed as `sending`, so nothing else refers to its contents.
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// An unlocked mutex around a value.
    package init(_ initialValue: consuming sending Value) {
      lock = .allocate(capacity: 1)
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
      // With no attributes it cannot fail on Linux.
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      value.deinitialize(count: 1)
      value.deallocate()
      lock.deallocate()
    }

    /// Calls `body` with the value while the mutex is locked.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#else
  // Only the type that guards a value; code that needs `Atomic` imports its module.
  @_exported public import struct Synchronization.Mutex
#endif
