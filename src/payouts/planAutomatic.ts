import type { MemoType } from '../chains/chain.ts'
import { type Chain, knownChain, tokenOf } from '../chains/registry.ts'
import { bankPartner } from '../outflows/bank/bankPartner.ts'
import type { BankPrice } from '../outflows/outflow.ts'
import { splitForBank, splitForWallet } from '../outflows/splitAmount.ts'
import type { NewOutflow } from '../outflows/storeOutflow.ts'
import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'

/** Why autopayout made no payout for a session that was paid. */
export type PayoutSkipped = 'too_small' | 'nothing_available' | 'destination_archived' | 'token_unavailable'

/** The part of a session that prices its payout. Decimals are plain. */
export interface PaidSession {
  id: string
  businessId: string
  chain: string
  token: string
  amountExpected: bigint
  /** The requested amount came in time, so that its price holds. */
  isPaidInTime: boolean
  localCurrency: string | null
  rate: string | null
  rateAt: Date | null
  rateSource: string | null
  fxMarginPercent: string
  /** In units of `feeCurrency`, for `amountExpected`. */
  fee: string
  feeCurrency: string
}

/** Where autopayout of an asset goes, with the business's fee. */
export interface AutopayoutTarget {
  destinationId: string
  kind: 'bank' | 'wallet'
  isArchived: boolean
  chain: string | null
  address: string | null
  memo: string | null
  memoType: MemoType | null
  networkId: string | null
  currency: string | null
  feePercent: string
}

const selectTarget = prepared(
  `select d.id as "destinationId", d.kind, d.archived_at is not null as "isArchived", d.chain, d.address, d.memo, d.memo_type as "memoType",
     d.network_id as "networkId", d.currency, trim_scale(b.fee_percent)::text as "feePercent"
   from pos_sessions p join autopayout_settings s on s.business_id = p.business_id and s.chain = p.chain and s.token = p.token and s.enabled
     join payout_destinations d on d.id = s.destination_id and d.business_id = s.business_id join businesses b on b.id = s.business_id
   where p.id = $1`,
)

/** Where autopayout of a session's money goes; null where it is off. */
export async function readTarget(tx: Tx, sessionId: string): Promise<AutopayoutTarget | null> {
  const [target] = await tx.query<AutopayoutTarget>(selectTarget, [sessionId])
  return target ?? null
}

/**
 * The payout of a session's money. A wallet gets the same token, on its own chain, less the fee that the
 * session shows in it. A bank account gets what the session promised for the amount that it requested, paid
 * in time, in the session's currency; any other amount is priced when it is sent.
 * @param amount base units of the session's token
 */
export function planAutomatic(
  { chains }: { chains: readonly Chain[] },
  session: PaidSession,
  target: AutopayoutTarget,
  amount: bigint,
): NewOutflow | PayoutSkipped {
  if (target.isArchived) return 'destination_archived'
  if (amount <= 0n) return 'nothing_available'
  const { id: sessionId, businessId, chain, token } = session
  const decimals = decimalsOf(chains, chain, token)
  if (decimals === null) return 'token_unavailable'
  const { destinationId } = target
  const payout = {
    kind: 'payout',
    businessId,
    sessionId,
    automatic: true,
    status: 'pending',
    chain,
    token,
    amount,
    destinationId,
  } as const
  if (target.kind === 'bank') return toBank(payout, session, target, decimals)
  const to = target.chain === null ? null : decimalsOf(chains, target.chain, token)
  if (target.chain === null || target.address === null || to === null) return 'token_unavailable'
  const { fee, feeCurrency, amountExpected: of } = session
  // The fee that the session shows; one in a currency is for a bank account.
  const isPromised = keepsPrice(session, amount) && feeCurrency === token
  const split = splitForWallet(
    amount,
    { from: decimals, to },
    isPromised ? { promised: { local: fee, of } } : target,
  )
  if (!split) return 'too_small'
  const { received, ...parts } = split
  const memo =
    target.memo !== null && target.memoType !== null ? { value: target.memo, type: target.memoType } : null
  return {
    ...payout,
    ...parts,
    wallet: { chain: target.chain, token, address: target.address, memo, amount: received },
    bank: null,
  }
}

/** The session's price and fee are for the requested amount, paid in time. */
const keepsPrice = ({ isPaidInTime, amountExpected }: PaidSession, amount: bigint): boolean =>
  isPaidInTime && amount <= amountExpected

function toBank(
  payout: Omit<NewOutflow, 'wallet' | 'bank'>,
  session: PaidSession,
  { networkId, currency }: AutopayoutTarget,
  decimals: number,
): NewOutflow | PayoutSkipped {
  if (networkId === null || currency === null)
    throw new Error(`destination ${payout.destinationId} has no bank`)
  const bank = (price: BankPrice | null) => ({ partner: bankPartner, networkId, currency, price })
  const { rate, rateAt, rateSource, localCurrency, fee, feeCurrency, fxMarginPercent, amountExpected } =
    session
  const isPromised = keepsPrice(session, payout.amount)
  if (!isPromised || rate === null || localCurrency !== currency || feeCurrency !== currency)
    return { ...payout, wallet: null, bank: bank(null) }
  const split = splitForBank(payout.amount, decimals, {
    rate,
    currency,
    fxMarginPercent,
    fee: { local: fee, of: amountExpected },
  })
  if (!split) return 'too_small'
  const { localAmount, localFee, ...parts } = split
  return {
    ...payout,
    ...parts,
    wallet: null,
    bank: bank({ localAmount, localFee, rate, rateAt, rateSource }),
  }
}

/** A chain that was taken out of the configuration may come back: a payout waits for it. */
function decimalsOf(chains: readonly Chain[], name: string, symbol: string): number | null {
  const chain = chains.find((each) => each.name === name) ?? knownChain(name)
  const token = chain && tokenOf(chain, symbol)
  return token && token.contract !== '' ? token.decimals : null
}
