import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { createFreezeAccountInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import type { Hex } from 'viem'
import { mintIdsOf } from '../../src/bridge/mintIds.ts'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { send as sendOnSolana } from '../devnets/customers/solana.ts'
import { solanaDevnetEnv } from '../devnets/solana.ts'
import { type NodeGate, type NodeRequest, passAll, startNodeGate } from '../faults/nodeGate.ts'
import {
  bridgeIs,
  bridgeStatus,
  bridgeWallet,
  mintOnSolana,
  startBridgeStack,
  usdcOn,
} from '../support/bridging.ts'
import { runScript } from '../support/command.ts'
import { fund, newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** What can happen to a bridge transfer from or to Solana on its way. */

let stack: Stack
/** In front of the node of solana. */
let gate: NodeGate
let wallets: Record<'base' | 'solana', { address: string }>
const chains: ChainName[] = ['base', 'solana']
const owners: string[] = []
const home = mkdtempSync(join(tmpdir(), 'cowry-bridge-course-'))

beforeAll(async () => {
  stack = await startBridgeStack(chains, {
    env: { BRIDGE_FORWARD_SECONDS: '4' },
    rpcUrls: async (nodeUrl, chain) => {
      if (chain !== 'solana') return [nodeUrl]
      gate = await startNodeGate(nodeUrl)
      return [gate.url]
    },
  })
  wallets = {
    base: await bridgeWallet(stack, 'base', '100000'),
    solana: await bridgeWallet(stack, 'solana', '100000'),
  }
}, 180_000)
afterAll(async () => {
  await stack?.close()
  await gate?.close()
  rmSync(home, { recursive: true })
})
afterEach(() => {
  gate.instead = passAll
  Object.assign(stack.circle, { expirationBlock: null, forward: null, lie: null })
})

const devnet = () => stack.other('solana')

async function send(source: 'base' | 'solana', more: object = {}) {
  const destination = source === 'base' ? 'solana' : 'base'
  const { address: destinationAddress } = newPayer(destination)
  owners.push(...(destination === 'solana' ? [destinationAddress] : []))
  const ends = {
    sourceChain: source,
    destinationChain: destination,
    sourceAddress: wallets[source].address,
    destinationAddress,
  }
  return stack.api<BridgeView>('POST', '/bridge/transfer', { ...ends, amount: '20', speed: 'fast', ...more })
}
async function make(source: 'base' | 'solana', more: object = {}): Promise<string> {
  const { status, body } = await send(source, more)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.id
}
const mintsOf = async (id: string): Promise<number> =>
  (await stack.db.query('select 1 from intents where id = any($1::uuid[])', [mintIdsOf(id)])).length
const burnOf = async (id: string) => {
  const [row] = await stack.db.query<{ status: string; resigns: number }>(
    'select status, resigns from intents where id = $1',
    [id],
  )
  return row
}
/** A node that accepts transactions and drops them. */
const acceptedAndDropped = ({ name, params }: NodeRequest): string | null =>
  name === 'sendTransaction' && Array.isArray(params)
    ? base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65))
    : null

const received = 20_000_000n - 2_600n

describe('a mint on Solana', () => {
  test('of another sender is not made again', async () => {
    const id = await make('base')
    stack.circle.lie = async (messages) => {
      const [first] = messages
      if (first?.status === 'complete') {
        stack.circle.lie = null
        await mintOnSolana(stack, () => owners)(first.message, first.attestation as Hex)
        await stack.mine(8, 'solana')
      }
      return messages
    }
    const done = await bridgeIs(stack, id, 'completed')
    expect(await mintsOf(id)).toBe(0)
    expect(await usdcOn(stack, 'solana', done.destinationAddress)).toBe(received)
  }, 120_000)

  test('that Circle has named, and does not make in time, is made by the treasury', async () => {
    const id = await make('base', { automatic: true })
    await bridgeIs(stack, id, 'completed')
    expect(await mintsOf(id)).toBe(1)
  }, 120_000)

  test('of an expired message waits for another signature', async () => {
    stack.circle.expirationBlock = 1n
    const done = await bridgeIs(stack, await make('base'), 'completed')
    expect(done).toMatchObject({ speed: 'fast', executedSpeed: 'standard' })
  }, 120_000)

  test('that a fork takes back is made again, once', async () => {
    const id = await make('base')
    await waitFor('its mint is sent', async () => {
      await stack.mine(1, 'base')
      const [mint] = await stack.db.query(
        'select 1 from intent_attempts where intent_id = any($1::uuid[]) and accepted_at is not null',
        [mintIdsOf(id)],
      )
      return mint !== undefined
    })
    await stack.mine(2, 'solana')
    const { dropped } = await devnet().control<{ dropped: unknown[] }>('reorg', { depth: 2 })
    expect(dropped.length).toBeGreaterThan(0)
    const done = await bridgeIs(stack, id, 'completed')
    expect(await usdcOn(stack, 'solana', done.destinationAddress)).toBe(received)
  }, 120_000)
})

