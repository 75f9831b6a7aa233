/** The words of a command line are wrong. The command's usage is printed with it. */
export class UsageError extends Error {
  override name = 'UsageError'

  /** @param problem what is wrong; without one, that they are not understood */
  constructor(problem = 'these arguments are not understood') {
    super(problem)
  }
}
