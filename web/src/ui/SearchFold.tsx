import type { ReactNode } from 'react'

const isWide = () => window.matchMedia('(min-width: 40rem)').matches

interface Props {
  /** Open from the start: the list is searched. */
  isUsed: boolean
  children: ReactNode
}

/** The form of a search; folded on a phone, whose screen it would fill. */
export function SearchFold({ isUsed, children }: Props) {
  return (
    <search>
      <details className="more-search" open={isUsed || isWide()}>
        <summary>Search</summary>
        {children}
      </details>
    </search>
  )
}
