import { useEffect, useRef } from 'react'
import { Failed } from './Failed.tsx'
import type { Pages } from './usePages.ts'

/** The API counts no further. */
const countedTo = 10_000

interface Props<T> {
  pages: Pages<T>
  shown: number
  total: number
  /** There may be more than `total`: counting stopped there, before the 10,000 of all lists. */
  atLeast?: boolean
  next: string | null
}

/** Shows how much of a list is loaded, and a button for more. */
export function More<T>({ pages, shown, total, atLeast = false, next }: Props<T>) {
  const count = useRef<HTMLParagraphElement>(null)
  const asked = useRef(false)
  useEffect(() => {
    // The button disappears with the last page, and the focus with it.
    if (!next && asked.current) count.current?.focus()
  }, [next])
  return (
    <div className="more">
      <p ref={count} tabIndex={-1} className="fine" role="status">
        {shown} of {total}
        {(atLeast || (next !== null && total === countedTo)) && ' or more'} shown
      </p>
      {pages.moreFailed !== undefined && <Failed error={pages.moreFailed} />}
      {next && (
        <button
          type="button"
          className="button"
          aria-disabled={pages.loadingMore}
          onClick={() => {
            asked.current = true
            pages.more()
          }}
        >
          {pages.loadingMore ? 'Loading…' : 'Show more'}
        </button>
      )}
    </div>
  )
}
