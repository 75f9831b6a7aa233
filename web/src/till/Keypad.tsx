import { useEffect, useRef, useState } from 'react'
import { createFormKeys, unansweredText } from '../dashboard/formKeys.ts'
import { useApi } from '../dashboard/session/session.ts'
import { Failed } from '../ui/Failed.tsx'
import { decimalsOf, type Key, keyOf, readAmount, shownAmount, typed } from './amount.ts'
import { assetsOf, firstAsset } from './assets.ts'
import { readAsset, rememberAsset } from './remembered.ts'
import type { TillFacts, TillSession } from './types.ts'

interface Props {
  businessId: string
  till: TillFacts
  onCreated: (session: TillSession) => void
}

const keys: readonly Key[] = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '.', '0', 'back']
const names: Partial<Record<Key, string>> = { '.': 'Decimal point', back: 'Delete the last digit' }

/** Decimals of a price in a token: less than a cent is no price. */
const tokenDecimals = 2

/** The amount of the next customer, and what they pay with. */
export function Keypad({ businessId, till, onCreated }: Props) {
  const api = useApi()
  const assets = assetsOf(till)
  const [amount, setAmount] = useState('')
  const [chosen, choose] = useState(() => readAsset(businessId))
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [keyFor] = useState(() => createFormKeys())
  const heading = useRef<HTMLHeadingElement>(null)
  const asset = firstAsset(assets, chosen)
  const currency = till.currency ?? asset?.token ?? ''
  const decimals = till.currency === null ? tokenDecimals : decimalsOf(till.currency)
  const ready = readAmount(amount)

  useEffect(() => {
    document.title = 'Till'
    heading.current?.focus({ preventScroll: true })
  }, [])

  async function charge(): Promise<void> {
    if (ready === null || !asset || isSending) return
    setIsSending(true)
    setFailure(undefined)
    const body = {
      chain: asset.chain,
      token: asset.token,
      ...(till.currency === null ? { amount: ready } : { localAmount: ready }),
    }
    try {
      onCreated(
        await api.call('createTillSession', { path: { businessId }, body, idempotencyKey: keyFor(body) }),
      )
      rememberAsset(businessId, asset.key)
    } catch (error) {
      setFailure(unansweredText(error, 'payment'))
      setIsSending(false)
    }
  }

  const latest = useRef({ charge, decimals })
  useEffect(() => {
    latest.current = { charge, decimals }
  })
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      // Buttons and the list of networks have keys of their own.
      const isControl = event.target instanceof HTMLElement && event.target.closest('button, select, a')
      if (event.key === 'Enter' && !isControl) void latest.current.charge()
      const key = event.target instanceof HTMLSelectElement ? null : keyOf(event.key)
      if (key !== null) setAmount((was) => typed(was, key, latest.current.decimals))
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])

  if (!asset) {
    return (
      <p className="notice warn">
        This business takes no network yet. Its owner switches networks on in the dashboard, under Settings.
      </p>
    )
  }
  return (
    <section className="keypad" aria-label="New payment">
      <h1 ref={heading} tabIndex={-1} className="unseen">
        New payment
      </h1>
      <p className="till-amount" role="status">
        <span className="unit">{currency}</span> <span className="figure">{shownAmount(amount)}</span>
      </p>
      <label className="till-asset">
        <span>Customer pays with</span>
        <select value={asset.key} onChange={(event) => choose(event.target.value)}>
          {assets.map(({ key, label, isReady }) => (
            <option key={key} value={key} disabled={!isReady}>
              {isReady ? label : `${label} (not ready)`}
            </option>
          ))}
        </select>
      </label>
      {asset.isDelayed && (
        <p className="notice warn">Payments on this network are seen late at the moment.</p>
      )}
      <fieldset className="pad">
        <legend className="unseen">Amount</legend>
        {keys.map((key) => (
          <button
            key={key}
            type="button"
            className="button"
            aria-label={names[key]}
            disabled={key === '.' && decimals === 0}
            onClick={() => setAmount((was) => typed(was, key, decimals))}
          >
            {key === 'back' ? '⌫' : key}
          </button>
        ))}
      </fieldset>
      {failure !== undefined && <Failed error={failure} />}
      <button
        type="button"
        className="button primary charge"
        aria-disabled={ready === null || isSending}
        onClick={() => void charge()}
      >
        {ready === null ? 'Enter an amount' : `Charge ${currency} ${shownAmount(ready)}`}
      </button>
    </section>
  )
}
