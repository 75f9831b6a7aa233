import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import type { NavSection } from './navigation.ts'

export function Navigation({ sections }: { sections: NavSection[] }) {
  const id = useId()
  const [path] = useLocation()
  return sections.map(({ title, links }, index) => (
    <div className="nav-section" key={title}>
      <h2 id={`${id}-${index}`}>{title}</h2>
      <ul aria-labelledby={`${id}-${index}`}>
        {links.map(({ label, to }) => (
          <li key={to}>
            <Link href={to} aria-current={currentOf(path, to)}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** The page itself, or one below it. */
function currentOf(path: string, to: string): 'page' | 'true' | undefined {
  if (path === to) return 'page'
  return path.startsWith(`${to}/`) ? 'true' : undefined
}
