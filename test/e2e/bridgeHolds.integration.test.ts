import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getAddress, parseAbi } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { messageTransmitter, tokenMessenger } from '../devnets/cctp.ts'
import { bridgeStatus, bridgeWallet, startBridgeStack } from '../support/bridging.ts'
import { runCommand } from '../support/command.ts'
import { addPerson, dashboard, type Headers, sessionOf } from '../support/dashboardSession.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** What keeps a bridge transfer from being burnt. */

let stack: Stack
let operator: Headers
let wallet: { address: string; walletId: string }
const chains: ChainName[] = ['base', 'ethereum']

beforeAll(async () => {
  stack = await startBridgeStack(chains, {
    env: { BRIDGE_MAX_RELAYS_PER_DAY: '5', BRIDGE_MAX_RELAYS_TO_ETHEREUM_PER_DAY: '1' },
  })
  operator = (await sessionOf(stack, await addPerson(stack, { operator: true }))).headers
  wallet = await bridgeWallet(stack, 'base', '1000')
}, 180_000)
afterAll(() => stack?.close())

const send = (more: object = {}) =>
  stack.api<BridgeView>('POST', '/bridge/transfer', {
    ...{
      sourceChain: 'base',
      destinationChain: 'ethereum',
      amount: '20',
      sourceAddress: wallet.address,
      speed: 'fast',
    },
    destinationAddress: newPayer('ethereum').address,
    ...more,
  })
const stored = async (): Promise<number> => (await stack.db.query('select 1 from bridge_transfers')).length

const usdcAbi = parseAbi(['function blacklist(address account)', 'function pause()', 'function unpause()'])
async function change(
  chain: ChainName,
  functionName: 'blacklist' | 'pause' | 'unpause',
  args: readonly [`0x${string}`] | readonly [],
): Promise<void> {
  const address = stack.devnets.get(chain)?.usdc ?? '0x'
  await stack.wallet(chain).writeContract({ address, abi: usdcAbi, functionName, args } as never)
  await stack.mine(1, chain)
}

test('to an address that Circle blocks at the destination nothing is burnt', async () => {
  const blocked = newPayer('ethereum').address as `0x${string}`
  await change('ethereum', 'blacklist', [blocked])
  expect(await send({ destinationAddress: blocked })).toMatchObject({
    status: 422,
    body: { error: 'recipient_blocked', fields: [{ field: 'destinationAddress' }] },
  })
  expect(await stored()).toBe(0)
})

test.each([
  ['TokenMessenger', tokenMessenger],
  ['MessageTransmitter', messageTransmitter],
])('the contract %s of the bridge is no recipient', async (_, address) => {
  const refused = { status: 422, body: { error: 'recipient_without_key' } }
  expect(await send({ destinationAddress: address })).toMatchObject(refused)
  expect(await stored()).toBe(0)
})

test('while the token is paused nothing is requested: not even the allowance', async () => {
  await change('base', 'pause', [])
  const { status, body } = await send()
  await change('base', 'unpause', [])
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { error: 'simulation_failed', message: expect.stringContaining('paused') },
  })
  expect(await stored()).toBe(0)
})

test('while its business is suspended its burn is among what is held, and ends when the operator gives it up', async () => {
  await stack.stop('treasury')
  const { body: made } = await send()
  const suspended = await runCommand(stack, 'business', ['hold', stack.businessId, 'papers'])
  expect(suspended).toMatchObject({ code: 0, out: expect.stringContaining('1 transfers held') })
  expect((await runCommand(stack, 'business', ['show', stack.businessId])).out).toMatch(
    new RegExp(`\\n${made.id} .*calls for bridge-burn`),
  )
  const path = `/operator/businesses/${stack.businessId}/held-transfers`
  const listed = await dashboard<{ transfers: object[] }>(stack, 'GET', path, undefined, operator)
  expect(listed.body.transfers).toEqual([
    expect.objectContaining({
      id: made.id,
      chain: 'base',
      symbol: 'USDC',
      amount: '20',
      fromAddress: wallet.address,
      toAddress: getAddress(tokenMessenger),
      reason: 'held',
    }),
  ])
  expect(await runCommand(stack, 'business', ['give-up', stack.businessId])).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 transfers held'),
  })
  expect(await runCommand(stack, 'business', ['release', stack.businessId])).toMatchObject({ code: 0 })
  await stack.start('treasury')
  await waitFor('the end', async () => (await bridgeStatus(stack, made.id)).status === 'failed')
  await waitFor('the end of its allowance', async () => {
    const [row] = await stack.db.query<{ status: string }>(
      'select status from intents where id = (select approval_intent_id from bridge_transfers where id = $1)',
      [made.id],
    )
    return row?.status === 'failed'
  })
}, 120_000)

test('a business bridges to ethereum as often as the operator allows, and elsewhere more often', async () => {
  expect((await send()).status).toBe(201)
  expect(await send()).toMatchObject({
    status: 429,
    body: { error: 'too_many_relays', message: expect.stringContaining('to ethereum 1 times') },
  })
  const other = await bridgeWallet(stack, 'ethereum', '100')
  const back = {
    sourceChain: 'ethereum',
    destinationChain: 'base',
    sourceAddress: other.address,
    destinationAddress: newPayer('base').address,
  }
  for (let i = 0; i < 4; i++) expect((await send({ ...back, amount: '2' })).status).toBe(201)
  expect(await send({ ...back, amount: '2' })).toMatchObject({
    status: 429,
    body: { error: 'too_many_relays' },
  })
})
