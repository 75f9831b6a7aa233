import { type Bell, pause } from './wait.ts'

// biome-ignore lint/suspicious/noConfusingVoidType: usually nothing is returned
type NextPause = number | void

interface Rounds {
  /** Milliseconds between two rounds. */
  everyMs: number
  /** Ends a pause early. */
  bell?: Pick<Bell, 'wait'>
  /**
   * Handles the failure of a round; it may return the pause before the next. Throws what should end the
   * repetition, which without this function is every failure.
   */
  failed?(error: unknown): NextPause
}

/**
 * Runs `round` again and again until `signal` is aborted, with pauses between: the one way of a loop in the
 * background. Resolves once the last round has ended.
 * @param round may return the pause before the next, in milliseconds; 0: at once
 * @throws errors of `round` that `failed` throws on
 */
export async function repeat(
  signal: AbortSignal,
  { everyMs, bell = { wait: pause }, failed }: Rounds,
  round: () => Promise<NextPause>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs: NextPause
    try {
      waitMs = await round()
    } catch (error) {
      if (!failed) throw error
      waitMs = failed(error)
    }
    const ms = waitMs ?? everyMs
    if (ms > 0) await bell.wait(ms, signal)
  }
}
