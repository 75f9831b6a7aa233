/** Rows to enqueue without a query for those that are due. */
export interface NamedRows {
  /** @param id undefined: unknown; all due rows are read */
  note(id: string | undefined): void
  /** Returns the ids noted since the last call and clears them; null: read all that are due. */
  take(): string[] | null
}

export function createNamedRows(): NamedRows {
  let all = true
  let ids = new Set<string>()
  return {
    note(id) {
      if (id) ids.add(id)
      else all = true
    },
    take() {
      const taken = all ? null : [...ids]
      all = false
      ids = new Set()
      return taken
    },
  }
}
