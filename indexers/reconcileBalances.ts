import { repeat } from '../src/platform/repeat.ts'
import { recentAddresses } from '../src/sessions/recentAddresses.ts'
import { confirmedHeight } from './confirm.ts'
import type { IndexerContext } from './context.ts'
import { logUnreadable } from './logUnreadable.ts'
import { commitPast } from './reread.ts'

/** Addresses in one round. */
const maxAddresses = 1000
/** Nodes without an archive keep the balances of their last 128 blocks. */
const stateDepth = 120
const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * Finds internal transfers of the native coin if no provider offers traces: a balance above the recorded
 * transfers came from a call within a contract. Binary search finds the block; the transaction stays unknown,
 * so the transfer carries the block's id in its place. Covers deposit addresses of recent sessions; a rescan
 * with a tracing node finds older ones.
 */
export async function reconcileBalances(ctx: IndexerContext): Promise<void> {
  // Up to this height, all balances are explained.
  let explainedUpTo: number | null = null
  const failed = logUnreadable(ctx.log, 'balances could not be compared; trying again')
  await repeat(ctx.signal, { everyMs: ctx.balancesMs, failed }, async () => {
    if (ctx.reader.internalMethod === 'balances')
      explainedUpTo = (await reconcile(ctx, explainedUpTo)) ?? explainedUpTo
  })
}

async function reconcile(ctx: IndexerContext, explainedUpTo: number | null): Promise<number | null> {
  const [cursor] = await ctx.db.query<{ height: string | null; finalizedHeight: string | null }>(
    'select height, finalized_height as "finalizedHeight" from chain_cursors where chain = $1',
    [ctx.chain.name],
  )
  if (cursor?.height == null) return null
  const height = confirmedHeight(ctx.chain, Number(cursor.height), Number(cursor.finalizedHeight ?? -1)) ?? -1
  if (height < 0 || height === explainedUpTo) return null
  const addresses = await recentAddresses(ctx.db, ctx.chain.family, maxAddresses)
  if (addresses.length === 0) return height
  const balances = await balancesOf(ctx, addresses, height)
  const recorded = await recordedOf(ctx, addresses, height)
  for (const [index, address] of addresses.entries()) {
    const unexplained = (balances[index] as bigint) - (recorded.get(address) ?? 0n)
    // Each gain separately, oldest first: the time of its block decides how it counts.
    let from: number | null = unexplained > 0n ? Math.max(explainedUpTo ?? 0, height - stateDepth, 0) : null
    while (from !== null) from = await locate(ctx, address, from, height)
  }
  return height
}

async function balancesOf(
  { chain, reader }: IndexerContext,
  addresses: readonly string[],
  height: number,
): Promise<bigint[]> {
  if (!reader.balances) throw new Error(`${chain.name} does not support balances of past blocks`)
  return reader.balances(addresses, height)
}

/** Recorded incoming native coin, up to a height. */
async function recordedOf(
  ctx: IndexerContext,
  addresses: readonly string[],
  height: number,
): Promise<Map<string, bigint>> {
  const rows = await ctx.db.query<{ toAddress: string; total: string }>(
    `select t.to_address as "toAddress", sum(t.amount) as total from transfers t
     where t.chain = $1 and t.contract is null and t.canonical and t.block_height <= $2 and t.to_address = any($3::text[]) group by t.to_address`,
    [ctx.chain.name, height, addresses],
  )
  return new Map(rows.map((row) => [row.toAddress, BigInt(row.total)]))
}

/**
 * Finds the first block after which the address holds more than recorded, and records the gain.
 * @returns that block's height; null when everything is explained
 */
async function locate(
  ctx: IndexerContext,
  address: string,
  from: number,
  to: number,
): Promise<number | null> {
  const unexplained = async (height: number) => {
    const [balance = 0n] = await balancesOf(ctx, [address], height)
    return balance - ((await recordedOf(ctx, [address], height)).get(address) ?? 0n)
  }
  if ((await unexplained(to)) <= 0n) return null
  let [before, after] = [from, to]
  // A gain from before the oldest block with known balances is assigned to that block.
  if ((await unexplained(before)) > 0n) after = before
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if ((await unexplained(middle)) > 0n) after = middle
    else before = middle
  }
  const amount = await unexplained(after)
  const header = await ctx.reader.header(after)
  if (!header || amount <= 0n) return null
  const transfer = {
    txId: header.id,
    movementKey: `balance:${address}`,
    contract: null,
    from: zeroAddress,
    to: address,
    amount,
  }
  await commitPast(
    ctx,
    { from: after, to: after },
    [
      {
        block: { ...header, source: 'balances', traced: true },
        payments: [{ transfer, asset: { ...ctx.chain.native, contract: null } }],
      },
    ],
    'internal',
  )
  ctx.log.info({ height: after, address }, 'an internal transfer was found by its balance')
  return after
}
