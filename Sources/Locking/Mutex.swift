#if THREAD_SANITIZER
  internal import Glibc

  /// A mutex that the thread sanitizer sees, in place of the one of `Synchronization`.
  ///
  /// On Linux `Synchronization.Mutex` is a word of memory that threads wait for with futex(2). The
  /// sanitizer knows that a lock orders what its holders do from the calls that it intercepts, those
  /// of pthreads, and from atomic operations in code that was built for it. The mutex makes neither:
  /// its operations are those of the standard library, which was not. So whatever a mutex guards
  /// looks unguarded, and a program without any race is full of reports.
  ///
  /// Where the program is built with `-sanitize=thread -DTHREAD_SANITIZER`, as `make tsan` and
  /// `make crowd-tsan` do, this is the mutex: of the same shape, over `pthread_mutex_t`. In all
  /// other builds the module hands on `Synchronization.Mutex` itself: it adds no type, no call and no
  /// memory.
  ///
  /// It holds for our own code alone. The locks of Foundation and Dispatch are known already, as they
  /// are those of pthreads or are intercepted by name. `Atomic` needs nothing: its operations are
  /// inlined into code that was built for the sanitizer.
  ///
  /// The sanitizer reports more with it than without: locks taken in different orders, a mutex that
  /// goes while it is held, and one that is unlocked by another thread.
  ///
  /// Unchecked, as pointers are not Sendable: the value is reached only by who holds the lock; both
  /// belong to this mutex alone, which cannot be copied, and go with it; the value came as `sending`,
  /// so nobody else refers to what is in it.
  package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// A mutex that is free, around a value.
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

    /// Does something with the value, while nobody else does.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#else
  // Only what guards a value; who needs `Atomic` imports its module.
  @_exported public import struct Synchronization.Mutex
#endif
