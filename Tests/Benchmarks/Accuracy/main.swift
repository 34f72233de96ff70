// The figures of Docs/Accuracy.md on plain scenarios, through the public interface of the engine:
// a phone that lies still, a car that passes, a walker who leaves, and long drives.
// The same seeds give the same table on every run.
try StillPhone.measure()
try Passage.measure()
try WalkOut.measure()
try SignificantDrive.measure()
