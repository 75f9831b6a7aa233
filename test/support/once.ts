/** Calls it when it is first asked for, and gives every caller the same promise: what several tests look at, made by whichever runs first. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
