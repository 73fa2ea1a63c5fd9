import Glibc
import SequenceWindow

exit(WindowProgram.main(Array(CommandLine.arguments.dropFirst())))
