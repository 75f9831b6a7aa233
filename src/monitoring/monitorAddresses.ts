import type { Chain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, BaseError, invalidBody } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Caps } from '../rateLimits/caps.ts'
import { type Counted, doCounted } from '../rateLimits/dailyCaps.ts'
import { expectedBlocks } from './imports.ts'
import type { MonitoredTokens } from './models.ts'
import { requireEntries } from './request.ts'
import { cursorOf, storeMonitoring } from './storeMonitoring.ts'
import { type MonitoredAddressView, presentMonitored } from './view.ts'

export interface NewMonitoring {
  chain: Pick<Chain, 'name' | 'family'>
  /** In any notation of the chain. */
  addresses: readonly { address: string; metadata?: Record<string, unknown> | null | undefined }[]
  /** Default: `known`. */
  tokens?: MonitoredTokens | undefined
  /** Blocks from this height on are read again for these addresses. */
  fromBlock?: number | undefined
  /** The request has one address and no list: errors name the fields without an index. Default: false. */
  single?: boolean | undefined
}

export interface Monitoring {
  /**
   * One entry for each address of the request, in its order; an address named twice has the same entry twice,
   * and is new once.
   */
  entries: { view: MonitoredAddressView; created: boolean }[]
  /** The import that reads the blocks since `fromBlock`; null if there is nothing to read. */
  importId: string | null
}

export interface MonitoringContext {
  db: ModelDb
  /** Maximum distance of `fromBlock` from the cursor, in blocks. */
  importBlocks: number
  caps: Caps
  bulkCallsAtOnce: number
  /** Counts blocks to read again; must not run in a transaction. @throws ApiError if over the cap */
  countImport(businessId: string, blocks: number): Promise<Counted>
}

/**
 * Monitors addresses from this transaction's commit on. An address already monitored stays unchanged, except
 * that an earlier `fromBlock` lowers its own.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `addresses.N.address`, `addresses.N.metadata` (`address`, `metadata` for a
 * single one) or
 *   `fromBlock`; 409 `chain_not_indexed` if no block was read yet, `cap_reached`; errors of `countImport`
 */
export async function monitorAddresses(
  ctx: MonitoringContext,
  businessId: string,
  request: NewMonitoring,
  also?: (tx: ModelTx, result: Monitoring) => Promise<void>,
): Promise<Monitoring> {
  const normal = await requireEntries(request.chain, request.addresses, request.single ?? false)
  let counted = await countExpected(ctx, businessId, request)
  for (;;) {
    const { cost, giveBack } = counted
    try {
      const { monitoring, importBlocks } = await doCounted(counted, () =>
        store(ctx, businessId, request, normal, cost, also),
      )
      await giveBack(cost - importBlocks)
      failpoint('api.address-monitored')
      return monitoring
    } catch (error) {
      if (!(error instanceof UncountedBlocksError)) throw error
      counted = await ctx.countImport(businessId, error.blocks)
    }
  }
}

/**
 * Counts the expected blocks. Over the cap it counts 0 for now: the addresses may already have these blocks.
 */
async function countExpected(
  ctx: MonitoringContext,
  businessId: string,
  { chain, fromBlock }: NewMonitoring,
): Promise<Counted> {
  if (fromBlock === undefined) return ctx.countImport(businessId, 0)
  const cursor = await requireReadable(ctx.db, chain, fromBlock, ctx.importBlocks)
  const blocks = await expectedBlocks(ctx.db, { businessId, chain: chain.name, from: fromBlock, to: cursor })
  try {
    return await ctx.countImport(businessId, blocks)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return ctx.countImport(businessId, 0)
  }
}

/**
 * The transaction found more blocks to read than were counted: a waiting import started or a block arrived
 * meanwhile.
 */
class UncountedBlocksError extends BaseError {
  readonly code = 'uncounted_blocks'
  readonly retry = 'yes'
  readonly blocks: number
  constructor(blocks: number) {
    super(`${blocks} blocks must be read, more than were counted`)
    this.blocks = blocks
  }
}

/** @throws UncountedBlocksError; then nothing is stored */
function store(
  ctx: MonitoringContext,
  businessId: string,
  request: NewMonitoring,
  normal: readonly string[],
  counted: number,
  also?: (tx: ModelTx, result: Monitoring) => Promise<void>,
): Promise<{ monitoring: Monitoring; importBlocks: number }> {
  return ctx.db.tx(async (tx) => {
    const { chain, tokens = 'known', fromBlock = null } = request
    if (fromBlock !== null) await requireReadable(tx, chain, fromBlock, ctx.importBlocks)
    const rows = normal.map((address, index) => ({
      address,
      metadata: request.addresses[index]?.metadata ?? null,
    }))
    const stored = await storeMonitoring(tx, ctx, { businessId, chain, tokens, fromBlock, rows })
    if (stored.importBlocks > counted) throw new UncountedBlocksError(stored.importBlocks)
    const monitoring = {
      entries: stored
        .results(normal)
        .map(({ entry, created }) => ({ view: presentMonitored(entry, entry.fromHeight), created })),
      importId: stored.importId,
    }
    await also?.(tx, monitoring)
    return { monitoring, importBlocks: stored.importBlocks }
  })
}

/**
 * @returns the newest block read
 * @throws ApiError 409 `chain_not_indexed` if no block was read yet; 400 naming `fromBlock`
 */
export async function requireReadable(
  db: Queryable,
  chain: Pick<Chain, 'name'>,
  fromBlock: number,
  importBlocks: number,
): Promise<number> {
  const cursor = await cursorOf(db, chain.name)
  if (cursor === null)
    throw new ApiError(409, 'chain_not_indexed', `No block of ${chain.name} has been read yet`)
  if (fromBlock > cursor)
    throw invalidBody({
      field: 'fromBlock',
      message: `is above block ${cursor}, the newest block read`,
      code: 'too_large',
    })
  if (cursor - fromBlock >= importBlocks) {
    throw invalidBody({
      field: 'fromBlock',
      message: `is more than ${importBlocks} blocks back; the earliest allowed block is ${cursor - importBlocks + 1}`,
      code: 'too_small',
    })
  }
  return cursor
}
