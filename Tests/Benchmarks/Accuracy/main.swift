// The figures of Docs/Accuracy.md on plain scenarios, through the engine's public interface: what
// it says of a phone that lies still, a car that passes, a walker who leaves, and of long ways.
// The same seeds give the same table on every run.
try StillPhone.measure()
try Passage.measure()
try WalkOut.measure()
try SignificantDrive.measure()
