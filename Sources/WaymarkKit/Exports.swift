// One import gives a program the whole engine: `Coordinate`, `Fix`, `Fence`, `Rules`, `Tracker`, `Fleet`,
// `Event` and their parts.
@_exported public import Estimation
@_exported public import Fences
@_exported public import Geodesy
@_exported public import Tracking
