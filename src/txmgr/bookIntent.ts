import { flowsOf } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import type { Account } from '../ledger/account.ts'
import { type Posting, tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/db.ts'
import type { Intent, IntentStatus } from './intents.ts'
import { isOutcome } from './nextState.ts'

/**
 * Posts what an intent of the platform moved between its own addresses, and what that cost, as its row now says; a fork that takes the block back
 * reverses both. For `onChange` of a purpose, whose caller has locked the row.
 */
export async function bookIntent(tx: Tx, row: Intent, before: IntentStatus | null): Promise<void> {
  const wanted = wantedFor(row)
  // Nothing is booked of a row that had no outcome. The treasury, which fails such rows, cannot read the books.
  if (wanted.length === 0 && before !== null && !isOutcome(before)) return
  const entries = await entriesOf(tx, row.id)
  const postings = difference(wanted, entries.booked)
  if (postings.length === 0) return
  const kind = `${row.purpose}.${wanted.length === 0 ? 'reversed' : entries.count === 0 ? 'posted' : 'corrected'}`
  await post(tx, [{ kind, businessId: null, cause: { kind: 'intent', id: row.id }, step: entries.count + 1, postings }])
}

type PlatformAccount = Extract<Account, { businessId: null }>
const accountOf = (name: PlatformAccount['name'], asset: string): PlatformAccount => ({ name, businessId: null, asset }) as PlatformAccount

/** What a row in a block has moved. A transaction that failed, or was a no-op, has cost its fee alone. */
function wantedFor(row: Intent): Posting[] {
  if (row.businessId !== null || row.blockHeight === null || !isOutcome(row.status)) return []
  const { chain, fee, action } = row
  const native = knownChain(chain)?.native.symbol
  if (native === undefined) throw new Error(`no chain ${chain} is known`)
  const cost = (amount: bigint): Posting[] => [
    { account: accountOf('network_costs', tokenAsset(chain, native)), amount },
    { account: accountOf(holderOf(row, action.from), tokenAsset(chain, native)), amount: -amount },
  ]
  const moved = row.status === 'confirmed' ? movedBy(row, native) : []
  return summed([...moved, ...(fee ? cost(fee) : [])])
}

function movedBy(row: Intent, native: string): Posting[] {
  const { spends, receives } = flowsOf(row.action)
  const line =
    (sign: bigint) =>
    (flow: (typeof spends)[number]): Posting => ({
      account: accountOf(holderOf(row, flow.address), tokenAsset(row.chain, flow.token?.symbol ?? native)),
      amount: sign * flow.amount,
    })
  return [...receives.map(line(1n)), ...spends.map(line(-1n))]
}

/** A move between addresses of ours has the treasury on one side, and deposit addresses on the other. */
const holderOf = ({ chain, signer, action }: Intent, address: string): PlatformAccount['name'] =>
  (address === action.from) === (signer === 'treasury') ? `treasury:${chain}` : `deposits:${chain}`

async function entriesOf(tx: Tx, id: string): Promise<{ count: number; booked: Posting[] }> {
  const [entries] = await tx.query<{ count: number }>(
    "select count(*)::int as count from ledger_entries where cause_kind = 'intent' and reference = $1",
    [id],
  )
  if (!entries || entries.count === 0) return { count: 0, booked: [] }
  const rows = await tx.query<{ name: PlatformAccount['name']; asset: string; amount: string }>(
    `select a.name, p.asset, sum(p.amount)::text as amount
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.cause_kind = 'intent' and e.reference = $1 group by a.name, p.asset`,
    [id],
  )
  return { count: entries.count, booked: rows.map(({ name, asset, amount }) => ({ account: accountOf(name, asset), amount: BigInt(amount) })) }
}

const difference = (wanted: readonly Posting[], booked: readonly Posting[]): Posting[] =>
  summed([...wanted, ...booked.map(({ account, amount }) => ({ account, amount: -amount }))])

/** One line for each account; none for one that does not change. */
const summed = (lines: readonly Posting[]): Posting[] =>
  [...Map.groupBy(lines, ({ account }) => `${account.name} ${account.asset}`).values()].flatMap((of) => {
    const amount = of.reduce((sum, each) => sum + each.amount, 0n)
    return of[0] && amount !== 0n ? [{ account: of[0].account, amount }] : []
  })
