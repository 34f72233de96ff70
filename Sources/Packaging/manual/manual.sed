# Corrects the pages of swift-argument-parser's generator: mdoc(7) allows no empty lines, which it copies
# from the help; pages have the names of their files; and exit codes are those of the program.
s/^$/.Pp/
# NAME has the page, as whatis(1) wants it, and SYNOPSIS the words to type.
/^\.Nm ./ {
  h
  s/"waymark \([^"]*\)"/waymark-\1/
}
/^\.Nm$/ g
s/^\(\.Xr waymark\)\./\1-/
s/^\(\.Dt WAYMARK\)\./\1-/
/^\.Ex -std/ {
  r Sources/Packaging/manual/exit-status.mdoc
  d
}
