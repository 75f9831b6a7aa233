import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

interface Props {
  title: string
  /** The title of the browser's tab, if it is longer than the heading. */
  tab?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/**
 * The last page shown, and whether it came from a navigation: on the first page the browser places the focus.
 */
export const PageShown = createContext<{ current: { path: string; wentThere: boolean } | null }>({
  current: null,
})

/** A page's heading and title. After a navigation the heading gets the focus, so that it is read out. */
export function Page({ title, tab = title, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useContext(PageShown)
  const [path] = useLocation()
  useEffect(() => {
    document.title = `${tab} · Cowry`
  }, [tab])
  useEffect(() => {
    const last = shown.current
    if (!last) shown.current = { path, wentThere: false }
    else if (last.path !== path) shown.current = { path, wentThere: true }
    if (!shown.current?.wentThere) return
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [shown, path])
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
