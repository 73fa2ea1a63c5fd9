// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Sequence",
  products: [
    .library(name: "SequenceRunner", targets: ["SequenceRunner"]),
    .library(name: "SequenceFiles", targets: ["SequenceFiles"]),
    .library(name: "Notifier", targets: ["Notifier"]),
    .library(name: "NotifierTesting", targets: ["NotifierTesting"]),
    .library(name: "SequenceNotifications", targets: ["SequenceNotifications"]),
    .executable(name: "sequence", targets: ["sequence"]),
    .executable(name: "sequence-agent", targets: ["sequence-agent"]),
    .executable(name: "sequence-sound", targets: ["sequence-sound"]),
  ],
  targets: [
    // C libraries, each with one module map and one shim header.
    .systemLibrary(name: "CSequenceLinux"),
    .systemLibrary(name: "CSequenceSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSequenceYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSequenceCanberra", providers: [.apt(["libcanberra-dev"])]),
    .systemLibrary(name: "CLibnotify", pkgConfig: "libnotify", providers: [.apt(["libnotify-dev"])]),
    .systemLibrary(name: "CSequenceGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    // C++, because toml++ is a C++ library; needs libtomlplusplus-dev.
    .target(name: "CSequenceTOML"),

    // Libraries, without cyclic dependencies; only `NotificationDelivery` may use libnotify, and only
    // `Notifier` the calendar, which needs ICU.
    .target(name: "Platform", dependencies: ["CSequenceLinux"]),
    .target(name: "Store", dependencies: ["Platform", "CSequenceLinux", "CSequenceSQLite"]),
    .target(
      name: "SequenceRunner", dependencies: ["Platform", "Store", "CSequenceLinux", "CSequenceSQLite"]),
    .target(name: "SequenceFiles", dependencies: ["Platform", "SequenceRunner", "Store", "CSequenceYAML"]),
    .target(name: "Presentation", dependencies: ["Platform", "SequenceRunner", "Store"]),
    .target(
      name: "TerminalDisplay", dependencies: ["Platform", "Presentation", "SequenceRunner", "CSequenceLinux"]),
    .target(name: "NotificationLedger", dependencies: ["Platform", "Store"]),
    .target(
      name: "NotificationDelivery",
      dependencies: ["NotificationLedger", "Platform", "Store", "CLibnotify", "CSequenceLinux"]),
    .target(
      name: "Notifier",
      dependencies: ["NotificationDelivery", "NotificationLedger", "Platform", "Store", "CSequenceLinux"]),
    .target(
      name: "NotifierTesting",
      dependencies: ["NotificationDelivery", "NotificationLedger", "Notifier", "Platform", "Store"]),
    .target(
      name: "SequencePlanning",
      dependencies: ["NotificationLedger", "Platform", "Presentation", "SequenceRunner", "Store"]),
    .target(
      name: "SequenceConfiguration",
      dependencies: [
        "NotificationLedger", "Platform", "Presentation", "SequenceFiles", "SequencePlanning",
        "SequenceRunner",
        "Store",
      ]),
    .target(
      name: "SequenceNotifications",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Platform", "SequencePlanning", "SequenceRunner",
        "Store",
      ]),
    .target(
      name: "SequenceAgent",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Platform", "Presentation", "SequenceConfiguration",
        "SequenceFiles",
        "SequenceNotifications", "SequencePlanning", "SequenceRunner", "Store", "CSequenceLinux",
      ]),
    .target(
      name: "SequenceClient",
      dependencies: [
        "NotificationLedger", "Platform", "Presentation", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequenceRunner", "Store", "CSequenceLinux",
      ]),
    .target(
      name: "SequenceCommand",
      dependencies: [
        "NotificationLedger", "Platform", "Presentation", "SequenceClient", "SequenceConfiguration",
        "SequenceFiles", "SequencePlanning", "SequenceRunner", "Store", "TerminalDisplay", "CSequenceLinux",
      ]),
    .target(
      name: "WorkoutImport",
      dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "CSequenceGLib", "CSequenceTOML"]),

    // Programs.
    .executableTarget(name: "sequence", dependencies: ["SequenceCommand"]),
    .executableTarget(
      name: "sequence-agent",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Platform", "SequenceAgent", "SequenceConfiguration",
        "SequenceFiles",
        "SequenceRunner", "Store", "WorkoutImport",
      ]),
    .executableTarget(
      name: "sequence-sound", dependencies: ["Platform", "CSequenceCanberra", "CSequenceLinux"]),

    // Examples of embedding the libraries, with access to their public API only.
    .executableTarget(
      name: "embedding-example", dependencies: ["SequenceNotifications"],
      path: "examples/embedding", packageAccess: false),
    .executableTarget(
      name: "reminders-example", dependencies: ["Notifier"],
      path: "examples/reminders", packageAccess: false),
    .executableTarget(
      name: "remind-example", dependencies: ["Notifier"],
      path: "examples/remind", packageAccess: false),
    .executableTarget(
      name: "articles-example",
      dependencies: [
        "NotificationLedger", "Notifier", "Platform", "SequenceFiles", "SequenceNotifications",
        "SequencePlanning",
        "SequenceRunner", "Store",
      ],
      path: "examples/articles", packageAccess: false),

    .testTarget(
      name: "TestingExampleTests", dependencies: ["Notifier", "NotifierTesting", "SequenceNotifications"],
      path: "examples/testing", packageAccess: false),

    // Tests, benchmarks and their support code.
    .target(
      name: "TestSupport", dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "CSequenceLinux"],
      path: "Tests/TestSupport"),
    .executableTarget(
      name: "recording-server",
      dependencies: ["Platform", "SequenceRunner", "Store", "TestSupport", "CLibnotify"],
      path: "Tests/RecordingServer"),
    .target(
      name: "Simulation",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Notifier", "Platform", "SequenceAgent",
        "SequenceConfiguration",
        "SequenceNotifications", "SequencePlanning", "SequenceRunner", "Store", "TestSupport",
      ],
      path: "Tests/Simulation"),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "TestSupport"], path: "Tests/SimulateProgram"),
    .executableTarget(
      name: "write-history",
      dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "Store", "TestSupport"],
      path: "Tests/HistoryProgram"),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Notifier", "Platform", "SequenceFiles",
        "SequenceNotifications",
        "SequencePlanning",
        "SequenceRunner", "Store", "TestSupport", "CSequenceLinux",
      ],
      path: "Benchmarks/Program"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "NotificationLedger", "Platform", "SequenceConfiguration", "SequenceFiles", "SequenceRunner", "Store",
        "WorkoutImport",
      ],
      path: "Tests/FuzzTargets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .executableTarget(
      name: "torture",
      dependencies: [
        "NotificationLedger", "Platform", "SequenceClient", "SequenceConfiguration", "SequencePlanning",
        "SequenceRunner", "Store", "TestSupport", "CSequenceLinux",
      ],
      path: "Tests/Torture"),
    .testTarget(
      name: "SequenceRunnerTests",
      dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "Store", "TestSupport"]),
    .testTarget(
      name: "WorkoutImportTests",
      dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "TestSupport", "WorkoutImport"]),
    .testTarget(
      name: "SequenceFilesTests",
      dependencies: ["Platform", "SequenceFiles", "SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "PresentationTests",
      dependencies: ["Platform", "Presentation", "SequenceFiles", "SequenceRunner", "TestSupport"]),
    .testTarget(
      name: "TerminalDisplayTests",
      dependencies: ["Platform", "Presentation", "SequenceRunner", "TerminalDisplay", "TestSupport"]),
    .testTarget(
      name: "NotifierTests",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Notifier", "NotifierTesting", "Platform",
        "Presentation",
        "SequenceNotifications", "SequencePlanning", "SequenceRunner", "Simulation", "Store", "TestSupport",
        "recording-server",
      ]),
    .testTarget(
      name: "SequencePlanningTests",
      dependencies: ["NotificationLedger", "SequencePlanning", "SequenceRunner", "Store", "TestSupport"]),
    .testTarget(
      name: "SequenceConfigurationTests",
      dependencies: [
        "NotificationLedger", "Platform", "Presentation", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequenceRunner", "Store", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceAgentTests",
      dependencies: [
        "NotificationDelivery", "NotificationLedger", "Platform", "Presentation", "SequenceAgent",
        "SequenceConfiguration",
        "SequenceFiles", "SequenceNotifications", "SequenceRunner", "Store", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceClientTests",
      dependencies: [
        "Platform", "SequenceClient", "SequenceFiles", "SequenceRunner", "Store", "TestSupport",
      ]),
    .testTarget(
      name: "SequenceCommandTests",
      dependencies: [
        "NotificationLedger", "Platform", "Presentation", "SequenceClient", "SequenceCommand",
        "SequenceConfiguration",
        "SequenceFiles",
        "TerminalDisplay", "SequencePlanning", "SequenceRunner", "Store", "TestSupport", "sequence",
        "sequence-agent", "sequence-sound", "torture", "recording-server", "embedding-example",
        "reminders-example", "remind-example", "articles-example",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Only the window needs GTK, so it is built only on request.
if Context.environment["SEQUENCE_WINDOW"] == "1" {
  package.products.append(.executable(name: "sequence-window", targets: ["sequence-window"]))
  package.targets += [
    .systemLibrary(
      name: "CSequenceAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .target(
      name: "SequenceWindow",
      dependencies: [
        "Platform", "Presentation", "SequenceClient", "SequenceConfiguration", "SequenceFiles",
        "SequencePlanning", "SequenceRunner", "Store", "CSequenceAdwaita",
      ],
      resources: [
        "Interface/window.ui", "Interface/run.ui", "Interface/idle.ui", "Interface/library.ui",
        "Interface/history.ui", "Interface/detail.ui", "Interface/shortcuts.ui", "Interface/style.css",
        "Templates/tabata.yaml", "Templates/pomodoro.yaml", "Templates/morning-routine.yaml",
        "Templates/recipe.yaml",
      ].map { .embedInCode($0) }),
    .executableTarget(name: "sequence-window", dependencies: ["SequenceWindow"]),
    .testTarget(
      name: "SequenceWindowTests",
      dependencies: [
        "Platform", "SequenceClient", "SequenceFiles", "SequencePlanning", "SequenceRunner", "SequenceWindow",
        "Store", "TestSupport", "sequence", "sequence-agent", "sequence-window",
      ]),
  ]
}

// All targets have the same settings: the strictest language mode, and warnings as errors.
for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
  ]
  // Tests and benchmarks may use unsafe API without marking each use; shipped code may not.
  let isForTests =
    target.type == .test || ["Tests/", "Benchmarks/"].contains { target.path?.hasPrefix($0) == true }
  if !isForTests { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
