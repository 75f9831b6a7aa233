import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Sessions on a chain that was not read yet, or not for long. */

interface Networks {
  networks: { chain: string; ready: boolean; delayedSince: string | null }[]
}

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'polygon'], processes: ['treasury', 'api', 'worker'] })
  await stack.db.query('delete from chain_cursors')
  await stack.start('indexer')
  await waitFor('the first block of ethereum', async () => (await network('ethereum'))?.ready)
})
afterAll(() => stack?.close())

const network = async (chain: string, path = '/pos/sessions/networks') =>
  (await stack.api<Networks>('GET', path)).body.networks.find((each) => each.chain === chain)
const ask = (chain: string) =>
  stack.api<SessionBody & { error?: string; delayedSince?: string }>('POST', '/pos/sessions', {
    chain,
    token: 'USDC',
    amount: '5',
  })
/** A chain counts as stalled when its newest block is half a minute old, which a start alone may last. */
async function newBlock(chain: 'ethereum' | 'polygon'): Promise<void> {
  await stack.mine(1, chain)
  await stack.caughtUp(undefined, chain)
}
const taken = () =>
  stack.db.query(
    'select (select count(*) from pos_sessions) as sessions, count(taken_at) as addresses from deposit_addresses',
  )

test('a chain takes no session before its first block was read, though others do and its node is down; payments after that are found', async () => {
  const before = await taken()
  const refused = await ask('polygon')
  expect(refused).toMatchObject({
    status: 503,
    body: { error: 'chain_not_ready', message: expect.stringContaining('polygon') },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await taken()).toEqual(before)
  for (const path of ['/pos/sessions/networks', '/pos/sessions/networks/all'])
    expect(await network('polygon', path)).toMatchObject({ ready: false, delayedSince: null })
  await newBlock('ethereum')
  const other = await ask('ethereum')
  expect(other).toMatchObject({ status: 201, body: { status: 'pending' } })
  expect(other.body).not.toHaveProperty('delayedSince')

  // A node that is down at the first start.
  await stack.start('indexer-polygon', {
    POLYGON_RPC_URLS: `http://127.0.0.1:${await freePort()}`,
    POLYGON_START_BLOCK: '',
  })
  expect((await ask('polygon')).body).toMatchObject({ error: 'chain_not_ready' })
  await stack.stop('indexer-polygon')
  await stack.start('indexer-polygon', { POLYGON_START_BLOCK: '' })
  await waitFor('the first block', async () => (await network('polygon'))?.ready)
  const { status, body } = await ask('polygon')
  expect(status).toBe(201)
  await stack.send(body.address, 5_000_000n, { chain: 'polygon' })
  await stack.mine(4, 'polygon')
  await stack.sessionIs(body.id, 'paid')
})

test('a stalled chain takes sessions, and the answer and the networks have the time since it stalls', async () => {
  await stack.stop('indexer')
  const [{ time } = { time: new Date() }] = await stack.db.query<{ time: Date }>(
    `update blocks b set time = now() - interval '10 minutes' from chain_cursors c
     where c.chain = 'ethereum' and b.chain = c.chain and b.height = c.height and b.canonical returning b.time`,
  )
  const { status, body } = await ask('ethereum')
  expect([status, body.delayedSince]).toEqual([201, time.toISOString()])
  for (const path of ['/pos/sessions/networks', '/pos/sessions/networks/all'])
    expect(await network('ethereum', path)).toMatchObject({ ready: true, delayedSince: time.toISOString() })
  await newBlock('polygon')
  expect(await network('polygon')).toMatchObject({ ready: true, delayedSince: null })

  await stack.send(body.address, 5_000_000n)
  await stack.mine(4)
  await stack.start('indexer')
  await stack.sessionIs(body.id, 'paid')
  await newBlock('ethereum')
  expect((await ask('ethereum')).body).not.toHaveProperty('delayedSince')
})
