import type { BridgeReader, MessageHex, Signed } from '../chains/bridging.ts'
import { failpoint } from '../platform/failpoints.ts'
import { treasuryAddress } from '../sweeps/treasuryAddress.ts'
import { type Intent, insertIntent } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { askCircle } from './askCircle.ts'
import { AttestationsError } from './attestations.ts'
import { pauseAfter } from './attestBurn.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { usdcOf } from './burnOf.ts'
import type { BridgeContext, BridgingChain } from './context.ts'
import { mintIdsOf } from './mintIds.ts'
import { type Move, moveBridge } from './moveBridge.ts'

const maxWaitMs = 3000

/** Mints what is burnt, unless it is minted already. Only our own nodes decide that. */
export async function mintBurnt(ctx: BridgeContext, row: BridgeTransfer, mint: Intent | null): Promise<void> {
  const { message, attestation, nonce } = row
  const destination = await ctx.bridging(row.destinationChain)
  const treasury = destination && (await treasuryAddress(ctx.db, destination.chain.family))
  // Its nodes were taken out of the configuration, or the treasury has not started.
  if (!treasury || message === null || attestation === null || nonce === null) return
  const { reader, chain } = destination
  const used = await reader.usedIn(nonce)
  if (used === 'confirmed') return complete(ctx, row, reader, nonce, mint)
  if (used === 'newest') return store(ctx, row, { nextInMs: Math.max(chain.blockMs, 1000) })
  if (mint && !isOutcome(mint.status)) return store(ctx, row, { nextInMs: ctx.pollMs })
  if (row.automatic && Date.now() - row.updatedAt.getTime() < ctx.forwardMs) return store(ctx, row, { nextInMs: ctx.pollMs })
  const signed = { message, attestation, ...(await accountsOf(destination, row.destinationAddress)) }
  const problem = await reader.mintProblem(treasury, signed)
  if (problem === null) return createMint(ctx, row, destination, treasury, signed)
  if (problem === 'used') return store(ctx, row, { nextInMs: chain.blockMs })
  if (problem === 'expired') return reattest(ctx, row, nonce)
  ctx.log.error({ bridge: row.id, err: problem.refused }, 'the mint of a bridge transfer would fail')
  await store(ctx, row, { delay: 'mint_refused', tries: row.tries + 1, nextInMs: pauseAfter(ctx, row.tries) })
}

/** What a mint names beyond its message, on chains where it does. */
async function accountsOf({ chain, reader }: BridgingChain, owner: string): Promise<Pick<Signed, 'to'>> {
  const token = usdcOf(chain)
  const feeAccount = token && (await reader.feeAccount?.(token))
  return feeAccount ? { to: { owner, token, feeAccount } } : {}
}

async function complete(ctx: BridgeContext, row: BridgeTransfer, reader: BridgeReader, nonce: MessageHex, mint: Intent | null): Promise<void> {
  const txId = await reader.findMint(nonce, mint?.txId ?? row.forwardTxId)
  if (await moved(ctx, row, { status: 'completed', destinationTxId: txId, delay: null, nextInMs: null })) ctx.observe('completed', row)
  failpoint('bridge.completed')
}

/** Each mint of a transfer has an id of its own, which follows from the transfer. */
async function createMint(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { actions, chain }: BridgingChain,
  treasury: string,
  signed: Signed,
): Promise<void> {
  const ids = mintIdsOf(row.id)
  const action = actions.mint(treasury, signed)
  const isStored = await ctx.db.tx(async (tx) => {
    const used = await tx.query<{ id: string }>('select id from intents where id = any($1::uuid[])', [ids])
    const id = ids.find((each) => !used.some((other) => other.id === each))
    if (id === undefined) return moveBridge(tx, row, { delay: 'mint_refused', tries: row.tries + 1, nextInMs: pauseAfter(ctx, row.tries) })
    if (!(await moveBridge(tx, row, { mintIntentId: id, delay: null, tries: 0, nextInMs: ctx.pollMs }))) return false
    const wanted = { id, businessId: null, purpose: 'bridge-mint', chain: chain.name, signer: 'treasury', walletId: null } as const
    await insertIntent(ctx, tx, { ...wanted, action, symbol: null, decimals: null }, 0, ctx.prover)
    await tx.query("select pg_notify('cowry_intents', '')")
    return true
  })
  if (!isStored) return
  ctx.observe('minting', row)
  failpoint('bridge.minting')
}

/** Circle signs an expired message again. */
async function reattest(ctx: BridgeContext, row: BridgeTransfer, nonce: MessageHex): Promise<void> {
  const problem = await askCircle(ctx, maxWaitMs, (circle) => circle.reattest(nonce)).then(
    () => null,
    (error) => {
      if (error instanceof AttestationsError) return error
      throw error
    },
  )
  const nextInMs = problem?.retryAfterSeconds ? problem.retryAfterSeconds * 1000 : pauseAfter(ctx, row.tries)
  if (problem) return store(ctx, row, { delay: 'expired', tries: row.tries + 1, nextInMs })
  await store(ctx, row, { message: null, attestation: null, delay: 'expired', tries: row.tries + 1, nextInMs: ctx.pollMs })
  ctx.observe('reattested', row)
  failpoint('bridge.reattested')
}

const moved = (ctx: BridgeContext, row: BridgeTransfer, move: Move): Promise<boolean> => ctx.db.tx((tx) => moveBridge(tx, row, move))

async function store(ctx: BridgeContext, row: BridgeTransfer, move: Move): Promise<void> {
  await moved(ctx, row, move)
}
