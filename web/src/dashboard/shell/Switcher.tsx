import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../session/session.ts'
import { Icon } from './Icon.tsx'
import { businessPath } from './navigation.ts'

interface Props {
  /** The business whose pages the navigation lists; undefined: those of the platform, or none. */
  businessId: string | undefined
  platform: boolean
  path: string
}

/** Names the business of the navigation, and leads to the others and to the platform. */
export function Switcher({ businessId, platform, path }: Props) {
  const { account, businesses } = useMe()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it folds whenever another page is shown
  useEffect(() => setOpen(false), [path])
  const current = businesses.find((each) => each.id === businessId)
  const places = [
    ...businesses.map((each) => ({ label: each.name, to: businessPath(each.id), isHere: each === current })),
    ...(account.operator ? [{ label: 'Platform', to: '/platform/businesses', isHere: platform }] : []),
  ]
  function close(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !open) return
    // It closes the list alone, and not the menu around it.
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list from each of its links
    <div className="switcher" onKeyDown={close}>
      <button
        ref={button}
        type="button"
        className="switch"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span className="switch-name">
          <span className="unseen">Switch business, now: </span>
          {platform ? 'Platform' : (current?.name ?? 'Choose a business')}
        </span>
        <Icon name="chevron" />
      </button>
      <ul id={id} hidden={!open}>
        {places.map(({ label, to, isHere }) => (
          <li key={to}>
            <Link className="nav-link" href={to} aria-current={isHere ? 'true' : undefined}>
              {label}
            </Link>
          </li>
        ))}
        <li className="apart">
          <Link className="nav-link" href="/businesses">
            Your businesses
          </Link>
        </li>
      </ul>
    </div>
  )
}
