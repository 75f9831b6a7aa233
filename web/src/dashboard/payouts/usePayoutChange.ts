import { CowryError } from '../../../../client/index.ts'
import { useNotify } from '../../ui/Notices.tsx'
import { PlainProblem } from '../../ui/plainError.ts'
import type { Payout } from './types.ts'

/** A dialog about one payout. */
export interface PayoutDialogProps {
  payout: Payout
  onClose: () => void
  /** Gets the payout as it is now. */
  onDone: (payout: Payout) => void
  /** The payout has changed since it was loaded: loads it again. */
  onOutdated: () => Promise<void>
}

/**
 * Sends a change of a payout, shows its result and closes the dialog. A payout that has changed meanwhile is
 * loaded again, for a second check.
 */
export function usePayoutChange({ onClose, onDone, onOutdated }: Omit<PayoutDialogProps, 'payout'>) {
  const notify = useNotify()
  return async (change: Promise<Payout>, done: string): Promise<void> => {
    try {
      onDone(await change)
    } catch (error) {
      if (!(error instanceof CowryError) || error.code !== 'revision_outdated') throw error
      // Before the message: who presses at once decides about what the page shows by then.
      await onOutdated()
      throw new PlainProblem('The payout has changed. It is loaded again: check it before you decide.')
    }
    onClose()
    notify(done)
  }
}
