import TestSupport
import Testing

@testable import ChapterSwift6
@testable import CoreLocation

@Suite("The chapter: the current location")
struct CurrentLocationTests {
  @Test("AT-09 the first location is delivered once, then updates stop")
  func first() throws {
    try LocationService.isolated { service in
      let helper = Helper()
      var found: [CLLocation] = []
      helper.getLatestLocation { found.append($0) }
      #expect(service.read(\.isSourceNeeded))
      try Recording.walk30.play(service)
      #expect(found.map(\.timestamp) == [Recording.start])
      #expect(helper.trackedLocations.map(\.timestamp) == [Recording.start])
      #expect(!service.read(\.isSourceNeeded))
    }
  }

  @Test("AT-10 the second call is answered from the stored location, and starts nothing")
  func second() throws {
    try LocationService.isolated { service in
      let helper = Helper()
      helper.getLatestLocation { _ in }
      try Recording.one.play(service)
      var found: [CLLocation] = []
      helper.getLatestLocation { found.append($0) }
      #expect(found.count == 1)
      #expect(found.first === helper.trackedLocations.last)
      #expect(!service.read(\.isSourceNeeded))
    }
  }

  @Test("AT-11 locations that come together are delivered together, the newest last")
  func batch() throws {
    try LocationService.isolated { service in
      // The recording gives the fixes; given by hand they come at once.
      let reader = Diary()
      reader.manager.startUpdatingLocation()
      try Recording.batch.play(service)
      reader.manager.stopUpdatingLocation()
      let fixes = reader.locations
      #expect(fixes.count == 3)
      try LocationService.isolated { service in
        let (helper, diary) = (Helper(), Diary())
        var found: [CLLocation] = []
        helper.getLatestLocation { found.append($0) }
        diary.manager.startUpdatingLocation()
        service.deliver(fixes)
        let times = (0..<3).map { Recording.start + Double($0) }
        #expect(diary.batches.map { $0.map(\.timestamp) } == [times])
        #expect(found.map(\.timestamp) == [times[2]])
        #expect(helper.trackedLocations.map(\.timestamp) == times)
        try Recording.walk30.play(service)
        #expect(diary.batches.allSatisfy { !$0.isEmpty })
      }
    }
  }

  @Test("AT-12 while services are off nothing starts")
  func off() throws {
    try LocationService.isolated { service in
      service.isEnabled = false
      #expect(!CLLocationManager.locationServicesEnabled())
      let helper = Helper()
      var calls = 0
      helper.getLatestLocation { _ in calls += 1 }
      #expect(!service.read(\.isSourceNeeded))
      try Recording.one.play(service)
      #expect(calls == 0)
    }
  }

  @Test("AT-13 without a stop updates continue to the end; after it there are none")
  func stop() throws {
    try LocationService.isolated { service in
      let diary = Diary()
      diary.manager.startUpdatingLocation()
      try Recording.walk30.play(service)
      #expect(diary.locations.map(\.timestamp) == Recording.walk30.points.map(\.time))
      let count = diary.batches.count
      diary.manager.stopUpdatingLocation()
      try Recording.walk30.play(service)
      #expect(diary.batches.count == count)
    }
  }

  @Test("AT-14 to stop lets the source go, and to start again resumes")
  func source() throws {
    try LocationService.isolated { service in
      let diary = Diary()
      for _ in 0..<2 {
        diary.manager.startUpdatingLocation()
        #expect(service.read(\.isSourceNeeded))
        let count = diary.locations.count
        try Recording.one.play(service)
        #expect(diary.locations.count > count)
        diary.manager.stopUpdatingLocation()
        #expect(!service.read(\.isSourceNeeded))
      }
    }
  }
}
