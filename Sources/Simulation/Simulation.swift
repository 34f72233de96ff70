// The first file of this room comes with the next commits.
