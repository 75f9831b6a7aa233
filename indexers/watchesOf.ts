import type { FinalityPolicy } from '../src/chains/finality.ts'
import type { Tx } from '../src/platform/db.ts'
import type { CommitContext } from './context.ts'
import type { Payment, ReadBlock } from './findPayments.ts'

/** A payment and its block. */
export interface Found extends Payment {
  block: ReadBlock['block']
}

export interface Watch {
  id: string
  address: Buffer
  business_id: string | null
  subject_id: string
  purpose: 'session' | 'suspense' | 'monitor'
  all_tokens: boolean
  from_height: string | null
  /** Whole tokens. */
  finality_amount: string | null
  rules: FinalityPolicy | null
  is_removed: boolean
  /**
   * The transactions of which it was told already, and whether that still holds: false where a fork took them back. Of a watch that was removed
   * those alone that a fork took back, then or ever since. Null: none.
   */
  told: Record<string, boolean> | null
}

/** As whoever watches sees it: `self` where both sides are its own. */
export type Direction = 'in' | 'out' | 'self'

export interface Wanted {
  watch: Watch
  direction: Direction
}

/** Whether blocks are `new`, above the cursor, or read again that lie at or below it: `past`. */
export type BlockAge = 'new' | 'past'

/**
 * Who wants each payment, in the order of the payments: the watches that apply to its block, with what each asked about finality. To new
 * blocks all apply that are there: a fork may bring them at heights below a watch's first. One that was removed is still told what
 * became of the transactions that it was told of: where a fork took one back, that it came again. Whoever removed an address and added it
 * again is told once.
 */
export async function watchesOf(ctx: CommitContext, tx: Tx, found: readonly Found[], age: BlockAge): Promise<Wanted[][]> {
  const hexOf = (address: string) => Buffer.from(ctx.codec.bytes(address)).toString('hex')
  const accountOf = (address: string) => ctx.codec.account?.(address) ?? null
  const sides = new Set(found.flatMap(({ transfer: { to, from, only } }) => [...(only === 'out' ? [] : [to]), ...(only === 'in' ? [] : [from])]))
  const asked = new Set([...sides].flatMap((address) => [address, accountOf(address) ?? address]).map(hexOf))
  const rows = await tx.query<Watch>(
    `with told as (
       select d.watch_id, t.tx_id, bool_or(d.status <> 'reverted') as holds
       from transfers t join detections d on d.transfer_id = t.id join watches w on w.id = d.watch_id
       where t.chain = $3 and t.tx_id = any($4::text[]) group by 1, 2
       having bool_or(w.removed_at is null or d.status = 'reverted' or d.seen_at >= w.removed_at))
     select w.id, w.address, w.business_id, w.subject_id, w.purpose, w.all_tokens, w.from_height, w.finality_amount, p.rules,
       w.removed_at is not null as is_removed, b.told
     from watches w left join finality_policies p on p.id = w.finality_policy_id
       left join (select watch_id, jsonb_object_agg(tx_id, holds) as told from told group by 1) b on b.watch_id = w.id
     where w.family = $1 and w.address = any($2::bytea[]) and (w.chain is null or w.chain = $3) and (w.removed_at is null or b.told is not null)`,
    [ctx.chain.family, [...asked].map((hex) => Buffer.from(hex, 'hex')), ctx.chain.name, [...new Set(found.map(({ transfer }) => transfer.txId))]],
  )
  const byAddress = Map.groupBy(rows, (watch) => watch.address.toString('hex'))
  const at = (address: string | null, height: number, txId: string) =>
    (address === null ? [] : (byAddress.get(hexOf(address)) ?? [])).filter(
      ({ from_height, is_removed, told }) =>
        told?.[txId] !== undefined || (!is_removed && (age === 'new' || from_height === null || Number(from_height) <= height)),
    )

  return found.map(({ block: { height }, transfer: { txId, to, from, only }, asset }) => {
    const watching = (address: string | null) => at(address, height, txId)
    const [into, intoAccount] = only === 'out' ? [[], []] : [watching(to), watching(accountOf(to))]
    const outOf = only === 'in' ? [] : [...watching(from), ...watching(accountOf(from))]
    return [
      ...(asset ? incoming(into, intoAccount) : []),
      ...onceEach(
        monitoring([...into, ...intoAccount], outOf).filter(({ watch }) => asset || watch.all_tokens),
        txId,
      ),
    ]
  })
}

/**
 * What comes to an account that addresses share, and to none of them that a session or the platform watches, is the account's own.
 */
function incoming(into: readonly Watch[], intoAccount: readonly Watch[]): Wanted[] {
  const own = into.filter(({ purpose }) => purpose !== 'monitor')
  const taken = own.length > 0 ? own : intoAccount.filter(({ purpose }) => purpose !== 'monitor')
  return taken.map((watch) => ({ watch, direction: 'in' }))
}

/** Whoever monitors an account sees what comes to all addresses that share it, and leaves them. */
function monitoring(into: readonly Watch[], outOf: readonly Watch[]): Wanted[] {
  const sides = new Map<Watch, Direction>()
  for (const watch of into) if (watch.purpose === 'monitor') sides.set(watch, 'in')
  for (const watch of outOf) if (watch.purpose === 'monitor') sides.set(watch, sides.has(watch) ? 'self' : 'out')
  return [...sides].map(([watch, direction]) => ({ watch, direction }))
}

/**
 * A business may have removed an address and added it again, before or after a fork: one of these watches is told, and always the same while
 * that holds, so that what was detected less what was reverted is what is there. The one that was told of the transaction last goes before
 * one that is new to it: a block that comes back is the same detection then.
 */
function onceEach(wanted: Wanted[], txId: string): Wanted[] {
  if (wanted.length < 2) return wanted
  const place = ({ told, is_removed }: Watch) => (told?.[txId] ? 0 : told?.[txId] === undefined ? 3 : is_removed ? 2 : 1)
  // Ids grow with time: of several that were removed, the one that was added last.
  const first = (a: Wanted, b: Wanted) => place(a.watch) - place(b.watch) || (a.watch.id < b.watch.id ? 1 : -1)
  const entries = Map.groupBy(wanted, ({ watch }) => `${watch.business_id} ${watch.address.toString('hex')}`)
  return [...entries.values()].flatMap((same) => same.toSorted(first).slice(0, 1))
}
