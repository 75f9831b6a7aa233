import type { FinalityPolicy } from '../src/chains/finality.ts'
import type { Tx } from '../src/platform/db.ts'
import type { WatchPurpose } from '../src/watches/purposes.ts'
import type { CommitContext } from './context.ts'
import type { Payment, ReadBlock } from './findPayments.ts'
import { seesTransfers } from './publish.ts'

/** A payment and its block. */
export interface Found extends Payment {
  block: ReadBlock['block']
}

export interface Watch {
  id: string
  address: Buffer
  businessId: string | null
  subjectId: string
  purpose: WatchPurpose
  allTokens: boolean
  fromHeight: string | null
  /** Whole tokens. */
  finalityAmount: string | null
  rules: FinalityPolicy | null
  isRemoved: boolean
  /**
   * The transactions already published to this watch; false if a fork reverted them. For a removed watch, only those reverted by a fork, or published
   * after its removal. Null: no transaction.
   */
  published: Record<string, boolean> | null
}

/** From the watch's point of view; `self` if both sides belong to it. */
export type Direction = 'in' | 'out' | 'self'

export interface WatchSide {
  watch: Watch
  direction: Direction
}

/** `new` blocks are above the cursor; `past` ones are at or below it and read again. */
export type BlockAge = 'new' | 'past'

/**
 * The watches of each payment, in the order of the payments, with their finality rules. To new blocks all watches apply, also below their first
 * height, because a fork may bring those. A removed watch still gets the transactions it got before, if a fork reverted them and they come back. A
 * business that removed an address and added it again gets each transaction once.
 */
export async function watchesOf(ctx: CommitContext, tx: Tx, found: readonly Found[], age: BlockAge): Promise<WatchSide[][]> {
  const hexOf = (address: string) => Buffer.from(ctx.codec.bytes(address)).toString('hex')
  const accountOf = (address: string) => ctx.codec.account?.(address) ?? null
  const sides = new Set(found.flatMap(({ transfer: { to, from, only } }) => [...(only === 'out' ? [] : [to]), ...(only === 'in' ? [] : [from])]))
  const asked = new Set([...sides].flatMap((address) => [address, accountOf(address) ?? address]).map(hexOf))
  const rows = await tx.query<Watch>(
    `with published as (
       select d.watch_id, t.tx_id, bool_or(d.status <> 'reverted') as holds
       from transfers t join detections d on d.transfer_id = t.id join watches w on w.id = d.watch_id
       where t.chain = $3 and t.tx_id = any($4::text[]) group by 1, 2
       having bool_or(w.removed_at is null or d.status = 'reverted' or d.seen_at >= w.removed_at))
     select w.id, w.address, w.business_id as "businessId", w.subject_id as "subjectId", w.purpose, w.all_tokens as "allTokens",
       w.from_height as "fromHeight", w.finality_amount as "finalityAmount", p.rules, w.removed_at is not null as "isRemoved", b.published
     from watches w left join finality_policies p on p.id = w.finality_policy_id
       left join (select watch_id, jsonb_object_agg(tx_id, holds) as published from published group by 1) b on b.watch_id = w.id
     where w.family = $1 and w.address = any($2::bytea[]) and (w.chain is null or w.chain = $3) and (w.removed_at is null or b.published is not null)`,
    [ctx.chain.family, [...asked].map((hex) => Buffer.from(hex, 'hex')), ctx.chain.name, [...new Set(found.map(({ transfer }) => transfer.txId))]],
  )
  const byAddress = Map.groupBy(rows, (watch) => watch.address.toString('hex'))
  const at = (address: string | null, height: number, txId: string) =>
    (address === null ? [] : (byAddress.get(hexOf(address)) ?? [])).filter(
      ({ fromHeight, isRemoved, published }) =>
        published?.[txId] !== undefined || (!isRemoved && (age === 'new' || fromHeight === null || Number(fromHeight) <= height)),
    )

  return found.map(({ block: { height }, transfer: { txId, to, from, only }, asset }) => {
    const watching = (address: string | null) => at(address, height, txId)
    const [into, intoAccount] = only === 'out' ? [[], []] : [watching(to), watching(accountOf(to))]
    const outOf = only === 'in' ? [] : [...watching(from), ...watching(accountOf(from))]
    return [
      ...(asset ? incoming(into, intoAccount) : []),
      ...oncePerBusiness(
        monitoring([...into, ...intoAccount], outOf).filter(({ watch }) => asset || watch.allTokens),
        txId,
      ),
    ]
  })
}

/** A payment to an account that addresses share is the account's own if no watch for payments has the address. */
function incoming(into: readonly Watch[], intoAccount: readonly Watch[]): WatchSide[] {
  const own = into.filter(({ purpose }) => !seesTransfers(purpose))
  const taken = own.length > 0 ? own : intoAccount.filter(({ purpose }) => !seesTransfers(purpose))
  return taken.map((watch) => ({ watch, direction: 'in' }))
}

/** A watch on a shared account sees transfers to and from all addresses that share it. */
function monitoring(into: readonly Watch[], outOf: readonly Watch[]): WatchSide[] {
  const sides = new Map<Watch, Direction>()
  for (const watch of into) if (seesTransfers(watch.purpose)) sides.set(watch, 'in')
  for (const watch of outOf) if (seesTransfers(watch.purpose)) sides.set(watch, sides.has(watch) ? 'self' : 'out')
  return [...sides].map(([watch, direction]) => ({ watch, direction }))
}

/**
 * If a business removed an address and added it again, exactly one of its watches gets a transaction, and the same one while that holds, so that
 * detections and reverts add up. The watch that got the transaction last goes first: a block that comes back is the same detection.
 */
function oncePerBusiness(wanted: WatchSide[], txId: string): WatchSide[] {
  if (wanted.length < 2) return wanted
  const place = ({ published, isRemoved }: Watch) => (published?.[txId] ? 0 : published?.[txId] === undefined ? 3 : isRemoved ? 2 : 1)
  // Ids grow with time: of several removed watches, the newest.
  const first = (a: WatchSide, b: WatchSide) => place(a.watch) - place(b.watch) || (a.watch.id < b.watch.id ? 1 : -1)
  const entries = Map.groupBy(wanted, ({ watch }) => `${watch.businessId} ${watch.address.toString('hex')}`)
  return [...entries.values()].flatMap((same) => same.toSorted(first).slice(0, 1))
}
