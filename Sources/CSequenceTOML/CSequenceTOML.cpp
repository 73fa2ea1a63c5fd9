// The seam to toml++, a library of C++ templates: it has no interface that Swift or C could call.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
// toml++ 3.3 asserts that the name of a table begins with a valid character, before the code that reports an invalid
// one. With NDEBUG it would assume the same, which is undefined behavior for a file with a mistake.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <cstring>
#include <sstream>
#include <toml++/toml.h>

#include "CSequenceTOML.h"

CTOMLResult ctoml_read(const char *bytes, size_t length) {
  auto parsed = toml::parse(std::string_view(bytes, length));
  if (!parsed) {
    const auto &error = parsed.error();
    return {nullptr, strdup(std::string(error.description()).c_str()), static_cast<long>(error.source().begin.line)};
  }
  std::ostringstream json;
  // Indentation would grow with the square of the depth.
  json << toml::json_formatter(parsed.table(), toml::json_formatter::default_flags & ~toml::format_flags::indentation);
  return {strdup(json.str().c_str()), nullptr, 0};
}

long ctoml_line(const char *bytes, size_t length, const char *path) {
  auto parsed = toml::parse(std::string_view(bytes, length));
  if (!parsed) return 0;
  auto node = parsed.table().at_path(path);
  return node ? static_cast<long>(node.node()->source().begin.line) : 0;
}

void ctoml_free(CTOMLResult result) {
  free(result.json);
  free(result.error);
}
