import FoundationEssentials

/// A path that doesn't depend on the working directory.
package func absolutePath(_ path: String) -> String {
  path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
