import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { mintIdsOf } from '../../src/bridge/mintIds.ts'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import { rpc } from '../devnets/evm.ts'
import {
  bridgeIs,
  bridgeStatus,
  bridgeWallet,
  mintOn,
  startBridgeStack,
  supplyOn,
  usdcOn,
} from '../support/bridging.ts'
import { newPayer, type Payer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Forks that take back the burn or the mint of a bridge transfer. */

let stack: Stack
let wallet: Payer & { walletId: string }
const chains = ['base', 'polygon'] as const
type Chain = (typeof chains)[number]

beforeAll(async () => {
  stack = await startBridgeStack([...chains])
  wallet = await bridgeWallet(stack, 'base', '100000')
}, 180_000)
afterAll(() => stack?.close())

async function make(): Promise<string> {
  const wanted = {
    sourceChain: 'base',
    destinationChain: 'polygon',
    amount: '20',
    sourceAddress: wallet.address,
    speed: 'fast',
  }
  const { status, body } = await stack.api<BridgeView>('POST', '/bridge/transfer', {
    ...wanted,
    destinationAddress: newPayer('polygon').address,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}

const mintsOf = async (id: string): Promise<number> =>
  (await stack.db.query('select 1 from intents where id = any($1::uuid[])', [mintIdsOf(id)])).length

const eventsOf = async (id: string): Promise<string[]> =>
  (
    await stack.db.query<{ type: string }>(
      "select type from events where type like 'bridge.%' and data->>'id' = $1 order by sequence",
      [id],
    )
  ).map(({ type }) => type)

/** Replaces the blocks from that of a transaction on by empty ones. */
async function takeBack(chain: Chain, hash: string | null): Promise<void> {
  const receipt = await stack.client(chain).getTransactionReceipt({ hash: hash as Hex })
  const depth = Number((await stack.client(chain).getBlockNumber()) - receipt.blockNumber) + 1
  await rpc(stack.devnets.get(chain)?.rpcUrl ?? '', 'anvil_reorg', [depth, []])
}

/** Waits until the mint of a completed transfer is taken back. */
const mintIsBack = (id: string) =>
  waitFor('the mint is taken back', async () => {
    await stack.db.query(
      "update bridge_transfers set next_at = now() where id = $1 and status = 'completed' and next_at is not null",
      [id],
    )
    return (await bridgeStatus(stack, id)).status === 'in_progress'
  })

test('a mint of another sender that a fork takes back is minted by the treasury', async () => {
  stack.circle.lie = async (messages) => {
    const [first] = messages
    if (first?.status === 'complete') {
      await mintOn(stack, 'polygon')(first.message, first.attestation as Hex)
      await stack.mine(3, 'polygon')
      stack.circle.lie = null
    }
    return messages
  }
  const id = await make()
  const { destinationTxHash } = await bridgeIs(stack, id, 'completed')
  expect(await mintsOf(id)).toBe(0)
  await takeBack('polygon', destinationTxHash)
  await mintIsBack(id)
  const again = await bridgeIs(stack, id, 'completed', 90_000)
  expect(again.destinationTxHash).not.toBe(destinationTxHash)
  expect(await mintsOf(id)).toBe(1)
}, 180_000)

test('a mint of the treasury that a fork takes back is sent again, and mints once', async () => {
  const before = await supplyOn(stack, 'polygon')
  const id = await make()
  const first = await bridgeIs(stack, id, 'completed')
  await takeBack('polygon', first.destinationTxHash)
  expect(await usdcOn(stack, 'polygon', first.destinationAddress)).toBe(0n)
  await mintIsBack(id)
  const again = await bridgeIs(stack, id, 'completed', 90_000)
  expect(again).toMatchObject({ delay: null, amountReceived: first.amountReceived })
  expect(await usdcOn(stack, 'polygon', again.destinationAddress)).toBe(20_000_000n - 2600n)
  expect(await supplyOn(stack, 'polygon')).toBe(before + 20_000_000n)
  expect(await mintsOf(id)).toBe(1)
  expect(await eventsOf(id)).toEqual([
    'bridge.in_progress',
    'bridge.completed',
    'bridge.in_progress',
    'bridge.completed',
  ])
}, 180_000)

test('a burn that a fork takes back is pending again, and completes once it is back', async () => {
  const id = await make()
  stack.circle.mode = 'down'
  const { sourceTxHash } = await bridgeIs(stack, id, 'in_progress')
  await takeBack('base', sourceTxHash)
  await waitFor('the burn is taken back', async () => (await bridgeStatus(stack, id)).status === 'pending')
  stack.circle.mode = 'ok'
  await bridgeIs(stack, id, 'completed', 90_000)
}, 180_000)

/** Waits until a transfer is completed while its source makes no block: its burn is not final. */
const isMintedFirst = (id: string) =>
  waitFor('the mint', async () => {
    await stack.mine(1, 'polygon')
    return (await bridgeStatus(stack, id)).status === 'completed'
  })

test('a burn that a fork takes back after its mint is sent again, and the wallet goes on', async () => {
  const before = await supplyOn(stack, 'base')
  const id = await make()
  const { sourceTxHash } = await bridgeIs(stack, id, 'in_progress')
  await isMintedFirst(id)
  await takeBack('base', sourceTxHash)
  expect(await supplyOn(stack, 'base')).toBe(before)
  await waitFor('the fork is seen', async () => {
    const [burn] = await stack.db.query<{ status: string }>('select status from intents where id = $1', [id])
    return burn?.status !== 'confirmed'
  })
  await bridgeIs(stack, await make(), 'completed', 30_000)
  expect((await bridgeStatus(stack, id)).status).toBe('completed')
  expect(await supplyOn(stack, 'base')).toBe(before - 40_000_000n)
}, 180_000)
