import Glibc

// Converts a file of another program to a sequence file; `sequence import` executes this program.
//
//     sequence-import [--format FORMAT] [--output FILE [--force] [--json]] -- FILE
//
// It is separate from `sequence` because it needs GLib, which exists only as a shared library.

// A closed output is detected by the failing write, without a signal that would end the program.
_ = signal(SIGPIPE, SIG_IGN)
exit(ImportProgram.run(Array(CommandLine.arguments.dropFirst())))
