import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { NavEntry, NavLink } from './navigation.ts'

interface Props {
  entry: NavEntry
  /** The page that is shown, or the one that it is below. */
  page: NavLink
  path: string
}

/** The pages of an entry next to each other; on a narrow screen they scroll sideways. */
export function PageTabs({ entry, page, path }: Props) {
  const current = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another place in the row
  useEffect(() => {
    const tab = current.current
    const row = tab?.closest('ul')
    if (!tab || !row) return
    const center = () => {
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    }
    center()
    const resized = new ResizeObserver(center)
    resized.observe(row)
    return () => resized.disconnect()
  }, [page.to])
  if (entry.pages.length === 1) return null
  return (
    <nav className="tabs" aria-label={entry.label}>
      <ul>
        {entry.pages.map((each) => (
          <li key={each.to}>
            <Link
              className="tab"
              href={each.to}
              ref={each === page ? current : undefined}
              aria-current={each === page ? kindOf(each, path) : undefined}
            >
              {each.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const kindOf = ({ to }: NavLink, path: string): 'page' | 'true' => (to === path ? 'page' : 'true')
