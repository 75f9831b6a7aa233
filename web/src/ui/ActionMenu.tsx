import { useRef } from 'react'
import { DropMenu, MenuItem } from './DropMenu.tsx'

export interface MenuAction {
  label: string
  /** It cannot be undone. */
  danger?: boolean
  onChoose: () => void
}

interface Props {
  /** What the button is called, for screen readers. */
  label?: string
  actions: readonly MenuAction[]
}

/** A button with a menu of what is seldom done, or dangerous: out of the way, and not pressed by mistake. */
export function ActionMenu({ label = 'More actions', actions }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  function choose(action: MenuAction): void {
    // The dialog that this opens gives the focus back to the button: the entry is gone by then.
    button.current?.focus()
    action.onChoose()
  }
  if (actions.length === 0) return null
  return (
    <DropMenu
      align="end"
      button={
        <button ref={button} type="button" className="button action-menu" aria-label={label}>
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M5 12h.01M12 12h.01M19 12h.01" />
          </svg>
        </button>
      }
    >
      {actions.map((action) => (
        <MenuItem
          key={action.label}
          className={action.danger ? 'menu-entry danger' : 'menu-entry'}
          onSelect={() => choose(action)}
        >
          {action.label}
        </MenuItem>
      ))}
    </DropMenu>
  )
}
