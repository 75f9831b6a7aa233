import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { stellarNode } from '../../test/support/familyNodes.ts'
import { type FamilySweeping, seedOfTests, startFamilySweeping } from '../../test/support/familySweeping.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { listFloats } from './listFloats.ts'
import { startFloats } from './startFloats.ts'

let sweeping: FamilySweeping

beforeAll(async () => {
  sweeping = await startFamilySweeping(await stellarNode(await seedOfTests()))
})
afterAll(() => sweeping?.close())

/** One reading. */
async function read(): Promise<void> {
  const { db, node } = sweeping
  const stop = new AbortController()
  const connectionOf = async () => ({ accounts: async () => node.accounts })
  let stopped: () => Promise<unknown> = async () => {}
  const onStop = (end: () => Promise<unknown>) => {
    stopped = end
  }
  startFloats({
    db,
    log: createLog('test', 'silent'),
    chains: [node.chain],
    connectionOf,
    stopping: stop.signal,
    onStop,
  } as never)
  stop.abort()
  await stopped()
}

test('the account on stellar is shown with what it holds, once a payment is booked there', async () => {
  const { db, node } = sweeping
  const floats = () => listFloats({ db, chains: [node.chain] })
  await read()
  expect(await floats()).toEqual([])
  await sweeping.deposit({ symbol: 'USDC', amount: 50_000_000n })
  await waitFor('a reading', async () => {
    await read()
    return (await floats()).length > 0
  })
  expect(await floats()).toContainEqual(
    expect.objectContaining({
      chain: 'stellar',
      symbol: 'USDC',
      balance: '5',
      lowWater: '0',
      isLow: false,
      address: sweeping.treasuryAddress,
    }),
  )
})
