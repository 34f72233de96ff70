import Geodesy
import Glibc
import Tracking

// Matching alone, beside the peers in Peers/Matching: fixes of moving devices against circles, with
// who came in and who went out, exact to the geodesic. Prints a line of JSON.
//
//   match-bench FENCES FIXES DEVICES [MOST]      seconds of the processor to build and to match
//   match-bench --check FENCES FIXES DEVICES     a digest of all that is decided, as truth prints it

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func build(_ numbers: [Double]) throws -> FenceSet {
  var builder = FenceSet.Builder()
  for index in 0..<numbers.count / 3 {
    let center = Coordinate(latitude: numbers[index * 3], longitude: numbers[index * 3 + 1])
    let circle = Circle(center: center, radius: numbers[index * 3 + 2])
    try builder.append(Fence(id: "fence-\(index)", area: .circle(circle)))
  }
  return try builder.build()
}

/// In how many fences the fixes are, and how many changes there were.
func match(_ places: [Coordinate], _ fences: FenceSet, devices: Int) -> (hits: Int, changes: Int) {
  var presences = [FencePresence](repeating: FencePresence(), count: devices)
  var counts = [Int](repeating: 0, count: devices)
  var changes: [FencePresence.Change] = []
  var (hits, told, device) = (0, 0, 0)
  for place in places {
    presences[device].move(to: place, in: fences, into: &changes)
    if !changes.isEmpty {
      for change in changes { counts[device] += change.isEntry ? 1 : -1 }
      told += changes.count
      changes.removeAll(keepingCapacity: true)
    }
    hits += counts[device]
    device += 1
    if device == devices { device = 0 }
  }
  return (hits, told)
}

func check(_ places: [Coordinate], _ fences: FenceSet, devices: Int) -> Digest {
  var presences = [FencePresence](repeating: FencePresence(), count: devices)
  var changes: [FencePresence.Change] = []
  var digest = Digest()
  for (fix, place) in places.enumerated() {
    presences[fix % devices].move(to: place, in: fences, into: &changes)
    digest.add(fix: fix, inside: presences[fix % devices].inside, changes: changes)
    changes.removeAll(keepingCapacity: true)
  }
  return digest
}

func run(_ files: [String], devices: Int, most: Int, isCheck: Bool) throws {
  let numbers = try numbers(in: files[0])
  let places = try places(in: files[1], most: most)
  let begin = processorSeconds()
  let fences = try build(numbers)
  let built = processorSeconds()
  if isCheck {
    let digest = check(places, fences, devices: devices)
    print(
      #"{"fixes": \#(places.count), "hits": \#(digest.hits), "entries": \#(digest.entries), "#
        + #""exits": \#(digest.exits), "digest": "\#(digest.hexadecimal)"}"#)
  } else {
    let (hits, changes) = match(places, fences, devices: devices)
    let matched = processorSeconds()
    print(
      #"{"fixes": \#(places.count), "hits": \#(hits), "changes": \#(changes), "#
        + #""build": \#(built - begin), "match": \#(matched - built), "#
        + #""bytes": \#(fences.byteCount)}"#)
  }
}

var arguments = Array(CommandLine.arguments.dropFirst())
let isCheck = arguments.first == "--check"
if isCheck { arguments.removeFirst() }
guard arguments.count == 3 || (arguments.count == 4 && !isCheck),
  let devices = Int(arguments[2]), devices > 0
else {
  print("usage: match-bench FENCES FIXES DEVICES [MOST] | --check FENCES FIXES DEVICES")
  exit(64)
}
let most = arguments.count == 4 ? Int(arguments[3]) ?? 0 : .max
try run(arguments, devices: devices, most: most, isCheck: isCheck)
