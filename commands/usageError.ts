import { BaseError } from '../src/platform/errors.ts'

/** The words of a command line are wrong. The command's usage is printed with it. */
export class UsageError extends BaseError {
  readonly code = 'command_line_unusable'
  readonly retry = 'no'

  /** @param problem what is wrong; without one, that they are not understood */
  constructor(problem = 'these arguments are not understood') {
    super(problem)
  }
}