describe('a burn on Solana', () => {
  test('whose transaction has expired is signed again, with the same event account, and burns once', async () => {
    const before = await usdcOn(stack, 'solana', wallets.solana.address)
    gate.instead = async (asked) => acceptedAndDropped(asked)
    const id = await make('solana')
    await waitFor('its burn is sent', async () => (await burnOf(id))?.status === 'broadcast')
    await stack.mine(200, 'solana')
    await waitFor('it is signed again', async () => {
      await stack.mine(2, 'solana')
      return ((await burnOf(id))?.resigns ?? 0) > 0
    })
    gate.instead = passAll
    await bridgeIs(stack, id, 'completed')
    const [signed] = await stack.db.query<{ count: number }>(
      'select count(*)::int as count from treasury_signatures where intent_id = $1',
      [id],
    )
    expect(signed?.count).toBe(2)
    expect(before - (await usdcOn(stack, 'solana', wallets.solana.address))).toBe(20_000_000n)
  }, 120_000)

  test('that a fork takes back is pending, and completes', async () => {
    const before = await usdcOn(stack, 'solana', wallets.solana.address)
    const id = await make('solana')
    await waitFor('its burn is sent', async () => (await burnOf(id))?.status === 'broadcast')
    await stack.mine(2, 'solana')
    const { dropped } = await devnet().control<{ dropped: unknown[] }>('reorg', { depth: 2 })
    expect(dropped.length).toBeGreaterThan(0)
    await bridgeIs(stack, id, 'completed')
    expect(before - (await usdcOn(stack, 'solana', wallets.solana.address))).toBe(20_000_000n)
  }, 120_000)
})

test('a recipient whose account is frozen is refused before the burn', async () => {
  const frozen = newPayer('solana')
  await fund(stack, frozen, { native: '1', USDC: '1' })
  const { usdc, faucetPrivateKey, rpcUrl } = devnet()
  const account = getAssociatedTokenAddressSync(new PublicKey(usdc), new PublicKey(frozen.address))
  const faucet = Keypair.fromSecretKey(base58.decode(faucetPrivateKey))
  await sendOnSolana({ rpcUrl, faucetPrivateKey }, [
    createFreezeAccountInstruction(account, new PublicKey(usdc), faucet.publicKey),
  ])
  await stack.mine(1, 'solana')
  const answer = await send('base', { destinationAddress: frozen.address })
  expect(answer).toMatchObject({
    status: 422,
    body: { error: 'recipient_blocked', fields: [{ field: 'destinationAddress' }] },
  })
})

test('the operator makes the lookup table of mints by a command, and mints use it', async () => {
  const operator = newPayer('solana')
  await fund(stack, operator, { native: '1' })
  const key = join(home, 'key')
  writeFileSync(key, operator.privateKey)
  const mining = setInterval(() => void stack.mine(1, 'solana').catch(() => {}), 200)
  const made = await runScript('lookup-table', ['--key', key], () => solanaDevnetEnv(devnet())).finally(() =>
    clearInterval(mining),
  )
  expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' })
  const [, table = ''] = /^SOLANA_CCTP_LOOKUP_TABLE=(\w+)\n$/.exec(made.out) ?? []
  const connection = new Connection(devnet().rpcUrl, 'confirmed')
  const { value } = await connection.getAddressLookupTable(new PublicKey(table))
  expect([value?.state.authority, value?.isActive()]).toEqual([undefined, true])
  for (const name of ['worker', 'treasury'] as const) {
    await stack.stop(name)
    await stack.start(name, { SOLANA_CCTP_LOOKUP_TABLE: table })
  }
  const done = await bridgeIs(stack, await make('base'), 'completed')
  expect(await usdcOn(stack, 'solana', done.destinationAddress)).toBe(received)
  const found = await connection.getTransaction(done.destinationTxHash ?? '', {
    maxSupportedTransactionVersion: 0,
  })
  expect(
    found?.transaction.message.addressTableLookups.map(({ accountKey }) => accountKey.toBase58()),
  ).toEqual([table])
}, 120_000)

test('without a lookup table, a route to solana is refused, and one from it is not', async () => {
  await stack.stop('api')
  await stack.start('api', { SOLANA_CCTP_LOOKUP_TABLE: '' })
  const refused = await send('base')
  expect(refused).toMatchObject({
    status: 400,
    body: { error: 'route_not_supported', fields: [{ field: 'destinationChain' }] },
  })
  const { body } = await send('solana')
  expect((await bridgeStatus(stack, body.id)).status).toBe('pending')
}, 60_000)
