#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a text in TOML: JSON, or what is wrong and in which line.
typedef struct {
  /// The text as JSON, ended by a zero; null if it is not TOML.
  char *_Nullable json;
  /// What is wrong, ended by a zero; null if nothing is.
  char *_Nullable error;
  /// The line of what is wrong, from 1.
  long line;
} CTOMLResult;

/// Reads a text in TOML, which must be UTF-8.
CTOMLResult ctoml_read(const char *_Nonnull bytes, size_t length);

/// Returns the line of the value at a path such as `a[1].b`, from 1; 0 if there is none.
long ctoml_line(const char *_Nonnull bytes, size_t length, const char *_Nonnull path);

/// Frees what a result holds.
void ctoml_free(CTOMLResult result);

#ifdef __cplusplus
}
#endif
