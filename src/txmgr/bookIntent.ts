import { type Flow, flowsOf } from '../chains/action.ts'
import { knownChain, registeredChain } from '../chains/registry.ts'
import { type PlatformAccountName, platformAccount } from '../ledger/account.ts'
import { type Entry, type Posting, summed, tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/db.ts'
import type { Intent, IntentStatus } from './intents.ts'
import { isOutcome } from './nextState.ts'

/**
 * Posts what an intent of the platform moved between its own addresses, and what that cost, as its row now says; a fork that takes the block back
 * reverses both. What a payout sends is in the entry of its outflow, so only its cost is posted here. For `onChange` of a purpose, whose caller has locked
 * the row.
 */
export async function bookIntent(tx: Tx, row: Intent, before: IntentStatus | null): Promise<void> {
  const [moved, rent] = [wantedFor(row), rentOf(row)]
  // Nothing is booked of a row that had no outcome. The treasury, which fails such rows, cannot read the books.
  if (moved.length === 0 && before !== null && !isOutcome(before)) return
  await post(tx, [...(await entryFor(tx, row, 'intent', row.purpose, moved)), ...(await entryFor(tx, row, 'intent_rent', 'rent', rent))])
}

/** The entry that makes what is booked of a row what is wanted; none where it is. */
async function entryFor(tx: Tx, { id }: Intent, cause: 'intent' | 'intent_rent', name: string, wanted: readonly Posting[]): Promise<Entry[]> {
  const entries = await entriesOf(tx, cause, id)
  const postings = difference(wanted, entries.booked)
  if (postings.length === 0) return []
  const kind = `${name}.${wanted.length === 0 ? 'reversed' : entries.count === 0 ? 'posted' : 'corrected'}`
  return [{ kind, businessId: null, cause: { kind: cause, id }, step: entries.count + 1, postings }]
}

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
 * On Solana: rent of accounts that the transaction closed, less rent of those that it opened. It belongs to `network_costs`, as an entry of its own, so
 * that the cost of a sweep is its fee.
 */
function rentOf(row: Intent): Posting[] {
  const native = knownChain(row.chain)?.native.symbol
  if (row.businessId !== null || row.nativeChange === null || row.status !== 'confirmed' || row.blockHeight === null || native === undefined)
    return []
  const { spends, receives } = flowsOf(row.action)
  const sum = (flows: readonly Flow[]) =>
    flows.reduce((all, { address, token, amount }) => (token === null && address === row.action.from ? all + amount : all), 0n)
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
  const cost = (flow: Flow): Posting => ({ ...line(1n)(flow), account: platformAccount('network_costs', assetOf(flow)) })
  return [...receives.map(line(1n)), ...spends.map(line(-1n)), ...kept.map(line(-1n)), ...kept.map(cost)]
}

/** A move between addresses of ours has the treasury on one side, and deposit addresses on the other. */
const holderOf = ({ chain, signer, action }: Intent, address: string): PlatformAccountName =>
  (address === action.from) === (signer === 'treasury') ? `treasury:${chain}` : `deposits:${chain}`

async function entriesOf(tx: Tx, cause: 'intent' | 'intent_rent', id: string): Promise<{ count: number; booked: Posting[] }> {
  const rows = await tx.query<{ name: PlatformAccountName; asset: string; amount: string; count: number }>(
    `select a.name, p.asset, sum(p.amount)::text as amount,
       (select count(*)::int from ledger_entries where cause_kind = $1 and reference = $2) as count
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.cause_kind = $1 and e.reference = $2 group by a.name, p.asset`,
    [cause, id],
  )
  const booked = rows.map(({ name, asset, amount }) => ({ account: platformAccount(name, asset), amount: BigInt(amount) }))
  return { count: rows[0]?.count ?? 0, booked }
}

const difference = (wanted: readonly Posting[], booked: readonly Posting[]): Posting[] =>
  summed([...wanted, ...booked.map(({ account, amount }) => ({ account, amount: -amount }))])
