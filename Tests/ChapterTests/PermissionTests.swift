import Services
import TestSupport
import Testing

@testable import ChapterSwift6
@testable import CoreLocation

@Suite("The chapter: permission and privacy")
struct PermissionTests {
  @Test(
    "AT-01 an already decided permission is reported at once, without a prompt",
    arguments: [CLAuthorizationStatus.authorizedAlways, .denied, .authorizedWhenInUse, .restricted])
  func decided(status: CLAuthorizationStatus) {
    let user = User()
    LocationService.isolated(user.configuration) { service in
      service.authorizationStatus = status
      var answers: [CLAuthorizationStatus] = []
      Helper().askPermission { answers.append($0) }
      #expect(answers == [status])
      service.settle()
      #expect(answers == [status])
      #expect(user.promptCount == 0)
    }
  }

  @Test(
    "AT-02 one prompt, and its answer is reported afterwards",
    arguments: [(PromptAnswer.always, CLAuthorizationStatus.authorizedAlways), (.denied, .denied)])
  func prompt(answer: PromptAnswer, status: CLAuthorizationStatus) {
    let user = User()
    LocationService.isolated(user.configuration) { service in
      let helper = Helper()
      // An app asks when a button is pressed, long after the first word on its permission.
      service.settle()
      var answers: [CLAuthorizationStatus] = []
      helper.askPermission { answers.append($0) }
      service.settle()
      #expect(user.promptCount == 1)
      #expect(answers == [])
      user.answer(answer)
      service.settle()
      #expect(answers == [status])
      #expect(user.promptCount == 1)
    }
  }

  @Test("AT-03 later changes are not reported to the old callback")
  func later() {
    let user = User()
    LocationService.isolated(user.configuration) { service in
      let helper = Helper()
      service.settle()
      var answers: [CLAuthorizationStatus] = []
      helper.askPermission { answers.append($0) }
      user.answer(.always)
      service.settle()
      for status in [CLAuthorizationStatus.denied, .authorizedWhenInUse, .authorizedAlways] {
        service.authorizationStatus = status
        service.settle()
      }
      #expect(answers == [.authorizedAlways])
    }
  }

  @Test("AT-04 without a purpose there is no prompt, and a message says which is missing")
  func noPurpose() {
    let user = User()
    var configuration = user.configuration
    configuration.purposes = .init()
    LocationService.isolated(configuration) { service in
      let helper = Helper()
      service.settle()
      var answers: [CLAuthorizationStatus] = []
      helper.askPermission { answers.append($0) }
      service.settle()
      #expect(answers == [])
      #expect(user.promptCount == 0)
      #expect(CLLocationManager.authorizationStatus() == .notDetermined)
      #expect(user.lines.count == 1)
      #expect(user.lines.first?.contains("NSLocationWhenInUseUsageDescription") == true)
    }
  }

  @Test(
    "AT-05 when in use: reported as such, and nothing in the background; Always: there too",
    arguments: [CLAuthorizationStatus.authorizedWhenInUse, .authorizedAlways])
  func background(status: CLAuthorizationStatus) throws {
    let user = User()
    try LocationService.isolated(user.configuration) { service in
      let helper = Helper()
      service.settle()
      var answers: [CLAuthorizationStatus] = []
      helper.askPermission { answers.append($0) }
      user.answer(status == .authorizedAlways ? .always : .whenInUse)
      service.settle()
      #expect(answers == [status])
      var changes = 0
      helper.monitorSignificantChanges { _ in changes += 1 }
      service.isInBackground = true
      try Recording.drive.play(service)
      #expect((changes > 0) == (status == .authorizedAlways))
      #expect((service.statistics.withheld > 0) == (status != .authorizedAlways))
    }
  }

  @Test("AT-06 denied: never a location, and the reason is reported")
  func denied() throws {
    try LocationService.isolated(.init(permission: .deny)) { service in
      let (helper, diary) = (Helper(), Diary())
      var calls = 0
      helper.getLatestLocation { _ in calls += 1 }
      helper.monitorSignificantChanges { _ in calls += 1 }
      helper.setGeofence(at: Recording.coordinate(east: 0), { calls += 1 }, { calls += 1 })
      diary.manager.startUpdatingLocation()
      diary.manager.requestLocation()
      try Recording.walk30.play(service)
      try Recording.drive.play(service)
      #expect(calls == 0)
      #expect(helper.trackedLocations.isEmpty)
      #expect(diary.batches.isEmpty)
      #expect(diary.manager.location == nil)
      #expect(!diary.errors.isEmpty)
      #expect(diary.errors.allSatisfy { ($0 as? CLError)?.code == .denied })
    }
  }

  @Test("AT-07 a delegate hears of permission only while it is set, and is held weakly")
  func delegate() {
    LocationService.isolated { service in
      let diary = Diary()
      service.settle()
      service.authorizationStatus = .authorizedWhenInUse
      service.settle()
      diary.manager.delegate = nil
      service.authorizationStatus = .authorizedAlways
      service.settle()
      diary.manager.delegate = diary
      service.authorizationStatus = .denied
      service.settle()
      #expect(
        diary.lines == [
          "permission authorizedAlways", "permission authorizedWhenInUse", "permission denied",
        ])
      let manager = CLLocationManager()
      var helper: Helper? = Helper(manager)
      weak let gone = helper
      #expect(manager.delegate === gone)
      helper = nil
      #expect(gone == nil)
      #expect(manager.delegate == nil)
      service.authorizationStatus = .authorizedAlways
      service.settle()
    }
  }
}
