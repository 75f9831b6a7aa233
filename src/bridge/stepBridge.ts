import { ProviderError } from '../chains/chain.ts'
import { registeredChain } from '../chains/registry.ts'
import { type DueRow, withClaim } from '../platform/database/withClaim.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import {
  type FollowedIntent,
  type FollowedJson,
  followedIntents,
  followedSql,
} from '../txmgr/followedIntents.ts'
import { attestBurn } from './attestBurn.ts'
import { type BridgeRow, type BridgeTransfer, bridgeColumns, bridgeFromRow } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import { later, leaseMs, withoutMessage } from './later.ts'
import { mintBurnt } from './mintBurnt.ts'
import { mayBeMinted, mintedBefore } from './mintedBefore.ts'
import { storeMove, tryMove } from './moveBridge.ts'
import { type NextStep, nextBridge } from './nextBridge.ts'
import { noteBurn } from './noteBurn.ts'
import { reclaimRent } from './reclaimRent.ts'
import { checkMint, settleMint } from './settleMint.ts'
import { sweepMs } from './storeBridge.ts'
import { secondsToSign } from './usualSeconds.ts'

/**
 * A transfer with its intents. A change of these changes the row, so that it is not claimed with old ones.
 */
type Read = BridgeRow & { intents: FollowedJson[] }
const read = `${bridgeColumns}, ${followedSql('array[bridge_transfers.id, mint_intent_id, reclaim_intent_id]')} as intents`

/**
 * Up to its signed message a transfer needs no claim: its step reads no node, and its change checks that the
 * row is as it was read. Two workers at once query Circle twice, and one of them stores the answer, with a
 * claim for the mint.
 */
const needsNoClaim = "nonce is null and mint_intent_id is null and status in ('pending', 'in_progress')"

/** Takes a bridge transfer one step further. Safe to repeat and to run concurrently. */
export async function stepBridge(ctx: BridgeContext, id: string): Promise<void> {
  const due: DueRow = {
    table: 'bridge_transfers',
    at: 'next_at',
    key: { id },
    read,
    freeIf: needsNoClaim,
    leaseMs,
  }
  await withClaim<Read>(ctx.db, due, async ({ until }, { intents, ...columns }) => {
    const attested = await stepOrWait(
      ctx,
      { ...bridgeFromRow(columns), nextAt: until },
      followedIntents(intents),
    )
    // It is minted by the same claim.
    if (attested) await stepOrWait(ctx, attested, followedIntents(intents))
  })
}

/** @returns the transfer, if its next step follows at once, and is claimed */
async function stepOrWait(
  ctx: BridgeContext,
  row: BridgeTransfer,
  intents: readonly FollowedIntent[],
): Promise<BridgeTransfer | null> {
  try {
    return await step(ctx, row, intents)
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      // Without a claim it would be due at once.
      await storeMove(ctx, row, { nextInMs: leaseMs }).catch(() => {})
      throw error
    }
    ctx.log.warn(
      { bridge: row.id, err: messageOf(error) },
      'a chain does not answer; the bridge transfer goes on later',
    )
    await storeMove(ctx, row, {
      ...(row.status === 'in_progress' && { delay: 'chain_unavailable' }),
      nextInMs: leaseMs,
    })
    return null
  }
}

async function step(
  ctx: BridgeContext,
  row: BridgeTransfer,
  intents: readonly FollowedIntent[],
): Promise<BridgeTransfer | null> {
  const find = (intentId: string | null): FollowedIntent | null =>
    intents.find((each) => each.id === intentId) ?? null
  const [burn, mint] = [find(row.id), find(row.mintIntentId)]
  if (!burn) throw new Error(`bridge transfer ${row.id} has no burn`)
  if (row.status === 'completed' && (await noteBurn(ctx, row, burn))) return null
  const next = nextBridge(row, burn, mint)
  if (
    row.nonce !== null &&
    mayBeMinted(next) &&
    (await mintedBefore(ctx, row, row.nonce, burn, next.act === 'fail'))
  )
    return null
  // Without the signed message, Circle's program does not close the account of the burn.
  const lacksMessage = next.act === 'reclaim' && row.eventAccount !== null && row.attestation === null
  if (next.act === 'attest' || lacksMessage) return attestBurn(ctx, row)
  if (next.act === 'wait') await wait(ctx, row, next)
  else if (next.act === 'reclaim') await reclaimRent(ctx, row, find(row.reclaimIntentId))
  else if (next.act === 'mint' || next.act === 'minted' || next.act === 'check mint')
    await atDestination(ctx, row, next, burn, mint)
  else await follow(ctx, row, next)
  return null
}

async function wait(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { isOver, delay }: Extract<NextStep, { act: 'wait' }>,
): Promise<void> {
  if (delay === 'burn_unknown' && row.delay !== delay) {
    ctx.observe('burn_unknown', row)
    ctx.log.error(
      { bridge: row.id },
      'another transaction has the nonce of a burn, and may be the same burn: check it',
    )
  }
  await storeMove(ctx, row, isOver ? { nextInMs: null } : { delay, nextInMs: sweepMs })
}

/** What the nodes of its destination decide. */
async function atDestination(
  ctx: BridgeContext,
  row: BridgeTransfer,
  next: Extract<NextStep, { act: 'mint' | 'minted' | 'check mint' }>,
  burn: FollowedIntent,
  mint: FollowedIntent | null,
): Promise<void> {
  const destination = await ctx.bridging(row.destinationChain)
  // Its nodes were taken out of the configuration.
  if (!destination) return storeMove(ctx, row, later(ctx, row, 'destination_not_configured'))
  if (next.act === 'minted') return settleMint(ctx, row, destination, burn, next.txId)
  if (next.act === 'check mint') return checkMint(ctx, row, destination, burn, next.txId)
  await mintBurnt(ctx, row, destination, burn, mint)
}

type Followed = Extract<NextStep, { act: 'fail' | 'burnt' | 'burn taken back' }>

/**
 * What belongs to one burn, but for the nonce: the message may be minted by any sender. Circle signs again
 * what is burnt again.
 */
const { nonce: _kept, ...ofMessage } = withoutMessage
const ofBurn = {
  sourceTxId: null,
  burntAt: null,
  fee: null,
  executedSpeed: null,
  attestedAt: null,
  delay: null,
  ...ofMessage,
} as const

/** Stores the outcome of its burn. */
async function follow(ctx: BridgeContext, row: BridgeTransfer, next: Followed): Promise<void> {
  if (next.act === 'fail') {
    if (
      await tryMove(ctx, row, {
        status: 'failed',
        errorMessage: next.message,
        delay: null,
        nonce: null,
        nextInMs: null,
      })
    )
      ctx.observe('failed', row)
  } else if (next.act === 'burnt') {
    const nextInMs = ctx.firstQuestionMs ?? secondsToSign(registeredChain(row.sourceChain), row.speed) * 1000
    const burnt = {
      status: 'in_progress',
      errorMessage: null,
      sourceTxId: next.txId,
      burntAt: new Date(),
      tries: 0,
      nextInMs,
    } as const
    if (await tryMove(ctx, row, { ...ofBurn, ...burnt })) ctx.observe('burnt', row)
    failpoint('bridge.burnt')
  } else if (
    await tryMove(ctx, row, { ...ofBurn, status: 'pending', errorMessage: null, nextInMs: sweepMs })
  ) {
    ctx.observe('taken_back', row)
  }
}
