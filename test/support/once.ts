/**
 * Calls `make` at the first call and gives every caller the same promise: a fixture of several tests, made by
 * the first one.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
