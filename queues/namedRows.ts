import { type Bell, createBell } from '../src/platform/wait.ts'

/** Rows to enqueue without a query for those that are due. Its wait ends when rows are noted. */
export interface NamedRows extends Pick<Bell, 'wait'> {
  /** @param id undefined: unknown; all due rows are read */
  note(id: string | undefined): void
  /** Returns the ids noted since the last call and clears them; null: read all that are due. */
  take(): string[] | null
}

export function createNamedRows(): NamedRows {
  const bell = createBell()
  let all = true
  let ids = new Set<string>()
  return {
    note(id) {
      if (id) ids.add(id)
      else all = true
      bell.ring()
    },
    take() {
      const taken = all ? null : [...ids]
      all = false
      ids = new Set()
      return taken
    },
    wait: bell.wait,
  }
}
