import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useRoute } from 'wouter'
import { Email } from '../../ui/Email.tsx'
import { useMe } from '../session/session.ts'
import { Brand } from './Brand.tsx'
import { homePath } from './home.ts'
import { Navigation } from './Navigation.tsx'
import { businessEntries, currentOf, platformEntries } from './navigation.ts'
import { PageTabs } from './PageTabs.tsx'
import { SignOutButton } from './SignOutButton.tsx'
import { Switcher } from './Switcher.tsx'

/** Navigation next to the page; on a narrow screen it folds behind a button. */
export function Shell({ children }: { children: ReactNode }) {
  const me = useMe()
  const [path] = useLocation()
  const businessId = useShownBusiness()
  const platform = me.account.operator && path.startsWith('/platform/')
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it folds whenever another page is shown
  useEffect(() => setOpen(false), [path])
  const entries = entriesFor(platform, businessId)
  const current = currentOf(entries, path)
  function close(event: KeyboardEvent): void {
    // Escape that closed the switcher's menu is spent.
    if (event.key !== 'Escape' || !open || event.isDefaultPrevented()) return
    setOpen(false)
    menu.current?.focus()
  }
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <Link href={homePath(me)} className="home">
          <Brand />
        </Link>
        <button
          ref={menu}
          type="button"
          className="button menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </header>
      <nav id="navigation" className={open ? 'nav open' : 'nav'} aria-label="Main" onKeyDown={close}>
        <Switcher businessId={platform ? undefined : businessId} platform={platform} />
        <Navigation entries={entries} current={current?.entry} path={path} />
        <div className="nav-foot">
          <Link
            className="nav-link account"
            href="/account"
            aria-current={path === '/account' ? 'page' : undefined}
          >
            <span className="strong">Account</span>
            <span className="fine">
              <Email of={me.account.email} />
            </span>
          </Link>
          <SignOutButton />
        </div>
      </nav>
      <main id="main" className="main" tabIndex={-1}>
        {current && <PageTabs entry={current.entry} page={current.page} path={path} />}
        {children}
      </main>
    </div>
  )
}

const entriesFor = (platform: boolean, businessId: string | undefined) => {
  if (platform) return platformEntries
  return businessId === undefined ? [] : businessEntries(businessId)
}

/** The business of the page; on pages of no business the last one, or a person's default or only one. */
function useShownBusiness(): string | undefined {
  const { account, businesses } = useMe()
  const [, route] = useRoute('/b/:businessId/*?')
  const [last, setLast] = useState<string>()
  const isOwn = (id: string | undefined) => businesses.some((each) => each.id === id)
  const here = isOwn(route?.businessId) ? route?.businessId : undefined
  if (here !== undefined && here !== last) setLast(here)
  if (route) return here
  const usual = account.defaultBusinessId ?? (businesses.length === 1 ? businesses[0]?.id : undefined)
  return [last, usual].find((id) => id !== undefined && isOwn(id))
}
