import type { AddressCodec, Block, Transfer } from '../src/chains/chain.ts'
import type { Chain } from '../src/chains/registry.ts'
import type { Db, Tx } from '../src/platform/db.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { newId } from '../src/platform/ids.ts'
import { enqueue } from '../src/platform/outbox.ts'
import { askExpiries } from '../src/sessions/askExpiries.ts'
import { FencedError } from './cursor.ts'

export interface CommitContext {
  db: Db
  chain: Chain
  epoch: bigint
  codec: AddressCodec
}

export interface Committed {
  detected: number
  confirmed: number
}

/**
 * Writes everything that one block means, in one transaction: header, transfers that touch a watched address,
 * detections, jobs, the cursor. A crash before the commit leaves nothing; after it, nothing is left to do.
 * @param matched the block's transfers to addresses of the watch list
 * @throws FencedError when this process no longer leads
 */
export async function commitBlock(ctx: CommitContext, block: Block, matched: readonly Transfer[]): Promise<Committed> {
  const committed = await ctx.db.tx(async (tx) => {
    const confirmedTime = await moveCursor(ctx, tx, block)
    const seen = matched.length > 0 ? await detect(ctx, tx, block, matched) : []
    const confirmed = await confirm(ctx, tx, block.height)
    await enqueue(
      tx,
      'session-payment',
      unique(seen).map((sessionId) => ({ sessionId, reason: 'seen' as const })),
    )
    await enqueue(
      tx,
      'session-payment',
      unique(confirmed).map((sessionId) => ({ sessionId, reason: 'confirmed' as const })),
    )
    if (confirmedTime) await askExpiries(tx, ctx.chain.name, confirmedTime)
    return { detected: seen.length, confirmed: confirmed.length }
  })
  failpoint('indexer.block-committed')
  return committed
}

const unique = (ids: readonly string[]) => [...new Set(ids)]

/** Header and cursor in one statement; the fence is its condition. Gives the time up to which the chain is confirmed. */
async function moveCursor(ctx: CommitContext, tx: Tx, block: Block): Promise<Date | null> {
  const depth = ctx.chain.confirmations
  const [row] = await tx.query<{ confirmed_time: Date | null }>(
    `with header as (
       insert into blocks (chain, height, id, parent_id, time) values ($1, $2, $3, $4, $5)
       on conflict (chain, height, id) do update set canonical = true)
     update chain_cursors set height = $2, updated_at = now(),
       confirmed_time = case when $7 = 1 then $5 else (select time from blocks where chain = $1 and height = $2 - $7 + 1 and canonical) end
     where chain = $1 and epoch = $6 and (height is null or height = $2 - 1)
     returning confirmed_time`,
    [ctx.chain.name, block.height, block.id, block.parentId, block.time, ctx.epoch.toString(), depth],
  )
  if (!row) throw new FencedError(ctx.chain.name)
  return row.confirmed_time
}

/**
 * Stores transfers and one detection for each watch they touch. A block that comes back after a fork finds its
 * own rows: they are revived in the next generation. Tokens that the registry does not know are not stored: to
 * send those to an address costs their maker nothing.
 * @returns the session of each detection that is new or revived
 */
async function detect(ctx: CommitContext, tx: Tx, block: Block, matched: readonly Transfer[]): Promise<string[]> {
  const known = matched.flatMap((transfer) => {
    const token = ctx.chain.tokens.find(({ contract }) => contract === transfer.contract)
    return token ? [{ ...transfer, token: token.symbol }] : []
  })
  if (known.length === 0) return []
  const stored = await tx.query<{ id: string; to_address: string }>(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount)
     select id, $1, $2, $3, $4, tx_id, movement_key, contract, token, from_address, to_address, amount
     from unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::numeric[])
       as t(id, tx_id, movement_key, contract, token, from_address, to_address, amount)
     on conflict (chain, block_id, tx_id, movement_key) do update set canonical = true, generation = transfers.generation + 1
       where not transfers.canonical
     returning id, to_address`,
    [
      ctx.chain.name,
      block.height,
      block.id,
      block.time,
      known.map(() => newId()),
      known.map((t) => t.txId),
      known.map((t) => t.movementKey),
      known.map((t) => t.contract),
      known.map((t) => t.token),
      known.map((t) => t.from),
      known.map((t) => t.to),
      known.map((t) => t.amount.toString()),
    ],
  )
  const detections = await tx.query<{ subject_id: string }>(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth)
     select gen_random_uuid(), t.id, w.id, w.business_id, w.subject_id, $1, $2, $3
     from unnest($4::uuid[], $5::bytea[]) as t(id, address)
     join watches w on w.family = $6 and w.address = t.address and (w.chain is null or w.chain = $1)
       and w.removed_at is null and w.purpose = 'session'
     on conflict (transfer_id, watch_id) do update
       set status = 'seen', generation = detections.generation + 1, depth = excluded.depth, seen_at = now(), confirmed_at = null, reverted_at = null
       where detections.status = 'reverted'
     returning subject_id`,
    [
      ctx.chain.name,
      block.height,
      ctx.chain.confirmations,
      stored.map((row) => row.id),
      stored.map((row) => Buffer.from(ctx.codec.bytes(row.to_address))),
      ctx.chain.family,
    ],
  )
  return detections.map((row) => row.subject_id)
}

async function confirm(ctx: CommitContext, tx: Tx, height: number): Promise<string[]> {
  const rows = await tx.query<{ subject_id: string }>(
    `update detections set status = 'confirmed', confirmed_at = now()
     where chain = $1 and status = 'seen' and block_height + depth - 1 <= $2
     returning subject_id`,
    [ctx.chain.name, height],
  )
  return rows.map((row) => row.subject_id)
}
