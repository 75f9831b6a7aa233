import { randomBytes } from 'node:crypto'
import type { Token } from '../chains/action.ts'
import { sweepActions } from '../chains/sweepActions.ts'
import type { Authorizing } from '../chains/sweeping.ts'
import { isOwnDeposit, type PlatformKeys } from '../custody/platformAddresses.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { TreasuryChain } from '../txmgr/intents.ts'
import { isPaused } from '../txmgr/pause.ts'
import { isUnused } from './authorizations.ts'
import { readSweeps, type Sweep } from './sweepRow.ts'

export interface AuthorizingContext {
  db: Db
  log: Log
  keys: PlatformKeys
  /** As the treasury is configured. */
  chains: readonly TreasuryChain[]
}

/** An unused authorization is over after this time. */
const validMs = 6 * 3_600_000
/** Clocks of blocks run behind: the next one waits until no block can take the last, unless that was used. */
const marginMs = 600_000
const batchSize = 50

/**
 * Signs the authorizations that sweeps wait for: of a deposit address of this seed, to this treasury. The
 * nonce is random and stored before it is signed, so that a crash makes no second one. In the treasury alone.
 */
export async function authorizePending(ctx: AuthorizingContext): Promise<void> {
  for (const unsigned of await unsignedAuthorizations(ctx.db)) await signStored(ctx, unsigned)
  const sweeps = await readSweeps(
    ctx.db,
    `status = 'authorizing' and payer = 'treasury' and contract is not null and not exists (
       select 1 from sweep_authorizations a where a.chain = sweeps.chain and a.contract = sweeps.contract and a.from_address = sweeps.address
         and a.valid_before > now() - $1 * interval '1 millisecond' and ${isUnused}) order by id limit $2`,
    [marginMs, batchSize],
  )
  for (const sweep of sweeps) {
    const refusal = await refusalOf(ctx, sweep)
    if (refusal !== null)
      ctx.log.error(
        { sweep: sweep.id, chain: sweep.chain, refusal },
        'the treasury refused to authorize a sweep',
      )
    else if (!(await isPaused(ctx.db, sweep.chain))) await authorize(ctx, sweep)
  }
}

/** @returns why a move is not authorized; its row is not trusted */
async function refusalOf(
  { db, keys, chains }: AuthorizingContext,
  { chain: name, token, address }: Pick<Sweep, 'chain' | 'token' | 'address'>,
) {
  const chain = chains.find((each) => each.name === name)
  if (!chain) return `the treasury does not have ${name}`
  const authorizing = await authorizingOf(chain)
  if (!token || !authorizing?.needs(token)) return 'the token takes no authorizations'
  return (await isOwnDeposit(db, keys, chain.family, address))
    ? null
    : `${address} is not a deposit address of this seed`
}

const authorizingOf = async (chain: TreasuryChain): Promise<Authorizing | null> =>
  (await sweepActions(chain))?.authorizing ?? null

async function authorize(
  ctx: AuthorizingContext,
  { chain: name, token, address, amount }: Sweep,
): Promise<void> {
  const chain = ctx.chains.find((each) => each.name === name)
  if (!chain || !token) return
  const unsigned = {
    id: newId(),
    chain: name,
    contract: token.contract,
    address,
    to: ctx.keys.treasury(chain.family),
    amount: String(amount),
    nonce: randomBytes(32),
    validBefore: new Date(Date.now() + validMs),
  }
  if (!(await ctx.db.tx((tx) => store(tx, unsigned)))) return
  failpoint('treasury.sweep-nonce-stored')
  await signStored(ctx, unsigned)
}

/** @returns false where another treasury has stored one meanwhile */
async function store(
  tx: Tx,
  { id, chain, contract, address, to, amount, nonce, validBefore }: Unsigned,
): Promise<boolean> {
  await tx.query(
    "select pg_advisory_xact_lock(hashtextextended('cowry sweep authorization ' || $1 || $2 || $3, 0))",
    [chain, contract, address],
  )
  const [valid] = await tx.query(
    `select 1 from sweep_authorizations a where a.chain = $1 and a.contract = $2 and a.from_address = $3
       and a.valid_before > now() - $4 * interval '1 millisecond' and ${isUnused}`,
    [chain, contract, address, marginMs],
  )
  if (valid) return false
  await tx.query(
    `insert into sweep_authorizations (id, chain, contract, from_address, to_address, amount, nonce, valid_before)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, chain, contract, address, to, amount, nonce, validBefore],
  )
  return true
}

interface Unsigned {
  id: string
  chain: string
  contract: string
  address: string
  to: string
  amount: string
  nonce: Buffer
  validBefore: Date
}

/** Stored before a crash. */
const unsignedAuthorizations = (db: Queryable): Promise<Unsigned[]> =>
  db.query<Unsigned>(
    `select id, chain, contract, from_address as address, to_address as to, amount, nonce, valid_before as "validBefore"
     from sweep_authorizations where signature is null and valid_before > now() order by id limit $1`,
    [batchSize],
  )

async function signStored(ctx: AuthorizingContext, unsigned: Unsigned): Promise<void> {
  const chain = ctx.chains.find((each) => each.name === unsigned.chain)
  const authorizing = chain && (await authorizingOf(chain))
  const known = chain?.tokens.find(({ contract }) => contract === unsigned.contract)
  if (!chain || !authorizing || !known || unsigned.to !== ctx.keys.treasury(chain.family)) return
  const key = await ctx.keys.depositKey(ctx.db, chain.family, unsigned.address)
  if (!key) return
  const token: Token = { contract: known.contract, symbol: known.symbol, decimals: known.decimals }
  const move = { address: unsigned.address, token, amount: BigInt(unsigned.amount) }
  const signature = authorizing.sign(
    move,
    unsigned.to,
    { nonce: unsigned.nonce, validBefore: unsigned.validBefore },
    key,
  )
  await ctx.db.tx(async (tx) => {
    await tx.query('update sweep_authorizations set signature = $2 where id = $1', [unsigned.id, signature])
    await tx.query(
      "update sweeps set next_at = now() where status = 'authorizing' and chain = $1 and address = $2",
      [unsigned.chain, unsigned.address],
    )
    await tx.query("select pg_notify('cowry_sweeps', '')")
  })
  failpoint('treasury.sweep-authorized')
  ctx.log.info({ chain: unsigned.chain, address: unsigned.address }, 'a sweep was authorized')
}
