import { type FinalityPolicy, requiredDepth } from '../src/chains/finality.ts'
import type { Tx } from '../src/platform/db.ts'
import { newId } from '../src/platform/ids.ts'
import { isDue, type Progress } from './confirm.ts'
import { type CommitContext, hasWitness } from './context.ts'
import type { Payment, ReadBlock } from './findPayments.ts'
import { type DetectionRow, detectionRow } from './tellOfPayments.ts'

/** Detections that are new or that a fork brought back. */
export interface Detected {
  detections: DetectionRow[]
  /** How many of them are confirmed already. */
  confirmed: number
}

const nothing: Detected = { detections: [], confirmed: 0 }

interface Found extends Payment {
  block: ReadBlock['block']
}

interface Watch {
  id: string
  address: Buffer
  business_id: string | null
  subject_id: string
  finality_amount: string | null
  rules: FinalityPolicy | null
}

/**
 * Stores transfers and one detection for each watch they touch. A block that comes back after a fork finds its own rows: they
 * are revived in the next generation. What is deep enough already is confirmed at once.
 */
export async function detect(ctx: CommitContext, tx: Tx, blocks: readonly ReadBlock[], at: Progress): Promise<Detected> {
  const found = await withoutOtherTraces(
    ctx,
    tx,
    blocks.flatMap(({ block, payments }) => payments.map((payment) => ({ ...payment, block }))),
  )
  if (found.length === 0) return nothing
  const stored = await storeTransfers(ctx, tx, found)
  if (stored.length === 0) return nothing
  const watches = await watchesOf(ctx, tx, stored)
  const rows = stored.flatMap(({ id, found: { block, transfer, asset } }) =>
    (watches.get(transfer.to) ?? []).map((watch) => {
      const depth = requiredDepth(ctx.chain, watch.rules, asset, largest(transfer.amount, watch.finality_amount, asset.decimals))
      return { transferId: id, watch, height: block.height, depth, status: isDue(ctx, at, block.height, depth) ? 'confirmed' : 'seen' }
    }),
  )
  if (rows.length === 0) return nothing
  const detections = await tx.query<DetectionRow & { status: string }>(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement)
     select gen_random_uuid(), t.transfer_id, t.watch_id, t.business_id, t.subject_id, $1, t.height, t.depth, t.status,
       case when t.status = 'confirmed' then now() end, $9
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[], $7::integer[], $8::text[])
       as t(transfer_id, watch_id, business_id, subject_id, height, depth, status)
     on conflict (transfer_id, watch_id) do update
       set status = excluded.status, generation = detections.generation + 1, depth = excluded.depth, seen_at = now(),
         confirmed_at = excluded.confirmed_at, reverted_at = null, needs_agreement = excluded.needs_agreement, agreed_at = null, disputed_at = null
       where detections.status = 'reverted'
     returning ${detectionRow}, status`,
    [
      ctx.chain.name,
      rows.map((row) => row.transferId),
      rows.map((row) => row.watch.id),
      rows.map((row) => row.watch.business_id),
      rows.map((row) => row.watch.subject_id),
      rows.map((row) => row.height),
      rows.map((row) => row.depth),
      rows.map((row) => row.status),
      hasWitness(ctx.chain),
    ],
  )
  return { detections, confirmed: detections.filter((row) => row.status === 'confirmed').length }
}

const keyOf = (blockId: string, txId: string, movementKey: string) => `${blockId} ${txId} ${movementKey}`

/** Gives only those that are new, or that a fork brought back. */
async function storeTransfers(ctx: CommitContext, tx: Tx, found: readonly Found[]): Promise<{ id: string; found: Found }[]> {
  const byKey = new Map(found.map((each) => [keyOf(each.block.id, each.transfer.txId, each.transfer.movementKey), each]))
  const rows = await tx.query<{ id: string; block_id: string; tx_id: string; movement_key: string }>(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type)
     select id, $1, height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type
     from unnest($2::uuid[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
         $12::numeric[], $13::text[], $14::text[], $15::text[])
       as t(id, height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount, source, memo, memo_type)
     on conflict (chain, tx_id, movement_key, block_id) do update
       set canonical = true, generation = transfers.generation + 1, source = excluded.source, amount = excluded.amount,
         from_address = excluded.from_address, to_address = excluded.to_address, contract = excluded.contract, token = excluded.token
       where not transfers.canonical
     returning id, block_id, tx_id, movement_key`,
    [
      ctx.chain.name,
      found.map(() => newId()),
      found.map(({ block }) => block.height),
      found.map(({ block }) => block.id),
      found.map(({ block }) => block.time.toISOString()),
      found.map(({ transfer }) => transfer.txId),
      found.map(({ transfer }) => transfer.movementKey),
      found.map(({ transfer }) => transfer.contract),
      found.map(({ asset }) => asset.symbol),
      found.map(({ transfer }) => transfer.from),
      found.map(({ transfer }) => transfer.to),
      found.map(({ transfer }) => transfer.amount.toString()),
      found.map(({ block }) => block.source),
      found.map(({ transfer }) => transfer.memo?.value ?? null),
      found.map(({ transfer }) => transfer.memo?.type ?? null),
    ],
  )
  return rows.flatMap((row) => {
    const each = byKey.get(keyOf(row.block_id, row.tx_id, row.movement_key))
    return each ? [{ id: row.id, found: each }] : []
  })
}

