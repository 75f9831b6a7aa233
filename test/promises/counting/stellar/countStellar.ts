import { StrKey, type xdr } from '@stellar/stellar-sdk/base'
import { balanceOf, flowsOf, nameOf } from './flows.ts'
import type { RawOperation } from './rawStellar.ts'

/** What one operation brought to one holder of one asset. */
export interface Arrival {
  txId: string
  /** Of the operation in its transaction. */
  operation: number
  /** As it was addressed: `M…` where it was with an id. Or `L…` of a pool, `B…` of a claimable balance. */
  to: string
  /** `CODE:ISSUER`; null for the native coin. */
  asset: string | null
  /** In units of 10^-7; more than zero. */
  amount: bigint
}

const isIssuer = (holder: string, asset: string) => asset.endsWith(`:${holder}`)

/**
 * What came in by operations and results: what an operation brings and takes again on its way counts as brought. What comes back to its
 * issuer is no more, and a payment to oneself brings nothing.
 * @param trades whether to count what was taken in trades; else only what operations were for
 */
export function countArrivals(raw: RawOperation, { trades }: { trades: boolean }): Arrival[] {
  const isToOneself = raw.operation.type === 'payment' && flowsOf(raw).every(({ from, to }) => from === to)
  if (isToOneself) return []
  const flows = flowsOf(raw).filter(({ to, asset, traded }) => !isIssuer(to, asset) && (trades || !traded))
  return arrivalsOf(raw, sumsOf(flows.map(({ addressed, asset, amount }) => [addressed, asset, amount])))
}

/** The same less what went out again: for each holder, without ids. */
export function countNet(raw: RawOperation): Arrival[] {
  const both = flowsOf(raw).flatMap(({ from, to, asset, amount }): Held[] => [
    [from, asset, -amount],
    [to, asset, amount],
  ])
  return arrivalsOf(raw, sumsOf(both.filter(([holder, asset]) => !isIssuer(holder, asset))))
}

/** What went out less what came in: `to` is here who lost it. */
export function countLost(raw: RawOperation): Arrival[] {
  const both = flowsOf(raw).flatMap(({ from, to, asset, amount }): Held[] => [
    [from, asset, amount],
    [to, asset, -amount],
  ])
  return arrivalsOf(raw, sumsOf(both.filter(([holder, asset]) => !isIssuer(holder, asset))))
}

/** What the ledger itself says that holders had more of after an operation than before, by its entries alone. */
export function countByLedger(raw: RawOperation): Arrival[] {
  const changes = raw.changes.flatMap((change): Held[] => {
    switch (change.type) {
      case 'ledgerEntryState':
        return heldIn(change.state.data).map(([holder, asset, amount]) => [holder, asset, -amount])
      case 'ledgerEntryCreated':
        return heldIn(change.created.data)
      case 'ledgerEntryUpdated':
        return heldIn(change.updated.data)
      case 'ledgerEntryRemoved':
        return []
      default:
        throw new Error(`nobody counts here what ${change.type} means, in ${raw.txId}`)
    }
  })
  return arrivalsOf(raw, sumsOf(changes))
}

type Held = readonly [holder: string, asset: string, amount: bigint]

/** Ledger entries that hold value (Stellar-ledger-entries.x). Shares of a pool are no asset. */
function heldIn(data: xdr.LedgerEntryData): Held[] {
  const keyOf = (id: { ed25519: { value: Uint8Array } }) => StrKey.encodeEd25519PublicKey(id.ed25519.value)
  switch (data.type) {
    case 'account':
      return [[keyOf(data.account.accountId), 'native', data.account.balance]]
    case 'trustline': {
      const { accountId, asset, balance } = data.trustLine
      return asset.type === 'assetTypePoolShare' ? [] : [[keyOf(accountId), nameOf(asset), balance]]
    }
    case 'liquidityPool': {
      const { liquidityPoolId, body } = data.liquidityPool
      const { params, reserveA, reserveB } = body.constantProduct
      const pool = StrKey.encodeLiquidityPool(liquidityPoolId.value)
      return [
        [pool, nameOf(params.assetA), reserveA],
        [pool, nameOf(params.assetB), reserveB],
      ]
    }
    case 'claimableBalance':
      return [[balanceOf(data.claimableBalance.balanceId), nameOf(data.claimableBalance.asset), data.claimableBalance.amount]]
    default:
      return []
  }
}

function sumsOf(held: readonly Held[]): Held[] {
  const sums = new Map<string, Held>()
  for (const [holder, asset, amount] of held) {
    const key = `${holder} ${asset}`
    sums.set(key, [holder, asset, (sums.get(key)?.[2] ?? 0n) + amount])
  }
  return [...sums.values()]
}

const arrivalsOf = ({ txId, index }: RawOperation, sums: readonly Held[]): Arrival[] =>
  sums
    .filter(([, , amount]) => amount > 0n)
    .map(([to, asset, amount]) => ({ txId, operation: index, to, asset: asset === 'native' ? null : asset, amount }))

/** All that an arrival says, in one line, so that lists can be compared as multisets. */
export const linesOf = (arrivals: readonly Arrival[]): string[] =>
  arrivals.map(({ txId, operation, to, asset, amount }) => [txId, operation, to, asset ?? 'native', amount].join(' ')).sort()
