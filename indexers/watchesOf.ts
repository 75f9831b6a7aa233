import type { FinalityPolicy } from '../src/chains/finality.ts'
import type { Tx } from '../src/platform/database/db.ts'
import { pgArray } from '../src/platform/database/pgArrays.ts'
import type { Cause } from '../src/platform/telemetry/scope.ts'
import type { WatchPurpose } from '../src/watches/purposes.ts'
import type { CommitContext } from './context.ts'
import type { Payment, ReadBlock } from './findPayments.ts'
import { seesTransfers } from './purposes.ts'

/** A payment and its block. */
export interface Found extends Payment {
  block: ReadBlock['block']
}

export interface Watch extends Cause {
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
   * The transactions already published to this watch; false if a fork reverted them. For a removed watch,
   * only those reverted by a fork, or published after its removal. Null: no transaction.
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
 * The watches of each payment, in the order of the payments, with their finality rules. To new blocks all
 * watches apply, also below their first height, because a fork may bring those. A removed watch still gets
 * the transactions it got before, if a fork reverted them and they come back. A business that removed an
 * address and added it again gets each transaction once.
 */
export async function watchesOf(
  ctx: CommitContext,
  tx: Tx,
  found: readonly Found[],
  age: BlockAge,
): Promise<WatchSide[][]> {
  const hexOf = (address: string) => Buffer.from(ctx.codec.bytes(address)).toString('hex')
  const accountOf = (address: string) => ctx.codec.account?.(address) ?? null
  const sides = new Set(
    found.flatMap(({ transfer: { to, from, only } }) => [
      ...(only === 'out' ? [] : [to]),
      ...(only === 'in' ? [] : [from]),
    ]),
  )
  const asked = new Set([...sides].flatMap((address) => [address, accountOf(address) ?? address]).map(hexOf))
  const known = await tx.query<Omit<Watch, 'published'>>(
    `select w.id, w.address, w.business_id as "businessId", w.subject_id as "subjectId", w.purpose, w.all_tokens as "allTokens",
       w.from_height as "fromHeight", w.finality_amount as "finalityAmount", p.rules, w.removed_at is not null as "isRemoved",
       w.traceparent, w.request_id as "requestId"
     from watches w left join finality_policies p on p.id = w.finality_policy_id
     where w.family = $1 and w.address = any($2::bytea[]) and (w.chain is null or w.chain = $3)`,
    [ctx.chain.family, [...asked].map((hex) => Buffer.from(hex, 'hex')), ctx.chain.name],
  )
  const published = needsPublished(known, age)
    ? await publishedTo(ctx, tx, known, found)
    : new Map<string, Record<string, boolean>>()
  const rows = known.flatMap((watch) => {
    const of = published.get(watch.id) ?? null
    return watch.isRemoved && of === null ? [] : [{ ...watch, published: of }]
  })
  const byHex = Map.groupBy(rows, (watch) => watch.address.toString('hex'))
  const byAddress = new Map(
    [...sides]
      .flatMap((side) => [side, accountOf(side) ?? side])
      .map((address) => [address, byHex.get(hexOf(address)) ?? []]),
  )
  const at = (address: string | null, height: number, txId: string) => {
    const watches = address === null ? [] : (byAddress.get(address) ?? [])
    if (watches.length === 0) return watches
    return watches.filter(
      ({ fromHeight, isRemoved, published }) =>
        published?.[txId] !== undefined ||
        (!isRemoved && (age === 'new' || fromHeight === null || Number(fromHeight) <= height)),
    )
  }

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

/**
 * Earlier transactions decide only about removed watches, and about past blocks: a watch that starts above
 * such a block may have got it before. Without them the transfers are not searched for every transaction of a
 * new block.
 */
const needsPublished = (watches: readonly Pick<Watch, 'isRemoved'>[], age: BlockAge) =>
  watches.length > 0 && (age === 'past' || watches.some(({ isRemoved }) => isRemoved))

/** `Watch.published`, by watch. */
async function publishedTo(
  ctx: CommitContext,
  tx: Tx,
  watches: readonly Pick<Watch, 'id'>[],
  found: readonly Found[],
) {
  const rows = await tx.query<{ watchId: string; published: Record<string, boolean> }>(
    `with published as (
       select d.watch_id, t.tx_id, bool_or(d.status <> 'reverted') as holds
       from transfers t join detections d on d.transfer_id = t.id join watches w on w.id = d.watch_id
       where t.chain = $1 and t.tx_id = any($2::text[]) and d.watch_id = any($3::uuid[]) group by 1, 2
       having bool_or(w.removed_at is null or d.status = 'reverted' or d.seen_at >= w.removed_at))
     select watch_id as "watchId", jsonb_object_agg(tx_id, holds) as published from published group by 1`,
    [
      ctx.chain.name,
      pgArray([...new Set(found.map(({ transfer }) => transfer.txId))]),
      pgArray(watches.map(({ id }) => id)),
    ],
  )
  return new Map(rows.map(({ watchId, published }) => [watchId, published]))
}

/**
 * A payment to an account that addresses share is the account's own if no watch for payments has the address.
 */
function incoming(into: readonly Watch[], intoAccount: readonly Watch[]): WatchSide[] {
  const own = into.filter(({ purpose }) => !seesTransfers(purpose))
  const taken = own.length > 0 ? own : intoAccount.filter(({ purpose }) => !seesTransfers(purpose))
  return taken.map((watch) => ({ watch, direction: 'in' }))
}

/** A watch on a shared account sees transfers to and from all addresses that share it. */
function monitoring(into: readonly Watch[], outOf: readonly Watch[]): WatchSide[] {
  const sides = new Map<Watch, Direction>()
  for (const watch of into) if (seesTransfers(watch.purpose)) sides.set(watch, 'in')
  for (const watch of outOf)
    if (seesTransfers(watch.purpose)) sides.set(watch, sides.has(watch) ? 'self' : 'out')
  return [...sides].map(([watch, direction]) => ({ watch, direction }))
}

/**
 * If a business removed an address and added it again, exactly one of its watches gets a transaction, and the
 * same one while that holds, so that detections and reverts add up. The watch that got the transaction last
 * goes first: a block that comes back is the same detection.
 */
function oncePerBusiness(wanted: WatchSide[], txId: string): WatchSide[] {
  if (wanted.length < 2) return wanted
  const place = ({ published, isRemoved }: Watch) => {
    if (published?.[txId]) return 0
    if (published?.[txId] === undefined) return 3
    return isRemoved ? 2 : 1
  }
  // Ids grow with time: of several removed watches, the newest.
  const first = (a: WatchSide, b: WatchSide) =>
    place(a.watch) - place(b.watch) || (a.watch.id < b.watch.id ? 1 : -1)
  const entries = Map.groupBy(wanted, ({ watch }) => `${watch.businessId} ${watch.address.toString('hex')}`)
  return [...entries.values()].flatMap((same) => same.toSorted(first).slice(0, 1))
}
