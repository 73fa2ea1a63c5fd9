package import SequenceRunner

/// Members of the status of a run that is settled at a reading.
extension ActiveRunSnapshot {
  package func applying(_ command: RunCommand, at reading: ClockReading) throws(RunError) -> SettledRun {
    try RunStatus(reading: reading, run: self).applying(command)
  }

  package func leaving(_ cause: SuspendCause, at reading: ClockReading) -> ActiveRunSnapshot? {
    RunStatus(reading: reading, run: self).leaving(cause)
  }
}
