import { Link } from 'wouter'
import { Icon } from './Icon.tsx'
import type { NavEntry } from './navigation.ts'

interface Props {
  entries: readonly NavEntry[]
  /** The entry of the page that is shown. */
  current: NavEntry | undefined
  path: string
}

export function Navigation({ entries, current, path }: Props) {
  return (
    <ul className="nav-entries">
      {entries.map((entry) => (
        <li key={entry.label}>
          <Link
            className="nav-link"
            href={entry.pages[0].to}
            aria-current={entry === current ? kindOf(entry, path) : undefined}
          >
            <Icon name={entry.icon} />
            {entry.label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** `page` for the page itself, `true` for a page below it. */
const kindOf = (entry: NavEntry, path: string): 'page' | 'true' =>
  entry.pages[0].to === path ? 'page' : 'true'
