import { ProviderError } from '../chains/chain.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { withClaim } from '../platform/withClaim.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { attestBurn } from './attestBurn.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import { mintBurnt } from './mintBurnt.ts'
import { type Move, moveBridge } from './moveBridge.ts'
import { nextBridge } from './nextBridge.ts'
import { usualSeconds } from './usualSeconds.ts'

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 30_000

/** Takes a bridge transfer one step further. Safe to repeat and to run concurrently. */
export async function stepBridge(ctx: BridgeContext, id: string): Promise<void> {
  await withClaim(ctx.db, { table: 'bridge_transfers', at: 'next_at', key: { id }, leaseMs }, async () => {
    const [row] = await readBridgeTransfers(ctx.db, 'id = $1', [id])
    if (!row) return
    try {
      await step(ctx, row)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ bridge: id, err: messageOf(error) }, 'a chain does not answer; the bridge transfer goes on later')
    }
  })
}

async function step(ctx: BridgeContext, row: BridgeTransfer): Promise<void> {
  const ids = [row.id, ...(row.mintIntentId === null ? [] : [row.mintIntentId])]
  const intents = await readIntents(ctx.db, 'id = any($1::uuid[])', [ids])
  const find = (intentId: string | null): Intent | null => intents.find((each) => each.id === intentId) ?? null
  const [burn, mint] = [find(row.id), find(row.mintIntentId)]
  if (!burn) throw new Error(`bridge transfer ${row.id} has no burn`)
  const next = nextBridge(row, burn, mint)
  if (next.act === 'attest') return attestBurn(ctx, row)
  if (next.act === 'mint') return mintBurnt(ctx, row, mint)
  if (next.act === 'wait') return void (await store(ctx, row, { nextInMs: null }))
  await follow(ctx, row, next)
}

type Followed = Exclude<ReturnType<typeof nextBridge>, { act: 'attest' | 'mint' | 'wait' }>

/** Stores what became of its intents. */
async function follow(ctx: BridgeContext, row: BridgeTransfer, next: Followed): Promise<void> {
  if (next.act === 'fail') {
    if (await store(ctx, row, { status: 'failed', errorMessage: next.message, nextInMs: null })) ctx.observe('failed', row)
  } else if (next.act === 'burnt') {
    const nextInMs = ctx.firstQuestionMs ?? usualSeconds(row.sourceChain, row.speed) * 1000
    const burnt = { status: 'in_progress', errorMessage: null, sourceTxId: next.txId, burntAt: new Date(), tries: 0, nextInMs } as const
    if (await store(ctx, row, burnt)) ctx.observe('burnt', row)
    failpoint('bridge.burnt')
  } else if (next.act === 'minted') {
    if (await store(ctx, row, { status: 'completed', destinationTxId: next.txId, delay: null, nextInMs: null })) ctx.observe('completed', row)
    failpoint('bridge.completed')
  } else if (next.act === 'mint taken back') {
    if (await store(ctx, row, { status: 'in_progress', destinationTxId: null, nextInMs: 0 })) ctx.observe('taken_back', row)
  } else {
    // Circle signs again what is burnt again.
    const forgotten = {
      sourceTxId: null,
      burntAt: null,
      message: null,
      attestation: null,
      nonce: null,
      fee: null,
      executedSpeed: null,
      delay: null,
    } as const
    const back = { ...forgotten, status: 'pending', errorMessage: null, nextInMs: null } as const
    if (await store(ctx, row, back)) ctx.observe('taken_back', row)
  }
}

const store = (ctx: BridgeContext, row: BridgeTransfer, move: Move): Promise<boolean> => ctx.db.tx((tx) => moveBridge(tx, row, move))
