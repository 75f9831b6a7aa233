import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface Props {
  title: string
  onClose: () => void
  /** Escape does not close it, because it shows something once. */
  staysOpen?: boolean
  children: ReactNode
}

/** A modal dialog, open while it is mounted. The focus goes back to where it was. */
export function Dialog({ title, onClose, staysOpen = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      // The element that opened it may disappear at the same moment; the page's heading then gets the focus.
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.querySelector<HTMLElement>('h1')?.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // A file field inside it also says `cancel`, when its chooser is closed.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!staysOpen) onClose()
      }}
      onClose={() => {
        const element = dialog.current
        // The event comes late: the dialog may be removed by now, or open again.
        if (!element?.isConnected || element.open) return
        // Browsers close it at the second Escape in any case.
        if (staysOpen) element.showModal()
        else onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
