import {
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

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

/**
 * A button with a menu of what is seldom done, or dangerous: out of the way, and not pressed by mistake.
 * Arrows, Home and End move in it, a letter goes to the next entry that begins with it, and Escape or Tab
 * close it.
 */
export function ActionMenu({ label = 'More actions', actions }: Props) {
  const [first, setFirst] = useState<'first' | 'last'>()
  const [place, setPlace] = useState<CSSProperties>()
  const isOpen = first !== undefined
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const moveToButton = useCallback(() => {
    if (button.current) setPlace(placeBelow(button.current))
  }, [])
  useEffect(() => {
    if (!isOpen) return
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setFirst(undefined)
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    addEventListener('resize', moveToButton)
    addEventListener('scroll', moveToButton, true)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      removeEventListener('resize', moveToButton)
      removeEventListener('scroll', moveToButton, true)
    }
  }, [isOpen, moveToButton])
  useLayoutEffect(() => {
    if (first)
      itemsIn(box.current)
        .at(first === 'first' ? 0 : -1)
        ?.focus()
  }, [first])
  function open(at: 'first' | 'last'): void {
    moveToButton()
    setFirst(at)
  }
  function close(): void {
    setFirst(undefined)
    button.current?.focus()
  }
  function choose(action: MenuAction): void {
    // The dialog that this opens gives the focus back to the button: the entry is gone by then.
    close()
    action.onChoose()
  }
  function openByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open(event.key === 'ArrowDown' ? 'first' : 'last')
  }
  function move(event: KeyboardEvent): void {
    if (event.key === 'Tab' || event.key === 'Escape') {
      // Escape closes the menu alone; Tab goes on from the button.
      if (event.key === 'Escape') event.stopPropagation()
      close()
      return
    }
    const next = nextItem(itemsIn(box.current), event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  if (actions.length === 0) return null
  return (
    <div className="action-menu" ref={box}>
      <button
        ref={button}
        type="button"
        className="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => (isOpen ? close() : open('first'))}
        onKeyDown={openByKey}
      >
        <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 12h.01M12 12h.01M19 12h.01" />
        </svg>
      </button>
      {isOpen && (
        <div id={id} role="menu" aria-label={label} style={place} tabIndex={-1} onKeyDown={move}>
          {actions.map((action) => (
            <button
              key={action.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={action.danger ? 'danger' : undefined}
              onClick={() => choose(action)}
            >
              {action.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Below the button, to the side where there is room. */
function placeBelow(button: HTMLElement): CSSProperties {
  const { left, right, bottom } = button.getBoundingClientRect()
  const { clientWidth } = document.documentElement
  const isLeft = (left + right) / 2 < clientWidth / 2
  return { top: bottom + 6, ...(isLeft ? { left } : { right: clientWidth - right }) }
}

const itemsIn = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
]

/** The entry that a key leads to, from the one that has the focus. */
function nextItem(items: HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.findIndex((item) => item.matches(':focus'))
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length]
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1)
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
  }
  if (key.length !== 1 || key === ' ') return undefined
  const begins = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(key.toLowerCase())
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
}
