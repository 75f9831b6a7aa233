/**
 * Runs `work` at the first call and returns its result from then on; a failure is retried at the next call.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    done ??= work().catch((error) => {
      done = null
      throw error
    })
    return done
  }
}
