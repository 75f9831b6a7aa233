import { CowryError } from '../../../../client/index.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { type Fact, ifAny } from './facts.ts'
import type { Collection } from './types.ts'

interface Props {
  collection: Collection
  onClose: () => void
  /** Gets the collection as it is now. */
  onDone: (collection: Collection) => void
  /** The collection has changed since it was loaded: loads it again. */
  onOutdated: () => Promise<void>
}

export function CancelCollectionDialog({ collection, onClose, onDone, onOutdated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function cancel(): Promise<void> {
    try {
      onDone(
        await api.call('cancelCollectionOfBusiness', {
          path: { businessId: business.id, id: collection.id },
        }),
      )
    } catch (error) {
      if (error instanceof CowryError && error.code === 'collection_not_open') await onOutdated()
      throw error
    }
    onClose()
    notify('The collection is cancelled.')
  }
  const { amount, currency, bankName, bankAccountNumber, reference } = collection
  const account = [bankAccountNumber, bankName].filter((each) => each !== null).join(', ')
  const facts: Fact[] = [
    ['Amount', `${amount} ${currency}`],
    ...ifAny('Account', account),
    ...ifAny('Reference', reference),
  ]
  return (
    <ConfirmDialog title="Cancel this collection?" confirm="Cancel collection" onClose={onClose} act={cancel}>
      <Facts facts={facts} />
      <p>
        The partner is asked to agree, if it has the collection. Money that comes later goes back to the
        customer.
      </p>
    </ConfirmDialog>
  )
}
