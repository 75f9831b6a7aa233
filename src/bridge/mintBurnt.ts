import type { Signed } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import { treasuryAddress } from '../custody/treasuryAddress.ts'
import { resultOr } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { FollowedIntent } from '../txmgr/followedIntents.ts'
import { insertIntent } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { isPaused } from '../txmgr/pause.ts'
import { wasSigned } from '../txmgr/wasSigned.ts'
import { AttestationsError } from './attestations.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { usdcOf } from './burnOf.ts'
import type { BridgeContext, BridgingChain } from './context.ts'
import { later, withoutMessage } from './later.ts'
import { maxMints, mintIdsOf, signedMints, unusedId } from './mintIds.ts'
import { moveBridge, storeMove } from './moveBridge.ts'
import { requestCircle } from './requestCircle.ts'
import { settleMint } from './settleMint.ts'

const maxWaitMs = 3000
/** Longer than a signature takes. */
const signingMs = 60_000

/** Each try uses up an id: so many last for weeks. */
const maxUnsignedPauseMs = 1_800_000

/** The same can be minted later. */
const shortages: Readonly<Record<string, string>> = {
  insufficient_native_balance: 'treasury_gas_low',
  fee_too_high: 'fee_too_high',
}

/** Mints what is burnt, unless it is minted already. The chain decides that, and not Circle's report. */
export async function mintBurnt(
  ctx: BridgeContext,
  row: BridgeTransfer,
  destination: BridgingChain,
  burn: FollowedIntent,
  mint: FollowedIntent | null,
): Promise<void> {
  const { message, attestation, nonce } = row
  if (message === null || attestation === null || nonce === null) return
  const { reader, chain } = destination
  const used = await reader.usedIn(nonce)
  if (used === 'confirmed') return settleMint(ctx, row, destination, burn, null)
  if (used === 'newest') return storeMove(ctx, row, { delay: null, nextInMs: Math.max(chain.blockMs, 1000) })
  if (mint && !isOutcome(mint.status))
    return storeMove(ctx, row, { delay: await delayOf(ctx, row, mint), nextInMs: ctx.pollMs })
  if (mint)
    return (await wasSigned(ctx.db, mint.id)) ? afterFailed(ctx, row, mint) : afterUnsigned(ctx, row, mint)
  const waitsForCircle =
    row.automatic && Date.now() - (row.attestedAt ?? row.updatedAt).getTime() < ctx.forwardMs
  if (waitsForCircle) return storeMove(ctx, row, { delay: null, nextInMs: ctx.pollMs })
  const treasury = await treasuryAddress(ctx.db, chain.family)
  if (!treasury) return storeMove(ctx, row, later(ctx, row, 'treasury_not_started'))
  const signed = { message, attestation, ...(await accountsOf(destination, row.destinationAddress)) }
  const problem = await reader.mintProblem(treasury, signed)
  if (problem === null) return createMint(ctx, row, destination, treasury, signed)
  if (problem === 'used') return storeMove(ctx, row, later(ctx, row, row.delay))
  if (problem === 'expired') return reattest(ctx, row, nonce)
  await refuse(ctx, row, problem.refused)
}

/** Accounts that a mint names beyond its message, on Solana. */
async function accountsOf({ chain, reader }: BridgingChain, owner: string): Promise<Pick<Signed, 'to'>> {
  const token = usdcOf(chain)
  const feeAccount = token && (await reader.feeAccount?.(token))
  return feeAccount ? { to: { owner, token, feeAccount } } : {}
}

/** Why its mint has not left; null: nothing keeps it. */
async function delayOf(
  ctx: BridgeContext,
  row: BridgeTransfer,
  mint: FollowedIntent,
): Promise<string | null> {
  if (mint.status !== 'created') return null
  if (await isPaused(ctx.db, mint.chain)) return 'sending_paused'
  if (mint.feeWaitForMs !== null) return 'fee_too_high'
  // The budget of fees is used up, or the treasury is away.
  return Date.now() - mint.createdAt.getTime() > signingMs ? 'mint_not_signed' : row.delay
}

/** Nothing of it can be mined: another intent follows later. */
async function afterUnsigned(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { reason, message }: FollowedIntent,
): Promise<void> {
  const shortage = shortages[reason ?? '']
  ctx.observe(shortage === undefined ? 'mint_refused' : 'mint_waits', row)
  ctx.log.warn(
    { bridge: row.id, reason, err: message },
    'the treasury did not sign the mint of a bridge transfer',
  )
  await storeMove(ctx, row, {
    ...later(ctx, row, shortage ?? 'mint_refused', maxUnsignedPauseMs),
    mintIntentId: null,
  })
}

/** It was signed, and minted nothing: another one follows later. */
async function afterFailed(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { reason, message }: FollowedIntent,
): Promise<void> {
  ctx.observe('mint_refused', row)
  ctx.log.warn({ bridge: row.id, reason, err: message }, 'a mint of a bridge transfer has failed')
  await storeMove(ctx, row, { ...later(ctx, row, 'mint_refused'), mintIntentId: null })
}

/** The contract does not take the message: Circle is queried again, which may answer with another one. */
async function refuse(ctx: BridgeContext, row: BridgeTransfer, reason: string): Promise<void> {
  ctx.observe('mint_refused', row)
  ctx.log.error({ bridge: row.id, err: reason }, 'the mint of a bridge transfer would fail')
  await storeMove(ctx, row, { ...withoutMessage, ...later(ctx, row, 'mint_refused') })
}

/** Each mint of a transfer has an id of its own, which follows from the transfer. */
async function createMint(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { actions, chain }: BridgingChain,
  treasury: string,
  signed: Signed,
): Promise<void> {
  const action = actions.mint(treasury, signed)
  const stored = await ctx.db.tx(async (tx) => {
    const id = await unusedId(tx, mintIdsOf(row.id))
    if (id === undefined || (await signedMints(tx, row.id)) >= maxMints)
      return moveBridge(tx, row, later(ctx, row, 'mint_refused')).then(() => 'too many')
    if (!(await moveBridge(tx, row, { mintIntentId: id, nextInMs: ctx.pollMs }))) return 'moved'
    const wanted = {
      id,
      businessId: null,
      purpose: 'bridge-mint',
      chain: chain.name,
      signer: 'treasury',
      walletId: null,
    } as const
    await insertIntent(ctx, tx, { ...wanted, action, symbol: null, decimals: null }, 0, ctx.prover)
    await tx.query("select pg_notify('cowry_intents', '')")
    return 'minting'
  })
  if (stored === 'too many') ctx.observe('mint_refused', row)
  if (stored !== 'minting') return
  ctx.observe('minting', row)
  failpoint('bridge.minting')
}

/** Circle signs an expired message again, with the same nonce. */
async function reattest(ctx: BridgeContext, row: BridgeTransfer, nonce: MessageHex): Promise<void> {
  const answered = await resultOr(
    AttestationsError,
    requestCircle(ctx, maxWaitMs, (circle) => circle.reattest(nonce)),
  )
  const again = later(ctx, row, 'expired')
  if (answered instanceof AttestationsError) {
    const { retry, message, retryAfterSeconds } = answered
    // Circle does not know it.
    if (retry === 'no') return refuse(ctx, row, message)
    return storeMove(ctx, row, retryAfterSeconds ? { ...again, nextInMs: retryAfterSeconds * 1000 } : again)
  }
  await storeMove(ctx, row, { ...again, expiredMessage: row.message, message: null, attestation: null })
  ctx.observe('reattested', row)
  failpoint('bridge.reattested')
}
