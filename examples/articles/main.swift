import Notifier
import SequenceNotifications
import SequenceRunner
import SequenceStore

// The code of the articles on the libraries, in the order of the articles, with an output that is always the same.
//
//     articles DIRECTORY

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a directory") }

let timeline = try Defining(directory: path).run()
try Writing(directory: path + "/files").run()
try Running(directory: StateDirectory(path: path + "/run"), timeline: timeline).run()
try Time(directory: StateDirectory(path: path + "/time")).run()
try Storing(directory: StateDirectory(path: path + "/time")).run()
try await Scheduling(directory: StateDirectory(path: path + "/schedule")).run()

let store = try RunStore.withNotifications(in: StateDirectory(path: path + "/follow"))
try await Following(store: store, timeline: timeline).run()
