import * as Tooltip from '@radix-ui/react-tooltip'
import { type ReactNode, useState } from 'react'

interface Props {
  /** What is told: the exact amount, or the whole address. */
  text: string
  /** What is shown, in short. */
  children: ReactNode
  /** Another site, where all of it is: a press leads there. */
  href?: string | null | undefined
}

/** Short text that tells the rest: to the mouse, to the keyboard and, unlike a `title`, to a finger. */
export function Tip({ text, children, href }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Tooltip.Provider delayDuration={250}>
      <Tooltip.Root open={open} onOpenChange={setOpen}>
        {href ? (
          <Tooltip.Trigger asChild>
            <a href={href} target="_blank" rel="noreferrer">
              {children}
            </a>
          </Tooltip.Trigger>
        ) : (
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
        )}
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={12}>
          {text}
        </Tooltip.Content>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}