/**
 * Who watches the recipients, with what each asked about finality. By the address in the family's normal form. What comes to an
 * account that addresses share, and to none of them that anybody watches, is the account's own.
 */
async function watchesOf(ctx: CommitContext, tx: Tx, stored: readonly { found: Found }[]): Promise<Map<string, Watch[]>> {
  const recipients = [...new Set(stored.map(({ found }) => found.transfer.to))]
  const hexOf = (address: string) => Buffer.from(ctx.codec.bytes(address)).toString('hex')
  const accountOf = (address: string) => ctx.codec.account?.(address) ?? null
  const asked = new Set(recipients.flatMap((to) => [to, accountOf(to) ?? to]).map(hexOf))
  const rows = await tx.query<Watch>(
    `select w.id, w.address, w.business_id, w.subject_id, w.finality_amount, p.rules
     from watches w left join finality_policies p on p.id = w.finality_policy_id
     where w.family = $1 and w.address = any($2::bytea[]) and (w.chain is null or w.chain = $3) and w.removed_at is null`,
    [ctx.chain.family, [...asked].map((hex) => Buffer.from(hex, 'hex')), ctx.chain.name],
  )
  const byAddress = Map.groupBy(rows, (watch) => watch.address.toString('hex'))
  return new Map(
    recipients.map((to) => {
      const account = accountOf(to)
      return [to, byAddress.get(hexOf(to)) ?? (account === null ? [] : (byAddress.get(hexOf(account)) ?? []))]
    }),
  )
}

/** The amount that decides how final a transfer must be: many small ones to one session are as good as a large one. */
function largest(amount: bigint, wholeTokens: string | null, decimals: number): bigint {
  if (wholeTokens === null) return amount
  const [whole = '0', fraction = ''] = wholeTokens.split('.')
  const least = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
  return least > amount ? least : amount
}

/**
 * Internal transfers come from call traces, from differences of a transaction's balances, or from comparing balances now and
 * then, and each names them differently. Where a block was read the one way, reading it another way finds nothing new: whatever
 * reached an address up to a comparison of its balance is in what that comparison found.
 */
async function withoutOtherTraces(ctx: CommitContext, tx: Tx, found: Found[]): Promise<Found[]> {
  const traced = found.filter(({ transfer }) => isTrace(transfer.movementKey))
  if (traced.length === 0) return found
  const known = await tx.query<{ block_id: string; tx_id: string; to_address: string; movement_key: string; block_height: string }>(
    `select block_id, tx_id, to_address, movement_key, block_height from transfers
     where chain = $1 and contract is null and canonical
       and (tx_id = any($2::text[]) and movement_key like 'trace:%' or movement_key = any($3::text[]))`,
    [ctx.chain.name, traced.map(({ transfer }) => transfer.txId), traced.map(({ transfer }) => `balance:${transfer.to}`)],
  )
  const byTransaction = Map.groupBy(known, (row) => keyOf(row.block_id, row.tx_id, row.to_address))
  const comparedUpTo = new Map<string, number>()
  for (const row of known.filter(({ movement_key }) => movement_key.startsWith('balance:'))) {
    comparedUpTo.set(row.to_address, Math.max(comparedUpTo.get(row.to_address) ?? 0, Number(row.block_height)))
  }
  return found.filter(({ block, transfer }) => {
    if (!isTrace(transfer.movementKey)) return true
    if (block.height <= (comparedUpTo.get(transfer.to) ?? -1)) return false
    const rows = byTransaction.get(keyOf(block.id, transfer.txId, transfer.to)) ?? []
    return rows.length === 0 || rows.some((row) => isNet(row.movement_key) === isNet(transfer.movementKey))
  })
}

const isTrace = (movementKey: string) => movementKey.startsWith('trace:')
const isNet = (movementKey: string) => movementKey.startsWith('trace:net')
