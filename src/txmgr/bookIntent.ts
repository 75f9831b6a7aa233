import { type Flow, flowsOf } from '../chains/action.ts'
import { knownChain, registeredChain } from '../chains/registry.ts'
import { type PlatformAccountName, platformAccount } from '../ledger/account.ts'
import { type Entry, type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { entryToward } from '../ledger/entryToward.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Intent, IntentStatus } from './intents.ts'
import { isOutcome } from './nextState.ts'

/**
 * Posts what an intent of the platform moved between its own addresses, and what that cost, as its row now
 * has it; a fork that takes the block back reverses both. What a payout sends is in the entry of its outflow,
 * so only its cost is posted here. For `onChange` of a purpose, whose caller has locked the row.
 * @param also posted with it, since the accounts of a transaction's entries are locked in one order
 */
export async function bookIntent(
  tx: Tx,
  row: Intent,
  before: IntentStatus | null,
  also: readonly Entry[] = [],
): Promise<void> {
  const moved = wantedFor(row)
  // Nothing is booked of a row that had no outcome. The treasury, which fails such rows, cannot read the
  // books.
  if (moved.length === 0 && before !== null && !isOutcome(before)) return
  await post(tx, [
    ...(await entryFor(tx, row, 'intent', row.purpose, moved)),
    ...(await rentEntry(tx, row)),
    ...also,
  ])
}

/**
 * Posts by how much rent changed the native coin of the sender, apart from amount and fee. Empty where the
 * chain has no rent.
 */
export const rentEntry = (tx: Tx, row: Intent): Promise<Entry[]> =>
  entryFor(tx, row, 'intent_rent', 'rent', rentOf(row))

const entryFor = (
  tx: Tx,
  { id }: Intent,
  kind: 'intent' | 'intent_rent',
  name: string,
  wanted: readonly Posting[],
): Promise<Entry[]> =>
  entryToward(
    tx,
    { kind, id },
    { posted: `${name}.posted`, corrected: `${name}.corrected`, reversed: `${name}.reversed` },
    wanted,
  )

/** What a row in a block has moved. A transaction that failed, or was a no-op, has cost its fee alone. */
function wantedFor(row: Intent): Posting[] {
  if (row.businessId !== null || row.blockHeight === null || !isOutcome(row.status)) return []
  const { chain, fee, action } = row
  const native = registeredChain(chain).native.symbol
  const cost = (amount: bigint): Posting[] => [
    { account: platformAccount('network_costs', tokenAsset(chain, native)), amount },
    { account: platformAccount(holderOf(row, action.from), tokenAsset(chain, native)), amount: -amount },
  ]
  const moved = row.status === 'confirmed' && row.purpose !== 'payout' ? movedBy(row, native) : []
  return summed([...moved, ...(fee ? cost(fee) : [])])
}

/**
 * On Solana: rent of accounts that the transaction closed, less rent of those that it opened. It belongs to
 * `network_costs`, as an entry of its own, so that the cost of a sweep is its fee.
 */
function rentOf(row: Intent): Posting[] {
  const native = knownChain(row.chain)?.native.symbol
  if (
    row.businessId !== null ||
    row.nativeChange === null ||
    row.status !== 'confirmed' ||
    row.blockHeight === null ||
    native === undefined
  )
    return []
  const { spends, receives } = flowsOf(row.action)
  const sum = (flows: readonly Flow[]) =>
    flows.reduce(
      (all, { address, token, amount }) =>
        token === null && address === row.action.from ? all + amount : all,
      0n,
    )
  const rent = row.nativeChange - sum(receives) + sum(spends)
  const asset = tokenAsset(row.chain, native)
  return summed([
    { account: platformAccount(holderOf(row, row.action.from), asset), amount: rent },
    { account: platformAccount('network_costs', asset), amount: -rent },
  ])
}

/** The treasury gets what has arrived; what the token kept is a cost. */
function movedBy(row: Intent, native: string): Posting[] {
  const { spends, receives } = flowsOf(row.action)
  const assetOf = ({ token }: Flow) => tokenAsset(row.chain, token?.symbol ?? native)
  const line =
    (sign: bigint) =>
    (flow: Flow): Posting => ({
      account: platformAccount(holderOf(row, flow.address), assetOf(flow)),
      amount: sign * flow.amount,
    })
  const kept = row.tokenKept ?? []
  const cost = (flow: Flow): Posting => ({
    ...line(1n)(flow),
    account: platformAccount('network_costs', assetOf(flow)),
  })
  return [...receives.map(line(1n)), ...spends.map(line(-1n)), ...kept.map(line(-1n)), ...kept.map(cost)]
}

/**
 * A move between addresses of the platform has the treasury on one side, and deposit addresses on the other.
 * The staking address moves nothing to another one.
 */
function holderOf({ chain, signer, action }: Intent, address: string): PlatformAccountName {
  if (signer === 'staking') return `staking:${chain}`
  return (address === action.from) === (signer === 'treasury') ? `treasury:${chain}` : `deposits:${chain}`
}
