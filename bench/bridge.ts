import type { BridgeContext } from '../src/bridge/context.ts'
import { dueBridge } from '../src/bridge/dueBridge.ts'
import { stepBridge } from '../src/bridge/stepBridge.ts'
import { publishTreasuries } from '../src/custody/treasuryAddress.ts'
import type { Db } from '../src/platform/database/db.ts'
import { bridgeStand, mintOnStand } from '../test/support/bridgeStand.ts'
import { makeBurntTransfer } from '../test/support/madeBridge.ts'
import { createStack } from '../test/support/stack.ts'
import { bareChange, bareTransfer, undoBare } from './bareBridge.ts'
import { interleave, ratio, spread } from './measure.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'bridge'
const [rounds, warmUp, each, clients] = [7, 1, 400, 8]
const stepsOfTransfer = 3
type Made = Awaited<ReturnType<typeof makeBurntTransfer>>
const [aim, maxRequests] = [0.5, 4]

/**
 * Bridge transfers followed from their confirmed burn to their mint, next to bare changes of rows in
 * Postgres. Circle and chains answer at once.
 */
export async function benchBridge(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ processes: [] }), (opened) => opened.close())
  await publishTreasuries(
    stack.db,
    { treasury: () => `0x${'77'.repeat(20)}`, deposit: () => '', staking: () => '' },
    ['evm'],
  )
  const stand = bridgeStand(stack.db)
  let transfers = 0
  const series = await interleave(bench, { rounds, warmUp }, async () => {
    const made: Made[] = []
    for (let i = 0; i < each; i++) {
      const one = await makeBurntTransfer(stack.db, stack.businessId)
      made.push(one)
      stand.signed.set(one.txId, one.message)
      mintOnStand(stand, one.message, 'final')
    }
    transfers += each
    const count = each * stepsOfTransfer
    const changes = await perSecond(() => forAll(made, ({ id }) => bareChanges(stack.db, id)), count)
    const bare = await perSecond(() => forAll(made, (one) => bareTransfer(stack.db, one)), count)
    await forAll(made, ({ id }) => undoBare(stack.db, id))
    const steps = await perSecond(() => follow(stand.ctx, stack.db), count)
    return { changes, bare, steps, followed: steps / stepsOfTransfer }
  })
  const ofBare = ratio(series.steps, series.bare)
  const ofChanges = ratio(series.steps, series.changes)
  const asked = stand.asked.length / transfers
  return {
    figures: [
      figure(bench, 'bare rows of the same steps', spread(series.bare), 'steps/s', { ratio: 1 }),
      figure(bench, 'bare changes of a row, with its lock', spread(series.changes), 'steps/s', {
        ratio: ratio(series.changes, series.bare),
      }),
      figure(bench, 'steps of transfers', spread(series.steps), 'steps/s', {
        ...{ ratio: ofBare, aim: `at least ${aim}`, met: ofBare.median >= aim },
        extra: `${digits(ofChanges.median)} of bare changes`,
      }),
      figure(bench, 'transfers followed', spread(series.followed), 'transfers/s', {
        extra: `${asked} requests to Circle each, at most ${maxRequests}`,
      }),
    ],
    notes: [
      `${rounds} rounds of ${each} transfers, ${clients} at once, in the process of the bench: burnt, attested, minted. A bare step is one transaction that locks the row of a transfer, and writes all rows that the step leaves, with its event and delivery; a bare change writes that row alone. Postgres shares the cores.`,
    ],
  }
}

async function perSecond(work: () => Promise<void>, count: number): Promise<number> {
  const started = performance.now()
  await work()
  return (1000 * count) / (performance.now() - started)
}

async function forAll<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  const client = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function bareChanges(db: Db, id: string): Promise<void> {
  for (let step = 0; step < stepsOfTransfer; step++) await bareChange(db, id)
}

/** Until nothing is due. */
async function follow(ctx: BridgeContext, db: Db): Promise<void> {
  for (let due = await dueBridge(db); due.length > 0; due = await dueBridge(db))
    await forAll(due, (id) => stepBridge(ctx, id))
}
