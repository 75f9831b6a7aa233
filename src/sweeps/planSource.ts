import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { ActionRefusedError } from '../chains/sending.ts'
import type { SweepPayer } from '../chains/sweeping.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { type DueRow, withClaim } from '../platform/database/withClaim.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { type Cause, currentCause } from '../platform/telemetry/scope.ts'
import { isOld, onBehalf } from '../platform/telemetry/tracing.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { type Holding, holdingsAt, holdsGasAlone } from './holdings.ts'
import { isWorthwhile } from './isWorthwhile.ts'

/** Longer than planning an address takes. */
const leaseMs = 60_000
/**
 * What the chain does not have is read again. So is what costs too much, because prices change: later
 * and later.
 */
const [againSeconds, maxAgainSeconds] = [900, 21_600]

interface Source {
  chain: string
  address: string
  businessId: string
  forced: boolean
  /** The claim: another payment, or another worker, makes it another. */
  claimedUntil: string
}

/** A sweep to store. */
interface Wanted {
  holding: Holding
  amount: bigint
  payer: SweepPayer
  closes: boolean
  cost: bigint
  status: 'planned' | 'waiting'
}

/**
 * Works out what is to be swept from an address, and stores it: what is credited and confirmed by the books,
 * and there on the chain. Safe to repeat and to run concurrently.
 */
export async function planSource(
  ctx: SweepsContext,
  { chain, address }: { chain: string; address: string },
): Promise<void> {
  const due: DueRow = {
    table: 'sweep_sources',
    at: 'next_at',
    key: { chain, address },
    orIf: 'waits',
    leaseMs,
  }
  await withClaim(ctx.db, due, async ({ until }) => {
    const [row] = await ctx.db.query<Pick<Source, 'businessId' | 'forced'>>(
      'select business_id as "businessId", forced from sweep_sources where chain = $1 and address = $2',
      [chain, address],
    )
    if (row)
      await onBehalfOfPayment(ctx, { chain, address }, () =>
        planClaimed(ctx, { ...row, chain, address, claimedUntil: until }),
      )
  })
}

/** An address is swept for the session that was paid there: its watch has the cause. */
async function onBehalfOfPayment(
  { db }: SweepsContext,
  { chain, address }: Pick<Source, 'chain' | 'address'>,
  work: () => Promise<void>,
): Promise<void> {
  const { family } = registeredChain(chain)
  const [watch] = await db.query<Cause & { since: Date }>(
    `select traceparent, request_id as "requestId", effective_from as since from watches
     where family = $1 and address = $2 and purpose = 'session' order by effective_from desc limit 1`,
    [family, addressCodec(family).bytes(address)],
  )
  const { since, ...cause } = watch ?? { since: new Date(), traceparent: null, requestId: null }
  await onBehalf(
    cause,
    'step sweep_sources',
    { again: isOld(since), attributes: { 'cowry.chain': chain } },
    work,
  )
}

async function planClaimed(ctx: SweepsContext, source: Source): Promise<void> {
  const { chain: name, address } = source
  const sweeping = await ctx.sweeping(name)
  const treasury = sweeping && (await treasuryAddress(ctx.db, sweeping.chain.family))
  if (!sweeping || !treasury) return
  const enabled = await enabledTokens(ctx.db, source)
  // Read before the chain: what these move may be in a block already.
  const open = await openSweeps(ctx.db, source)
  const holdings = (await holdingsAt(ctx.db, sweeping, address)).filter((each) => !isMoving(each, open))
  const missing = holdings.filter(({ expected, onChain }) => onChain !== null && onChain < expected)
  for (const { symbol, expected, onChain } of missing) {
    ctx.observe('missing', name)
    ctx.log.error(
      { chain: name, address, symbol, expected: String(expected), onChain: String(onChain) },
      'a deposit address holds less than the books say',
    )
  }
  const wanted: Wanted[] = []
  for (const holding of holdings) {
    const each = await wantedOf(ctx, sweeping, { ...source, treasury }, holding, enabled)
    if (each) wanted.push(each)
  }
  const waits = holdings.some((each) => !wanted.some(({ holding }) => holding === each))
  const stored = await ctx.db.tx((tx) => store(tx, source, wanted, { isMissing: missing.length > 0, waits }))
  for (const { status } of stored) ctx.observe(status, name)
  failpoint('sweeps.planned')
}

interface OpenSweep {
  token: string
  payer: SweepPayer
}

const openSweeps = (db: Queryable, { chain, address }: Source): Promise<OpenSweep[]> =>
  db.query<OpenSweep>(
    "select token, payer from sweeps where chain = $1 and address = $2 and status not in ('done', 'failed', 'waiting')",
    [chain, address],
  )

/** A sweep that its address pays for moves native coin, too. */
const isMoving = ({ token, symbol }: Holding, open: readonly OpenSweep[]): boolean =>
  open.some((each) => each.token === symbol || (token === null && each.payer === 'deposit'))

/** The thresholds of the business's tokens for which autosweep is on, by symbol. */
async function enabledTokens(db: Queryable, { businessId, chain }: Source): Promise<Map<string, bigint>> {
  const rows = await db.query<{ token: string; threshold: string }>(
    'select token, threshold from sweep_settings where business_id = $1 and chain = $2 and enabled',
    [businessId, chain],
  )
  return new Map(rows.map(({ token, threshold }) => [token, BigInt(threshold)]))
}

