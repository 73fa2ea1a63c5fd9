import FoundationEssentials
import SequenceFiles

/// Files of sequences: written from values, edited in place, and kept in a library.
struct Writing {
  let directory: String

  func run() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try edit(directory + "/bread.yaml")
    try keep(in: SequenceLibrary(path: directory + "/library"))
  }

  func edit(_ path: String) throws {
    let bread = SequenceDefinition("Bread") {
      Card("Knead", .countdown(.seconds(600)))
      Card("Bake", .countUp(goal: Goal(duration: .seconds(2400))))
    }
    let text = try SequenceFile.text(of: bread)
    try Data(("# Every Sunday\n" + text).utf8).write(to: URL(filePath: path))

    let read = try SequenceDocument(path: path)
    let edited =
      try read
      .setting("countdown", to: "15m", at: [0])
      .inserting(.card(Card("Proof", .countdown(.seconds(5400), advance: .manual))), at: [1])
    if try edited.save(at: path, insteadOf: read) {
      print(String(decoding: edited.bytes, as: UTF8.self), terminator: "")
    } else {
      print("another program has changed the file")
    }
  }

  func keep(in library: SequenceLibrary) throws {
    let tea = SequenceDefinition("Tea") { Card("Steep", .countdown(.seconds(240))) }
    let path = try library.add(SequenceFile.text(of: tea), named: "tea")
    let names = try library.names()
    print(
      "\(names.joined(separator: ", ")) in \(path.split(separator: "/").suffix(2).joined(separator: "/"))")

    if let path = try library.path(of: "tea") {
      print(try SequenceFile.read(path: path).definition.title)
    }
  }
}
