import { useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { MemoFields } from '../MemoFields.tsx'
import { useApi } from '../session/session.ts'
import { heldOf } from '../wallets/balances.ts'
import type { Wallet, WalletBalance } from '../wallets/types.ts'
import { allOf, draftIn, type EstimatedTransfer, type SendDraft, tokenChoicesOf } from './sendForm.ts'
import type { TransferToken } from './types.ts'

interface Props {
  wallet: Wallet
  /** What was entered before. */
  draft: SendDraft | undefined
  /** The amount that was tried for what was entered, where its answer was lost. */
  knownAmount: (draft: SendDraft) => string | undefined
  onClose: () => void
  onEstimated: (estimated: EstimatedTransfer) => void
}

export function SendFormDialog({ wallet, draft, knownAmount, onClose, onEstimated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const { chain, address } = wallet
  const path = { businessId: business.id }
  const loaded = useLoaded(wallet.id, (signal) =>
    api.call('readBalanceOfBusiness', { path, body: { chain, address }, signal }),
  )
  async function send(data: FormData, balance: WalletBalance): Promise<void> {
    const given = draftIn(data)
    const estimateOf = (amount: string) => {
      const { toAddress, token, memo, memoType } = given
      const about = { chain, fromAddress: address, toAddress, token }
      const body = { ...about, amount, ...(memo !== undefined && { memo }), ...(memoType && { memoType }) }
      return api.call('estimateTransferOfBusiness', { path, body })
    }
    async function amountOf(): Promise<string> {
      if (given.amount !== 'all') return given.amount
      const known = knownAmount(given)
      const held = heldOf(balance, given.token)
      if (known !== undefined) return known
      if (held === null || !/[1-9]/.test(held))
        throw new FieldProblem({ amount: 'There is nothing to send.' })
      if (given.token !== 'native') return held
      const all = allOf(held, await estimateOf(held), balance.balances.native.symbol)
      if (all === null) throw new FieldProblem({ amount: 'What there is does not pay for the fee.' })
      return all
    }
    const amount = await amountOf()
    onEstimated({ draft: given, amount, estimate: await estimateOf(amount) })
  }
  return (
    <Dialog title="Send" onClose={onClose}>
      <Loaded of={loaded}>
        {(balance) => (
          <Form submit="Continue" send={(data) => send(data, balance)} onCancel={onClose} focusFirst>
            <SendFields chain={chain} balance={balance} draft={draft} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

interface FieldsProps {
  chain: string
  balance: WalletBalance
  draft: SendDraft | undefined
}

function SendFields({ chain, balance, draft }: FieldsProps) {
  const choices = tokenChoicesOf(balance)
  const [token, setToken] = useState<string>(draft?.token ?? choices[0]?.value ?? 'native')
  const [isAll, setAll] = useState(draft?.amount === 'all')
  const label = choices.find(({ value }) => value === token)?.label
  const held = heldOf(balance, token as TransferToken)
  return (
    <>
      <Field
        name="toAddress"
        label="To address"
        required
        maxLength={120}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={draft?.toAddress}
      />
      <MemoFields
        chain={chain}
        hint="Required by exchanges, and for USDC and USDT unless the address starts with M."
        memo={draft?.memo}
        memoType={draft?.memoType}
      />
      <Select
        name="token"
        label="Coin or token"
        choices={choices}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <Field
        name="amount"
        label="Amount"
        hint={held === null ? undefined : `There is ${held} ${label}.`}
        required={!isAll}
        disabled={isAll}
        maxLength={60}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={draft?.amount === 'all' ? '' : draft?.amount}
      />
      <Checkbox
        name="all"
        value="yes"
        label="All of it"
        {...(token === 'native' && { hint: 'Less the fee of the network.' })}
        checked={isAll}
        onChange={setAll}
      />
    </>
  )
}
