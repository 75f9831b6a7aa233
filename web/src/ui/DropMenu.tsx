import * as Menu from '@radix-ui/react-dropdown-menu'
import { type KeyboardEvent, type ReactElement, type ReactNode, useCallback, useRef, useState } from 'react'

interface Props {
  /** The button that opens it. */
  button: ReactElement
  align?: 'start' | 'end'
  /** Entries of `MenuItem`. */
  children: ReactNode
}

/** An entry of a menu: a button, or with `asChild` the link inside it. */
export const MenuItem = Menu.Item
export const MenuSeparator = Menu.Separator

/**
 * A menu by Radix: arrows, Home and End move in it, letters go to the entry that begins with them, Escape, a
 * press outside and Tab close it. It is not modal, because the lock of the page's scrolling would need a
 * style element, which our content security policy forbids; and it stays beside its button, not at the end of
 * the page, so that it also works inside a dialog.
 */
export function DropMenu({ button, align = 'start', children }: Props) {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const fromLast = useRef(false)
  const opened = useCallback((content: HTMLDivElement | null) => {
    if (!content || !fromLast.current) return
    fromLast.current = false
    ;[...content.querySelectorAll<HTMLElement>('[role="menuitem"]')].at(-1)?.focus()
  }, [])
  function openFromLast(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp') return
    event.preventDefault()
    fromLast.current = true
    setOpen(true)
  }
  /** Tab goes on from the button. Radix would hold it in the menu. */
  function leave(event: KeyboardEvent): void {
    if (event.key !== 'Tab') return
    event.stopPropagation()
    setOpen(false)
    trigger.current?.focus()
  }
  return (
    <Menu.Root open={open} onOpenChange={setOpen} modal={false}>
      <Menu.Trigger
        asChild
        ref={trigger}
        // It opens at the click: at the press, as Radix has it, a finger that only scrolls would open it.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
        onKeyDown={openFromLast}
      >
        {button}
      </Menu.Trigger>
      <Menu.Content
        ref={opened}
        className="menu"
        align={align}
        sideOffset={6}
        collisionPadding={12}
        loop
        onKeyDownCapture={leave}
        // The focus goes back to the button, unless it has gone on by Tab or into a dialog.
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (document.activeElement === document.body) trigger.current?.focus()
        }}
        // The click on the button closes it by itself.
        onInteractOutside={(event) => {
          if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault()
        }}
      >
        {children}
      </Menu.Content>
    </Menu.Root>
  )
}
