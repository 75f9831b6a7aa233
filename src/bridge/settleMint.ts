import { type BridgeReader, finality, type Mints, type ReceivedMessage } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import { ProviderError } from '../chains/chain.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { FollowedIntent } from '../txmgr/followedIntents.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { wrongFieldOfMint } from './checkMessage.ts'
import type { BridgeContext, BridgingChain } from './context.ts'
import { holderOf } from './holderOf.ts'
import { later, pauseAfter, withoutMessage } from './later.ts'
import { type Move, moveBridge, storeMove, tryMove } from './moveBridge.ts'
import { afterFinal } from './reclaimIds.ts'
import { sweepMs } from './storeBridge.ts'

/** The clocks of a chain and of the api differ. */
const clockMs = 600_000

const looksBeforeAlarm = 3

type Mint = { txId: string; standing: Mints['standing']; message: ReceivedMessage }
/** `isRead`: all blocks of this pass are read. */
type Looked = { found: Mint } | { wrong: string } | { cursor: string | null; isRead: boolean }

/**
 * Completes a transfer by the event of its mint, by any sender: the event has our burn, and what was
 * kept. A used nonce alone proves nothing: Circle may have named one of another message.
 * @param own the confirmed transaction of its own mint
 */
export async function settleMint(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { reader }: Pick<BridgingChain, 'reader'>,
  burn: Pick<FollowedIntent, 'txId'>,
  own: string | null,
): Promise<void> {
  const looked = await lookForMint(reader, row, own)
  if ('found' in looked) return complete(ctx, row, looked.found, burn)
  if ('wrong' in looked) {
    ctx.observe('refused_answer', row)
    ctx.log.error(
      { bridge: row.id, wrong: looked.wrong },
      'the message that Circle named was minted, and is not of the burn: it is dropped',
    )
    return storeMove(ctx, row, { ...withoutMessage, ...later(ctx, row, 'unexpected_message') })
  }
  // The second of two providers may be a block behind.
  if (row.tries >= looksBeforeAlarm) {
    ctx.observe('mint_not_found', row)
    ctx.log.warn(
      { bridge: row.id },
      'the message of a bridge transfer was used, and its mint is not found yet',
    )
  }
  const next = looked.isRead
    ? later(ctx, row, 'mint_not_found')
    : { delay: 'mint_not_found', tries: row.tries + 1, nextInMs: ctx.pollMs }
  await storeMove(ctx, row, { ...next, mintCursor: looked.cursor })
}

async function lookForMint(reader: BridgeReader, row: BridgeTransfer, own: string | null): Promise<Looked> {
  for (const txId of new Set([own, row.forwardTxId])) {
    const { standing, messages } = txId === null ? none : await hinted(reader, txId)
    const message = messages.find(
      (each) => (txId === own || each.nonce === row.nonce) && wrongFieldOfMint(each, row) === null,
    )
    if (message && txId !== null) return { found: { txId, standing, message } }
  }
  if (row.nonce === null) return { cursor: null, isRead: true }
  // Near its signature first: others seldom mint long before this platform has it. A pass that found nothing
  // is followed by one over all its time.
  const since = new Date(
    ((row.delay === 'mint_not_found' ? null : row.attestedAt) ?? row.createdAt).getTime() - clockMs,
  )
  const { txId, cursor } = await reader.findMint(row.nonce, { since, cursor: row.mintCursor })
  if (txId === null) return { cursor, isRead: cursor === null }
  const { standing, messages } = await reader.mintsIn(txId)
  const message = messages.find(({ nonce }) => nonce === row.nonce)
  // Too few providers report it yet.
  if (!message) return { cursor, isRead: true }
  const wrong = wrongFieldOfMint(message, row)
  return wrong === null ? { found: { txId, standing, message } } : { wrong }
}

const none: Mints = { standing: 'absent', messages: [] }

/** The reported transaction may be wrong, and the nodes may refuse to read it. */
const hinted = (reader: BridgeReader, txId: string): Promise<Mints> =>
  reader.mintsIn(txId).catch((error) => {
    if (error instanceof ProviderError) return none
    throw error
  })

async function complete(
  ctx: BridgeContext,
  row: BridgeTransfer,
  mint: Mint,
  burn: Pick<FollowedIntent, 'txId'>,
): Promise<void> {
  const { nonce, feeExecuted, executedFinality } = mint.message
  const completed = {
    status: 'completed',
    errorMessage: null,
    sourceTxId: row.sourceTxId ?? burn.txId,
    burntAt: row.burntAt ?? new Date(),
    nonce,
    fee: feeExecuted,
    executedSpeed: executedFinality < finality.standard ? 'fast' : 'standard',
    destinationTxId: mint.txId,
    delay: null,
    tries: 0,
    mintCursor: null,
    ...(mint.standing === 'final' ? afterFinal(row) : { nextInMs: ctx.pollMs }),
  } as const
  const done =
    nonce === row.nonce ? await tryMove(ctx, row, completed) : await completeAs(ctx, row, nonce, completed)
  if (done === 'taken') ctx.observe('refused_answer', row)
  if (done === true && row.status !== 'completed') ctx.observe('completed', row)
  failpoint('bridge.completed')
}

/**
 * With a nonce that it does not have: the unique index lets no other transfer have one that it has. @returns
 * false: it has changed
 */
const completeAs = (
  ctx: BridgeContext,
  row: BridgeTransfer,
  nonce: MessageHex,
  completed: Move,
): Promise<boolean | 'taken'> =>
  ctx.db.tx(async (tx) => {
    if (!(await holderOf(tx, row, nonce))) return moveBridge(tx, row, completed)
    await moveBridge(tx, row, later(ctx, row, 'unexpected_message'))
    return 'taken'
  })

/** Checks the mint of a completed transfer until its block is final: a fork may take it back. */
export async function checkMint(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { reader }: Pick<BridgingChain, 'reader'>,
  burn: Pick<FollowedIntent, 'txId'>,
  txId: string,
): Promise<void> {
  const { standing } = await reader.mintsIn(txId)
  // A burn that may come back is followed; its rent is not due before.
  if (standing === 'final')
    return storeMove(ctx, row, {
      delay: null,
      ...(row.unburnt === 'taken_back' ? { nextInMs: sweepMs } : afterFinal(row)),
    })
  if (standing !== 'absent')
    return storeMove(ctx, row, { delay: null, tries: row.tries + 1, nextInMs: pauseAfter(ctx, row.tries) })
  const used = row.nonce === null ? 'nowhere' : await reader.usedIn(row.nonce)
  // In another transaction.
  if (used === 'confirmed') return settleMint(ctx, row, { reader }, burn, null)
  // One node that lags reports the same: the second check decides.
  if (row.delay !== 'mint_not_found')
    return storeMove(ctx, row, { delay: 'mint_not_found', nextInMs: ctx.pollMs })
  const back = { status: 'in_progress', destinationTxId: null, delay: null, tries: 0, nextInMs: 0 } as const
  if (await tryMove(ctx, row, back)) ctx.observe('taken_back', row)
}
