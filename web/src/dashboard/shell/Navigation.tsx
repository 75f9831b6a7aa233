import { Link } from 'wouter'
import { Icon } from './Icon.tsx'
import type { NavEntry } from './navigation.ts'

interface Props {
  entries: readonly NavEntry[]
  /** The entry of the page that is shown. ⟦O:}) => (
          <li key={to}>
            <Link href={to} aria-⟦B:}) => (
          <li key={to}>
            <Link
              href={to}
              aria-⟦T:*/
  ⟧current⟦O:={currentOf(path, to)}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>⟦B:={path === to ? 'page' : path.startsWith(`${to}/`) ? 'true' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>⟦T:: NavEntry | undefined⟧
  path: string
}

/** The page itself, or one below it. */
function currentOf(path: string, to: string): 'page' | 'true' | undefined {
  if (path === to) return 'page'
  return path.startsWith(`${to}/`) ? 'true' : undefined
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
