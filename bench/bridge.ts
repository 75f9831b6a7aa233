import type { BridgeContext } from '../src/bridge/context.ts'
import { dueBridge } from '../src/bridge/dueBridge.ts'
import { stepBridge } from '../src/bridge/stepBridge.ts'
import type { Db } from '../src/platform/db.ts'
import { publishTreasuries } from '../src/sweeps/treasuryAddress.ts'
import { bridgeStand, mintOnStand } from '../test/support/bridgeStand.ts'
import { makeBurntTransfer } from '../test/support/madeBridge.ts'
import { createStack } from '../test/support/stack.ts'
import { interleave, ratio, spread } from './measure.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'bridge'
const [rounds, warmUp, each, clients] = [5, 1, 200, 8]
const stepsOfTransfer = 3
const [aim, maxRequests] = [0.5, 4]

/** Bridge transfers followed from their confirmed burn to their mint, next to bare changes of rows in Postgres. Circle and chains answer at once. */
export async function benchBridge(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ processes: [] }), (opened) => opened.close())
  await publishTreasuries(stack.db, { treasury: () => `0x${'77'.repeat(20)}`, deposit: () => '', staking: () => '' }, ['evm'])
  const stand = bridgeStand(stack.db)
  let transfers = 0
  const series = await interleave(bench, { rounds, warmUp }, async () => {
    const ids: string[] = []
    for (let i = 0; i < each; i++) {
      const { id, txId, message } = await makeBurntTransfer(stack.db, stack.businessId)
      ids.push(id)
      stand.signed.set(txId, message)
      mintOnStand(stand, message, 'final')
    }
    transfers += each
    const bare = await perSecond(() => bareSteps(stack.db, ids), each * stepsOfTransfer)
    const steps = await perSecond(() => follow(stand.ctx, stack.db), each * stepsOfTransfer)
    return { bare, steps, followed: steps / stepsOfTransfer }
  })
  const ofBare = ratio(series.steps, series.bare)
  const asked = stand.asked.length / transfers
  return {
    figures: [
      figure(bench, 'bare changes of a row, with its lock', spread(series.bare), 'steps/s', { ratio: 1 }),
      figure(bench, 'steps of transfers', spread(series.steps), 'steps/s', { ratio: ofBare, aim: `at least ${aim}`, met: ofBare.median >= aim }),
      figure(bench, 'transfers followed', spread(series.followed), 'transfers/s', {
        extra: `${asked} requests to Circle each, at most ${maxRequests}`,
      }),
    ],
    notes: [
      `${rounds} rounds of ${each} transfers, ${clients} at once, in the process of the bench: burnt, attested, minted. A bare step is one transaction that locks a row and changes it. Postgres shares the cores.`,
    ],
  }
}

async function perSecond(work: () => Promise<void>, count: number): Promise<number> {
  const started = performance.now()
  await work()
  return (1000 * count) / (performance.now() - started)
}

async function forAll(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  const left = [...ids]
  const client = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await work(id)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

const bareSteps = (db: Db, ids: readonly string[]): Promise<void> =>
  forAll(ids, async (id) => {
    for (let step = 0; step < stepsOfTransfer; step++)
      await db.tx(async (tx) => {
        await tx.query('select status from bridge_transfers where id = $1 for update', [id])
        await tx.query('update bridge_transfers set next_at = now(), updated_at = now() where id = $1', [id])
      })
  })

/** Until nothing is due. */
async function follow(ctx: BridgeContext, db: Db): Promise<void> {
  for (let due = await dueBridge(db); due.length > 0; due = await dueBridge(db)) await forAll(due, (id) => stepBridge(ctx, id))
}
