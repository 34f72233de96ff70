/// The kind of movement that a program follows; it decides when updates are paused.
public enum CLActivityType: Int, Sendable {
  /// Anything else.
  case other = 1
  /// A car on roads.
  case automotiveNavigation = 2
  /// A walk, a run or a ride for exercise.
  case fitness = 3
  /// A boat, a train, or a route off the roads.
  case otherNavigation = 4
  /// A flight.
  case airborne = 5
}
