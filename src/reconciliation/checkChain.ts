import { type Asset, assetsOf, staleAfterMs } from '../chains/registry.ts'
import type { PastBalances } from '../chains/sending.ts'
import { BaseError } from '../platform/errors.ts'
import { pause } from '../platform/wait.ts'
import { checkedAddresses } from './checkedAddresses.ts'
import type { ChainDrift, CheckContext, OwnAddresses } from './context.ts'
import { type Expected, expectedAt, nothing } from './expected.ts'
import { expectedOfStaking } from './expectedOfStaking.ts'
import { expectedOfTreasury } from './expectedOfTreasury.ts'
import { unattributed } from './unattributed.ts'

/** Reads of an address that differs: movements that the books do not know yet end within some of them. */
const maxLooks = 5

/** The chain cannot be compared now. */
export class UncheckableChainError extends BaseError {
  readonly code = 'chain_uncheckable'
  readonly retry = 'yes'
}

/**
 * Compares the books of each deposit address, of the treasury and of the staking address with the
 * chain: after the block that the indexer has read, where nodes answer for it, otherwise now. An address that
 * differs is read again; a difference counts if it never fits.
 * @throws UncheckableChainError, ProviderError
 */
export async function checkChain(
  ctx: CheckContext,
  own: OwnAddresses,
): Promise<{ addresses: number; drift: ChainDrift[]; height: number | null }> {
  await requireIndexed(ctx)
  let count = 0
  let lowest: number | null = Number.POSITIVE_INFINITY
  let differing = new Map<string, ChainDrift[]>()
  for await (const addresses of checkedAddresses(ctx, own)) {
    count += addresses.length
    const looked = await differences(ctx, addresses, own, false)
    lowest = lowest === null || looked.height === null ? null : Math.min(lowest, looked.height)
    for (const [address, drift] of looked.differing) differing.set(address, drift)
  }
  for (let look = 1; look < maxLooks && differing.size > 0 && !ctx.signal.aborted; look++) {
    await pause(ctx.pauseMs, ctx.signal)
    differing = (await differences(ctx, [...differing.keys()], own, true)).differing
  }
  // An indexer that stood still meanwhile has not seen the last payments.
  await requireIndexed(ctx)
  const height = lowest === null || !Number.isFinite(lowest) ? null : lowest
  return {
    addresses: count,
    height,
    drift: [...[...differing.values()].flat(), ...(await unattributed(ctx.db, ctx.chain))],
  }
}

async function requireIndexed({ db, chain }: CheckContext): Promise<void> {
  const [cursor] = await db.query<{ isFresh: boolean }>(
    `select height is not null and updated_at > now() - $2 * interval '1 millisecond' as "isFresh" from chain_cursors where chain = $1`,
    [chain.name, staleAfterMs(chain)],
  )
  if (!cursor?.isFresh) throw new UncheckableChainError('the indexer does not read the chain at present')
}

/**
 * Addresses whose balances do not fit, with those that do not; and the block that they are of, null if they
 * are as of now.
 * @param each reads every address by itself, where that sees more: on Solana all accounts of an owner
 */
async function differences(
  ctx: CheckContext,
  addresses: readonly string[],
  { treasury, staking }: OwnAddresses,
  each: boolean,
): Promise<{ differing: Map<string, ChainDrift[]>; height: number | null }> {
  const assets = assetsOf(ctx.chain)
  const { expected, height } = await ctx.db.snapshot(async (tx) => {
    const [cursor] = await tx.query<{ height: string }>('select height from chain_cursors where chain = $1', [
      ctx.chain.name,
    ])
    const ofDeposits = await expectedAt(
      tx,
      ctx.chain,
      addresses.filter((each) => each !== treasury && each !== staking),
    )
    const ofTreasury: ReadonlyMap<string, Expected> = addresses.includes(treasury)
      ? await expectedOfTreasury(tx, ctx.chain, treasury)
      : new Map()
    const own = new Map([[treasury, ofTreasury]])
    if (staking !== null && addresses.includes(staking))
      own.set(staking, await expectedOfStaking(tx, ctx.chain, staking))
    return { expected: new Map([...ofDeposits, ...own]), height: Number(cursor?.height) }
  })
  const { found, isPast } = await read(ctx, addresses, assets, { height, each })
  const differing = new Map<string, ChainDrift[]>()
  for (const [index, address] of addresses.entries()) {
    const drift = assets.flatMap((asset) =>
      difference(
        address,
        asset,
        expected.get(address)?.get(asset.symbol) ?? nothing,
        found[index]?.get(asset) ?? null,
      ),
    )
    if (drift.length > 0) differing.set(address, drift)
  }
  return { differing, height: isPast ? height : null }
}

/** @param found null: the contract did not answer, which proves nothing */
function difference(
  address: string,
  { symbol }: Asset,
  { booked, more, less }: Expected,
  found: bigint | null,
): ChainDrift[] {
  if (found === null || (found >= booked - less && found <= booked + more)) return []
  return [{ address, symbol, expected: booked, found }]
}

type Found = ReadonlyMap<Asset, bigint | null>

async function read(
  { balances, chain }: CheckContext,
  addresses: readonly string[],
  assets: readonly Asset[],
  { height, each }: { height: number; each: boolean },
): Promise<{ found: Found[]; isPast: boolean }> {
  const contracts = assets.flatMap(({ contract }) => (contract === null ? [] : [contract]))
  const named = ({ native, tokens }: PastBalances): Found =>
    new Map(
      assets.map((asset) => [
        asset,
        asset.contract === null ? native : (tokens[contracts.indexOf(asset.contract)] ?? null),
      ]),
    )
  // Null where no node has the state of that block any more.
  const past = chain.family === 'evm' ? await balances.many?.(addresses, contracts, height) : null
  const many = past ?? (each ? null : await balances.many?.(addresses, contracts, null))
  if (many) return { found: many.map(named), isPast: Boolean(past) }
  const found: Found[] = []
  for (const address of addresses) {
    const { native, tokens } = await balances.balances(address, contracts)
    found.push(
      named({
        native,
        tokens: tokens.map(({ balance, problem }) => (problem === 'not_a_token' ? 0n : balance)),
      }),
    )
  }
  return { found, isPast: false }
}
