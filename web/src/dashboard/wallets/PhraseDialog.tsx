import { useState } from 'react'
import { CowryError } from '../../../../client/index.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { PlainProblem } from '../../ui/plainError.ts'
import { useBusiness } from '../business/business.ts'
import { unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { MadeWallet, Wallet } from './types.ts'
import { storedIn } from './walletForm.ts'

interface Props {
  made: MadeWallet
  onClose: () => void
  onStored: (wallet: Wallet) => void
}

/** Shows a phrase once, and stores its wallet: none is stored whose phrase nobody has seen. */
export function PhraseDialog({ made, onClose, onStored }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  const [written, setWritten] = useState(false)
  const { phrase, chain, address } = made
  async function store(): Promise<void> {
    if (!written) throw new PlainProblem('Write the phrase down first, then tick the box.')
    onStored(await stored())
    notify('The wallet is stored.')
  }
  async function stored(): Promise<Wallet> {
    const path = { businessId: business.id }
    try {
      return await api.call('storeWalletOfBusiness', { path, body: storedIn(made, phrase) })
    } catch (error) {
      if (!(error instanceof CowryError) || error.code !== 'wallet_exists')
        throw unansweredText(error, 'wallet')
      // Only this page has its phrase: an answer of before was lost.
      const query = { chain, address }
      const { wallets } = await api.call('listWalletsOfBusiness', { path, query })
      const [found] = wallets
      if (!found) throw error
      return found
    }
  }
  return (
    <Dialog title="Write down its recovery phrase" onClose={onClose} staysOpen>
      <div className="notice warn">
        <p>
          With these words in this order anybody can send everything that the wallet holds. They are shown
          only now. Keep them on paper, where only you can read them.
        </p>
      </div>
      <ol className="codes words" aria-label="Recovery phrase">
        {phrase.split(' ').map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can be there twice, and none moves
          <li key={index}>
            <code>{word}</code>
          </li>
        ))}
      </ol>
      <CopyButton text={phrase} label="Copy phrase" />
      <p className="fine">
        {chainLabel(chain)}, <code>{address}</code>
      </p>
      <Form submit="Store wallet" send={store} onCancel={onClose}>
        <Checkbox
          name="written"
          value="yes"
          label="I have written the phrase down"
          checked={written}
          onChange={setWritten}
        />
      </Form>
    </Dialog>
  )
}
