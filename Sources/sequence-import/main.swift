import Glibc

// The program that makes a sequence file of a file of another program; `sequence import` becomes it.
//
//     sequence-import [--format FORMAT] [--output FILE [--force] [--json]] -- FILE
//
// It is apart from `sequence` since it needs GLib, which comes as a shared library only.

// A reader that has gone away is told by the failing write, not by a signal that ends the program.
_ = signal(SIGPIPE, SIG_IGN)
exit(ImportProgram.run(Array(CommandLine.arguments.dropFirst())))
