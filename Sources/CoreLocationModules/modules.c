// A target needs a source; there is nothing to compile.
