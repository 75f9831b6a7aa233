import * as Tooltip from '@radix-ui/react-tooltip'
import { type ReactNode, useState } from 'react'

interface Props {
  /** What is told: the exact amount, or the whole address. */
  text: string
  /** What is shown, in short. */
  children: ReactNode
}

/** Short text that tells the rest: to the mouse, to the keyboard and, unlike a `title`, to a finger. */
export function Tip({ text, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Tooltip.Provider delayDuration={250}>
      <Tooltip.Root open={open} onOpenChange={setOpen}>
        <Tooltip.Trigger
          type="button"
          className="tip-of"
          // Radix closes it at a press, which is all that a finger has.
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.preventDefault()
            setOpen(true)
          }}
        >
          {children}
        </Tooltip.Trigger>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={12}>
          {text}
        </Tooltip.Content>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}
