import Glibc
import SequenceCommand

exit(SequenceProgram.main(Array(CommandLine.arguments.dropFirst())))
