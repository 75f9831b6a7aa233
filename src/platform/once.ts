/** Does something at its first call, and gives what came of it from then on; what failed is tried again. */
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
