import type { TransferSpec } from '../action.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { unmuxed } from './address.ts'
import { type LedgerRules, latestLedger } from './latestLedger.ts'
import {
  type AccountState,
  accountKey,
  accountState,
  dataKey,
  dataValue,
  type LedgerEntries,
  ledgerEntries,
  type TrustlineState,
  trustlineKey,
  trustlineState,
} from './ledgerEntries.ts'

/** State of sender, recipient and network. */
export interface TransferFacts extends LedgerRules {
  sender: AccountState | null
  recipient: AccountState | null
  /** For the token; null if there is no trustline. Lumens and issuers need no trustline. */
  senderLine: TrustlineState | null
  recipientLine: TrustlineState | null
  /** SEP-29. */
  memoRequired: boolean
  /** Stroops per operation in recent ledgers: median and 95th percentile. */
  fees: { usual: bigint; high: bigint }
}

/** SEP-29: an account that requires memos has this data entry with the value "1". */
export const memoRequiredEntry = 'config.memo_required'

/** Needs the account's entry `memoRequiredEntry`. */
export const requiresMemo = (found: LedgerEntries, account: string): boolean =>
  dataValue(found, account, memoRequiredEntry)?.toString('latin1') === '1'

/** @param transfer its recipient is an account, muxed or not */
export async function transferFacts(rpc: JsonRpc, { from, to, token }: TransferSpec): Promise<TransferFacts> {
  const [sender, recipient] = [unmuxed(from).account, unmuxed(to).account]
  const lines = token ? [trustlineKey(sender, token.contract), trustlineKey(recipient, token.contract)] : []
  const keys = [
    accountKey(sender),
    accountKey(recipient),
    dataKey(recipient, memoRequiredEntry),
    ...lines.filter((key) => key !== null),
  ]
  const [found, rules, fees] = await Promise.all([
    ledgerEntries(rpc, keys),
    latestLedger(rpc),
    recentFees(rpc),
  ])
  return sound(() => ({
    ...rules,
    fees,
    sender: accountState(found, sender),
    recipient: accountState(found, recipient),
    senderLine: token && trustlineState(found, sender, token.contract),
    recipientLine: token && trustlineState(found, recipient, token.contract),
    memoRequired: requiresMemo(found, recipient),
  }))
}

export async function recentFees(rpc: JsonRpc): Promise<TransferFacts['fees']> {
  const answered = await rpc.call('getFeeStats', {})
  return sound(() => {
    const { inclusionFee } = answered as { inclusionFee: { p50: string; p95: string } }
    return { usual: BigInt(inclusionFee.p50), high: BigInt(inclusionFee.p95) }
  })
}
