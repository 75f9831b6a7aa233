import { Asset } from '@stellar/stellar-sdk'
import type { OperationContext } from './context.ts'
import { entryKey, type Offer } from './entries.ts'
import { crossOffers } from './exchange.ts'
import type { View } from './faces.ts'
import { invalidParameter } from './horizonPages.ts'
import { openFrame, type State } from './state.ts'
import { type AssetName, assetFields, formatAmount, maxAmount, nativeAsset, parseAmount } from './values.ts'

/* Path finding: Stellar docs, Horizon, "Paths". At most one hop. */

function namedAsset(params: URLSearchParams, side: 'source' | 'destination'): AssetName {
  if (params.get(`${side}_asset_type`) === 'native') return nativeAsset
  const [code, issuer] = [params.get(`${side}_asset_code`), params.get(`${side}_asset_issuer`)]
  if (!code || !issuer) throw invalidParameter(`${side}_asset_type`, 'Missing required field')
  return new Asset(code, issuer).toString()
}

const listed = (text: string | null): AssetName[] => (text ? text.split(',') : [])

/** The assets that an account holds: it can pay or be paid in them. */
function heldBy(view: View, account: string | null): AssetName[] {
  if (!account || view.entry(entryKey.account(account)) === undefined) return []
  return [
    nativeAsset,
    ...view
      .entries()
      .flatMap((entry) => (entry.kind === 'trustline' && entry.account === account ? [entry.asset] : [])),
  ]
}

export function pathRecords(view: View, kind: string, params: URLSearchParams): Record<string, unknown>[] {
  const send = kind === 'strict-send'
  const fixed = send ? 'source' : 'destination'
  const amount = parseAmount(params.get(`${fixed}_amount`) ?? '')
  if (amount === null) throw invalidParameter(`${fixed}_amount`, 'Value must be positive')
  const known = namedAsset(params, fixed)
  const others = send
    ? [...listed(params.get('destination_assets')), ...heldBy(view, params.get('destination_account'))]
    : [...listed(params.get('source_assets')), ...heldBy(view, params.get('source_account'))]
  return [...new Set(others)].flatMap((other) => {
    const [from, to] = send ? [known, other] : [other, known]
    const traded =
      from === to
        ? { sent: amount, received: amount }
        : trade(view, from, to, send ? { send: amount } : { receive: amount })
    if (!traded) return []
    return [
      {
        ...assetFields(from, 'source_'),
        source_amount: formatAmount(traded.sent),
        ...assetFields(to, 'destination_'),
        destination_amount: formatAmount(traded.received),
        path: [],
        paging_token: '',
      },
    ]
  })
}

function trade(
  view: View,
  send: AssetName,
  receive: AssetName,
  amount: { send: bigint } | { receive: bigint },
) {
  const offers = (selling: AssetName, buying: AssetName): Offer[] =>
    view
      .entries()
      .flatMap((entry) =>
        entry.kind === 'offer' && entry.selling === selling && entry.buying === buying ? [entry] : [],
      )
  const state: State = { get: view.entry, offers }
  const frame = openFrame(state, view.latest().sequence)
  const limits =
    'send' in amount
      ? { maxSend: amount.send, maxReceive: maxAmount }
      : { maxSend: maxAmount, maxReceive: amount.receive }
  const context: Pick<OperationContext, 'frame' | 'source'> = { frame, source: '' }
  const crossing = crossOffers(
    context,
    { send, receive },
    limits,
    'send' in amount ? 'strictSend' : 'strictReceive',
  )
  const whole = 'send' in amount ? crossing.sent === amount.send : crossing.received === amount.receive
  return whole ? crossing : null
}
