import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useRoute } from 'wouter'
import { Email } from '../../ui/Email.tsx'
import { useMe } from '../session/session.ts'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'
import { navigationFor } from './navigation.ts'
import { SignOutButton } from './SignOutButton.tsx'

/** Navigation next to the page; on a narrow screen it folds behind a button. */
export function Shell({ children }: { children: ReactNode }) {
  const me = useMe()
  const [path] = useLocation()
  const [, inBusiness] = useRoute('/b/:businessId/*?')
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it folds whenever another page is shown
  useEffect(() => setOpen(false), [path])
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <Link href="/businesses" className="home">
          <Brand />
        </Link>
        <button
          type="button"
          className="button menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </header>
      <nav id="navigation" className={open ? 'nav open' : 'nav'} aria-label="Main">
        <Navigation sections={navigationFor(me, inBusiness?.businessId)} />
        <div className="nav-foot">
          <p className="fine">
            <Email of={me.account.email} />
          </p>
          <SignOutButton />
        </div>
      </nav>
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
