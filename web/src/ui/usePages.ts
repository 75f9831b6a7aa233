import { useState } from 'react'
import { type Loadable, useLoaded } from './useLoaded.ts'

export interface PageOf<T> {
  rows: T[]
  total: number
  nextCursor: string | null
}

export interface Pages<T> extends Loadable<PageOf<T>> {
  /** No further page was added: a reload throws nothing away. */
  isFirstAlone: boolean
  more: () => void
  loadingMore: boolean
  moreFailed: unknown
}

interface Further<T> {
  /** The first page that these rows follow. A reload replaces it, and they are dropped. */
  first: PageOf<T>
  rows: T[]
  nextCursor: string | null
}

/** A list that grows page by page, by cursor. */
export function usePages<T>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<PageOf<T>>,
): Pages<T> {
  const first = useLoaded(key, (signal) => load(undefined, signal))
  const [further, setFurther] = useState<Further<T>>()
  const [loadingMore, setLoadingMore] = useState(false)
  const [moreFailed, setMoreFailed] = useState<unknown>()

  const firstPage = first.now.state === 'ready' ? first.now.value : undefined
  const added = further && further.first === firstPage ? further : undefined
  const nextCursor = added ? added.nextCursor : (firstPage?.nextCursor ?? null)

  async function more(): Promise<void> {
    if (!firstPage || !nextCursor || loadingMore) return
    setLoadingMore(true)
    setMoreFailed(undefined)
    try {
      const next = await load(nextCursor)
      setFurther({
        first: firstPage,
        rows: [...(added?.rows ?? []), ...next.rows],
        nextCursor: next.nextCursor,
      })
    } catch (error) {
      setMoreFailed(error)
    } finally {
      setLoadingMore(false)
    }
  }

  const now = firstPage
    ? {
        state: 'ready' as const,
        value: { ...firstPage, rows: [...firstPage.rows, ...(added?.rows ?? [])], nextCursor },
      }
    : first.now
  return {
    ...first,
    now,
    isFirstAlone: added === undefined,
    more: () => void more(),
    loadingMore,
    moreFailed,
  }
}
