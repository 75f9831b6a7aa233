import { ConnectionError, CowryError } from '../../../client/index.ts'
import { PlainProblem } from '../ui/plainError.ts'

/**
 * The `Idempotency-Key` of what was entered in a form: one for each content, however often it is sent. So a
 * second press, or one after a lost answer, makes nothing twice.
 */
export function createFormKeys(
  makeKey: () => string = () => crypto.randomUUID(),
): (entered: object) => string {
  const keys = new Map<string, string>()
  return (entered) => {
    const content = JSON.stringify(entered)
    const key = keys.get(content) ?? makeKey()
    keys.set(content, key)
    return key
  }
}

/** What a person reads where a request with a key got no final answer. @param what as `payout` */
export function unansweredText(error: unknown, what: string): unknown {
  if (error instanceof ConnectionError)
    return new PlainProblem(
      `The answer was lost. Press again: the ${what} is created once, however often you press. If you close this instead, check first if it is there.`,
    )
  if (error instanceof CowryError && error.code === 'request_in_progress')
    return new PlainProblem(`The ${what} is still being created. Press again in a moment to see it.`)
  return error
}