async function wantedOf(
  ctx: SweepsContext,
  sweeping: SweepingChain,
  source: Source & { treasury: string },
  holding: Holding,
  enabled: ReadonlyMap<string, bigint>,
): Promise<Wanted | null> {
  const { token, symbol, expected, sweepable } = holding
  const { chain, reader, actions } = sweeping
  const amount = sweepable === null || sweepable < expected ? (sweepable ?? 0n) : expected
  if (amount <= 0n || !(source.forced || isEnabled(sweeping, symbol, amount, enabled))) return null
  const payer = await payerOf(ctx, sweeping, holding)
  const cost = await reader.cost(token, payer)
  const closes = token !== null && actions.closesAccounts === true && sweepable === amount
  if (!source.forced && !isWorthwhile(ctx.costs, { token, amount, cost }, chain.native)) {
    // Gas that a sweep has left is used by the next one.
    if (token === null && (await holdsGasAlone(ctx.db, chain, source.address))) return null
    return { holding, amount, payer, closes, cost, status: 'waiting' }
  }
  if (token !== null) return { holding, amount, payer, closes, cost, status: 'planned' }
  // The native coin's amount is fixed with its price; it leaves the fee.
  const whole = await ifPossible(() => reader.wholeNative(source.address, source.treasury, amount))
  return whole ? { holding, amount: whole.amount, payer, closes, cost, status: 'planned' } : null
}

const ifPossible = <T>(what: () => Promise<T>): Promise<T | null> =>
  what().catch((error) => {
    if (error instanceof ActionRefusedError) return null
    throw error
  })

/** The native coin and look-alikes have no switch of their own: they follow the chain. */
function isEnabled(
  { chain }: SweepingChain,
  symbol: string,
  amount: bigint,
  enabled: ReadonlyMap<string, bigint>,
): boolean {
  const isAccepted = chain.tokens.some((each) => each.symbol === symbol)
  if (!isAccepted) return enabled.size > 0 && amount >= 0n
  const threshold = enabled.get(symbol)
  return threshold !== undefined && amount >= threshold
}

/** A token that would refuse the treasury's authorizations is moved by its address, which needs gas. */
async function payerOf(
  ctx: SweepsContext,
  { chain, actions, reader }: SweepingChain,
  { token, symbol }: Holding,
): Promise<SweepPayer> {
  const payer = actions.payer(token)
  if (payer === 'deposit' || !token || !actions.authorizing?.needs(token) || !reader.takesAuthorizations)
    return payer
  if (await reader.takesAuthorizations(token)) return payer
  ctx.log.warn(
    { chain: chain.name, symbol },
    "the token's DOMAIN_SEPARATOR is not that of the registry: its sweeps need funded gas",
  )
  return 'deposit'
}

/** Stores sweeps, unless another payment or worker has come in between: then the address is planned again. */
async function store(
  tx: Tx,
  source: Source,
  wanted: readonly Wanted[],
  { isMissing, waits }: { isMissing: boolean; waits: boolean },
): Promise<Wanted[]> {
  const [still] = await tx.query(
    'select 1 from sweep_sources where chain = $1 and address = $2 and next_at = $3::timestamptz for update',
    [source.chain, source.address, source.claimedUntil],
  )
  if (!still) return []
  const stored = chosen(wanted, await openSweeps(tx, source))
  for (const each of stored) await insert(tx, source, each)
  await tx.query(
    `update sweep_sources set forced = forced and $5, waits = $6, planned_at = now(), next_at = case when $3 then now() + $4 * interval '1 second' else (
       select now() + least($7 * interval '1 second', greatest($4 * interval '1 second', now() - min(created_at)))
       from sweeps where chain = $1 and address = $2 and status = 'waiting' having count(*) > 0) end
     where chain = $1 and address = $2`,
    [
      source.chain,
      source.address,
      isMissing,
      againSeconds,
      stored.length < wanted.length,
      waits,
      maxAgainSeconds,
    ],
  )
  await tx.query("select pg_notify('cowry_sweeps', '')")
  return stored
}

/**
 * One sweep at a time spends an address's own native coin, so that its gas is not counted twice; the native
 * coin itself leaves last. The end of a sweep plans its address again.
 */
function chosen(wanted: readonly Wanted[], open: readonly OpenSweep[]): Wanted[] {
  const stored: Wanted[] = []
  for (const each of wanted) {
    const others = [
      ...open,
      ...stored
        .filter(({ status }) => status === 'planned')
        .map(({ payer, holding }) => ({ payer, token: holding.symbol })),
    ]
    if (open.some(({ token }) => token === each.holding.symbol)) continue
    const isFree =
      each.holding.token === null
        ? others.length === 0
        : each.payer === 'treasury' || others.every(({ payer }) => payer !== 'deposit')
    if (each.status === 'waiting' || isFree) stored.push(each)
  }
  return stored
}

/** One that waited for its cost takes the new amount. */
function insert(
  tx: Tx,
  { chain, address }: Source,
  { holding, amount, payer, closes, cost, status }: Wanted,
) {
  const { traceparent, requestId } = currentCause()
  return tx.query(
    `insert into sweeps (id, chain, address, token, contract, decimals, amount, payer, closes, status, reason, cost, next_at, traceparent, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case when $10 = 'planned' then now() end, $13, $14)
     on conflict (chain, address, token) where status not in ('done', 'failed') do update
       set amount = excluded.amount, payer = excluded.payer, closes = excluded.closes, status = excluded.status, reason = excluded.reason, cost = excluded.cost,
         next_at = excluded.next_at, updated_at = now(), traceparent = excluded.traceparent, request_id = excluded.request_id
       where sweeps.status = 'waiting'`,
    [
      newId(),
      chain,
      address,
      holding.symbol,
      holding.token?.contract ?? null,
      holding.decimals,
      amount.toString(),
      payer,
      closes,
      status,
      status === 'waiting' ? 'cost' : null,
      cost.toString(),
      traceparent,
      requestId,
    ],
  )
}
