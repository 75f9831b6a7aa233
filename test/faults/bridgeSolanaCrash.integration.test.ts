import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Connection, PublicKey } from '@solana/web3.js'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import type { BridgeFailpoint } from '../../src/platform/failpoints.ts'
import { bridgeIs, bridgeWallet, startBridgeStack, supplyOn, usdcOn } from '../support/bridging.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Workers are killed at each step of bridge transfers from and to Solana: each burns once, mints once, and
 * gets its rent back once.
 */

let stack: Stack
const chains: ChainName[] = ['base', 'solana']
const proofs = mkdtempSync(join(tmpdir(), 'cowry-bridge-solana-'))
const made: { id: string; source: ChainName }[] = []
const wallets = new Map<ChainName, { address: string }>()
const recipients = new Map(chains.map((chain) => [chain, newPayer(chain).address]))
const amount = 5_000_000n
let before: bigint[]
const supplies = () => Promise.all(chains.map((chain) => supplyOn(stack, chain)))
const ends = [
  ['solana', 'base'],
  ['base', 'solana'],
] as const

beforeAll(async () => {
  stack = await startBridgeStack(chains, { separate: true, processes: ['treasury', 'api'] })
  for (const chain of chains) wallets.set(chain, await bridgeWallet(stack, chain))
  before = await supplies()
}, 180_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

async function make(source: ChainName, destination: ChainName): Promise<string> {
  const ofEnds = {
    sourceAddress: wallets.get(source)?.address,
    destinationAddress: recipients.get(destination),
  }
  const wanted = { sourceChain: source, destinationChain: destination, amount: '5', ...ofEnds }
  const { status, body } = await stack.api<BridgeView>('POST', '/bridge/transfer', wanted)
  expect({ status, body }).toMatchObject({ status: 201 })
  made.push({ id: body.id, source })
  return body.id
}

/** The leases of a killed worker end. */
const expireLeases = () =>
  stack.db.query('update bridge_transfers set next_at = now() where next_at > now() and reclaimed_at is null')

async function killedAt(name: BridgeFailpoint): Promise<void> {
  const proof = join(proofs, `${name} ${made.length}`)
  await expireLeases()
  const doomed = stack.launch(
    'worker',
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `worker ${name} ${made.length}` },
  )
  await Promise.race([doomed.ready(60_000).catch(() => {}), doomed.ended])
  const mining = setInterval(
    () => void Promise.all(chains.map((chain) => stack.mine(1, chain))).catch(() => {}),
    200,
  )
  try {
    await waitFor(`the kill at ${name}`, async () => !doomed.running(), 60_000).catch((error) => {
      throw new Error(`${error.message}\n${stack.troubles()}`)
    })
  } finally {
    clearInterval(mining)
  }
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
}

const points = ['bridge.burnt', 'bridge.attested', 'bridge.minting', 'bridge.completed'] as const
test.each(
  ends.flatMap(([source, destination]) => points.map((name) => [source, destination, name] as const)),
)(
  'from %s to %s, a worker is killed at %s',
  async (source, destination, name) => {
    await make(source, destination)
    await killedAt(name)
  },
  120_000,
)

test('then each was burnt once and minted once', async () => {
  await expireLeases()
  const worker = await stack.start('worker')
  for (const { id } of made) await bridgeIs(stack, id, 'completed', 90_000)
  for (const [source, destination] of ends) {
    const count = BigInt(made.filter((each) => each.source === source).length)
    expect(await usdcOn(stack, destination, recipients.get(destination) ?? '')).toBe(count * amount)
  }
  expect(await supplies()).toEqual(before)
  await waitFor(
    'all mints are final',
    async () => {
      for (const chain of chains) await stack.mine(2, chain)
      const open = await stack.db.query(
        "select 1 from bridge_transfers where source_chain = 'solana' and reclaim_at is null",
      )
      return open.length === 0
    },
    60_000,
  )
  await worker.stop()
}, 180_000)

test.each(['bridge.reclaiming', 'bridge.reclaimed'] as const)(
  'five days later a worker is killed at %s',
  async (name) => {
    await stack.mineAt(new Date(Date.now() + 5 * 86_400_000 + 3_600_000), 'solana')
    await killedAt(name)
  },
  120_000,
)

test('then the rent of each burn on Solana has returned to its wallet, once', async () => {
  await expireLeases()
  await stack.start('worker')
  await waitFor(
    'all event accounts are closed',
    async () => {
      await stack.mine(1, 'solana')
      const open = await stack.db.query(
        "select 1 from bridge_transfers where source_chain = 'solana' and reclaimed_at is null",
      )
      if (open.length > 0)
        await stack.db.query(
          "update bridge_transfers set next_at = now() where next_at > now() + interval '3 s'",
        )
      return open.length === 0
    },
    90_000,
  )
  const count = made.filter(({ source }) => source === 'solana').length
  const read = async () => {
    const [row] = await stack.db.query<{ made: number; sent: number; fees: string }>(
      `select count(*)::int as made, count(*) filter (where status = 'confirmed')::int as sent, sum(fee)::text as fees
       from intents where purpose in ('bridge-burn', 'bridge-reclaim') and chain = 'solana'`,
    )
    return row
  }
  // A burn and a reclaim each.
  await waitFor('their transactions are confirmed here, too', async () => {
    await stack.mine(1, 'solana')
    return (await read())?.sent === 2 * count
  })
  const reclaims = await read()
  expect(reclaims?.made).toBe(2 * count)
  const connection = new Connection(stack.other('solana').rpcUrl, 'confirmed')
  const held = await connection.getBalance(new PublicKey(wallets.get('solana')?.address ?? ''))
  expect(held).toBe(10_000_000_000 - Number(reclaims?.fees))
}, 180_000)
