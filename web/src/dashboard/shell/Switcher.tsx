import { Link } from 'wouter'
import { DropMenu, MenuItem, MenuSeparator } from '../../ui/DropMenu.tsx'
import { useMe } from '../session/session.ts'
import { Icon } from './Icon.tsx'
import { businessPath } from './navigation.ts'

interface Props {
  /** The business whose pages the navigation lists; undefined: those of the platform, or none. */
  businessId: string | undefined
  platform: boolean
}

/** Names the business of the navigation, and leads to the others and to the platform. */
export function Switcher({ businessId, platform }: Props) {
  const { account, businesses } = useMe()
  const current = businesses.find((each) => each.id === businessId)
  const places = [
    ...businesses.map((each) => ({ label: each.name, to: businessPath(each.id), isHere: each === current })),
    ...(account.operator ? [{ label: 'Platform', to: '/platform/businesses', isHere: platform }] : []),
  ]
  return (
    <div className="switcher">
      <DropMenu
        button={
          <button type="button" className="switch">
            <span className="switch-name">
              <span className="unseen">Switch business, now: </span>
              {platform ? 'Platform' : (current?.name ?? 'Choose a business')}
            </span>
            <Icon name="chevron" />
          </button>
        }
      >
        {places.map(({ label, to, isHere }) => (
          <MenuItem key={to} asChild>
            <Link className="menu-entry" href={to} aria-current={isHere ? 'true' : undefined}>
              {label}
            </Link>
          </MenuItem>
        ))}
        <MenuSeparator className="menu-line" />
        <MenuItem asChild>
          <Link className="menu-entry" href="/businesses">
            Your businesses
          </Link>
        </MenuItem>
      </DropMenu>
    </div>
  )
}
