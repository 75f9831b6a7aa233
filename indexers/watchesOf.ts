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
  /** Null while it is there; of one that was removed, the transactions that it was told of and that a fork took back. */
  awaits: string[] | null
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
 * became of the transactions that it was told of: where a fork took one back, that it came again.
 */
export async function watchesOf(ctx: CommitContext, tx: Tx, found: readonly Found[], age: BlockAge): Promise<Wanted[][]> {
  const hexOf = (address: string) => Buffer.from(ctx.codec.bytes(address)).toString('hex')
  const accountOf = (address: string) => ctx.codec.account?.(address) ?? null
  const sides = new Set(found.flatMap(({ transfer: { to, from, only } }) => [...(only === 'out' ? [] : [to]), ...(only === 'in' ? [] : [from])]))
  const asked = new Set([...sides].flatMap((address) => [address, accountOf(address) ?? address]).map(hexOf))
  const rows = await tx.query<Watch>(
    `with taken_back as (
       select d.watch_id, array_agg(distinct t.tx_id) as awaits from transfers t join detections d on d.transfer_id = t.id
       where t.chain = $3 and t.tx_id = any($4::text[]) and d.status = 'reverted' group by 1)
     select w.id, w.address, w.business_id, w.subject_id, w.purpose, w.all_tokens, w.from_height, w.finality_amount, p.rules,
       case when w.removed_at is not null then b.awaits end as awaits
     from watches w left join finality_policies p on p.id = w.finality_policy_id left join taken_back b on b.watch_id = w.id
     where w.family = $1 and w.address = any($2::bytea[]) and (w.chain is null or w.chain = $3) and (w.removed_at is null or b.watch_id is not null)`,
    [ctx.chain.family, [...asked].map((hex) => Buffer.from(hex, 'hex')), ctx.chain.name, [...new Set(found.map(({ transfer }) => transfer.txId))]],
  )
  const byAddress = Map.groupBy(rows, (watch) => watch.address.toString('hex'))
  const at = (address: string | null, height: number, txId: string) =>
    (address === null ? [] : (byAddress.get(hexOf(address)) ?? [])).filter(
      ({ from_height, awaits }) =>
        (age === 'new' || from_height === null || Number(from_height) <= height) && (awaits === null || awaits.includes(txId)),
    )

  return found.map(({ block: { height }, transfer: { txId, to, from, only }, asset }) => {
    const watching = (address: string | null) => at(address, height, txId)
    const [into, intoAccount] = only === 'out' ? [[], []] : [watching(to), watching(accountOf(to))]
    const outOf = only === 'in' ? [] : [...watching(from), ...watching(accountOf(from))]
    return [
      ...(asset ? incoming(into, intoAccount) : []),
      ...monitoring([...into, ...intoAccount], outOf).filter(({ watch }) => asset || watch.all_tokens),
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
