import { test } from '@jest/globals'

interface ParallelTests {
  /** Declares a test. Its scenario runs after the earlier ones of its track. */
  test(track: string, name: string, scenario: () => Promise<unknown>, timeoutMs?: number): void
}

/**
 * Tests whose scenarios run in tracks: those of one track in order, the tracks in parallel. The first test
 * starts them all, so that no chain waits for the blocks of another. A test fails when its own scenario does.
 */
export function createParallelTests(): ParallelTests {
  const tracks = new Map<string, (() => Promise<void>)[]>()
  let started = false
  const start = () => {
    if (started) return
    started = true
    for (const scenarios of tracks.values())
      void scenarios.reduce((last, scenario) => last.then(scenario), Promise.resolve())
  }
  return {
    test(track, name, scenario, timeoutMs) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      promise.catch(() => {})
      const scenarios = tracks.get(track) ?? []
      tracks.set(track, scenarios)
      scenarios.push(() => scenario().then(resolve, reject))
      test(
        name,
        async () => {
          start()
          await promise
        },
        timeoutMs,
      )
    },
  }
}
