import { StrKey, type xdr } from '@stellar/stellar-sdk/base'
import { balanceOf, flowsOf, nameOf } from './flows.ts'
import type { RawOperation } from './rawStellar.ts'

/** The amount of an asset that one operation brought to a holder. */
export interface Arrival {
  txId: string
  /** Index of the operation in its transaction. */
  operation: number
  /** The address as given: `M…` with an id; or `L…` for a pool, `B…` for a claimable balance. */
  to: string
  /** `CODE:ISSUER`; null for the native coin. */
  asset: string | null
  /** In units of 10^-7, positive. */
  amount: bigint
}

const isIssuer = (holder: string, asset: string) => asset.endsWith(`:${holder}`)

/**
 * Incoming amounts, from operations and results; amounts that an operation brings and takes again on its way
 * count as brought. An asset returned to its issuer ceases to exist, and a payment to oneself brings nothing.
 * @param trades count amounts taken in trades too; otherwise only the operations' own
 */
export function countArrivals(raw: RawOperation, { trades }: { trades: boolean }): Arrival[] {
  const isToOneself = raw.operation.type === 'payment' && flowsOf(raw).every(({ from, to }) => from === to)
  if (isToOneself) return []
  const flows = flowsOf(raw).filter(({ to, asset, traded }) => !isIssuer(to, asset) && (trades || !traded))
  return arrivalsOf(raw, sumsOf(flows.map(({ addressed, asset, amount }) => [addressed, asset, amount])))
}

/** The same less outgoing amounts: per holder, without ids. */
export function countNet(raw: RawOperation): Arrival[] {
  const both = flowsOf(raw).flatMap(({ from, to, asset, amount }): Held[] => [
    [from, asset, -amount],
    [to, asset, amount],
  ])
  return arrivalsOf(raw, sumsOf(both.filter(([holder, asset]) => !isIssuer(holder, asset))))
}

/** Outgoing less incoming amounts: `to` is the account that lost them. */
export function countLost(raw: RawOperation): Arrival[] {
  const both = flowsOf(raw).flatMap(({ from, to, asset, amount }): Held[] => [
    [from, asset, amount],
    [to, asset, -amount],
  ])
  return arrivalsOf(raw, sumsOf(both.filter(([holder, asset]) => !isIssuer(holder, asset))))
}

/** Gains of holders by an operation, from the ledger's entries alone. */
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
        throw new Error(`unexpected ledger change ${change.type} in ${raw.txId}`)
    }
  })
  return arrivalsOf(raw, sumsOf(changes))
}

type Held = readonly [holder: string, asset: string, amount: bigint]

/** Ledger entries that hold value (Stellar-ledger-entries.x). Pool shares are not an asset. */
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
      return [
        [
          balanceOf(data.claimableBalance.balanceId),
          nameOf(data.claimableBalance.asset),
          data.claimableBalance.amount,
        ],
      ]
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
    .map(([to, asset, amount]) => ({
      txId,
      operation: index,
      to,
      asset: asset === 'native' ? null : asset,
      amount,
    }))

/** Arrivals as lines, to compare lists as multisets. */
export const linesOf = (arrivals: readonly Arrival[]): string[] =>
  arrivals
    .map(({ txId, operation, to, asset, amount }) =>
      [txId, operation, to, asset ?? 'native', amount].join(' '),
    )
    .sort()
