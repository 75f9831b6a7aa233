import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'

interface Props {
  title: string
  children: ReactNode
  /** The label of the confirming button. */
  confirm: string
  danger?: boolean
  act: () => Promise<void>
  onClose: () => void
}

/** Requests confirmation. The focus starts at Cancel. */
export function ConfirmDialog({ title, children, confirm, danger = true, act, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={confirm} danger={danger} onCancel={onClose} send={act}>
        {children}
      </Form>
    </Dialog>
  )
}
