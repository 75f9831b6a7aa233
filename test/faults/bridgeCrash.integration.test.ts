import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import { bridgeFailpoints } from '../../src/capabilities.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import type { BridgeFailpoint } from '../../src/platform/failpoints.ts'
import { bridgeIs, bridgeWallet, startBridgeStack, supplyOn, usdcOn } from '../support/bridging.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Processes are killed at each step of bridge transfers: each burns once and mints once. */

let stack: Stack
const chains: ChainName[] = ['base', 'polygon']
const [source, destination] = chains as ['base', 'polygon']
const proofs = mkdtempSync(join(tmpdir(), 'cowry-bridge-'))
const reached = new Set<BridgeFailpoint>()
const made: string[] = []
const amount = 5_000_000n
let before: bigint[]
let wallet: { address: string }
const recipient = newPayer(destination).address
const supplies = () => Promise.all(chains.map((chain) => supplyOn(stack, chain)))

beforeAll(async () => {
  stack = await startBridgeStack(chains, { separate: true, processes: ['treasury', 'api'] })
  wallet = await bridgeWallet(stack, source)
  before = await supplies()
}, 180_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const wanted = () => ({
  sourceChain: source,
  destinationChain: destination,
  amount: '5',
  sourceAddress: wallet.address,
  destinationAddress: recipient,
  speed: 'fast',
})

async function make(): Promise<string> {
  const { status, body } = await stack.api<BridgeView>('POST', '/bridge/transfer', wanted())
  expect(status).toBe(201)
  made.push(body.id)
  return body.id
}

/** The leases of a killed worker end. */
const expireLeases = () => stack.db.query('update bridge_transfers set next_at = now() where next_at > now()')

async function killedAt(
  name: BridgeFailpoint,
  process: 'api' | 'worker',
  meanwhile: (url: string) => Promise<unknown>,
): Promise<void> {
  const proof = join(proofs, name)
  await expireLeases()
  const doomed = stack.launch(
    process,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${process} ${name}` },
  )
  await Promise.race([doomed.ready(60_000).catch(() => {}), doomed.ended])
  const mining = setInterval(
    () => void Promise.all(chains.map((chain) => stack.mine(1, chain))).catch(() => {}),
    200,
  )
  try {
    const answered = await meanwhile(
      process === 'api' ? `http://127.0.0.1:${doomed.port()}/api/v1` : '',
    ).catch(() => null)
    await waitFor(`the kill at ${name}`, async () => !doomed.running(), 60_000).catch((error) => {
      throw new Error(`${error.message}; it answered ${answered}\n${stack.troubles()}`)
    })
  } finally {
    clearInterval(mining)
  }
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

test('the api is killed after a transfer was stored: the repeated request answers the same one', async () => {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': stack.apiKey,
    'idempotency-key': 'one-burn',
  }
  const send = async (url: string) =>
    (
      await fetch(`${url}/bridge/transfer`, { method: 'POST', headers, body: JSON.stringify(wanted()) })
    ).text()
  await killedAt('api.bridge-queued', 'api', send)
  const again = await stack.api<BridgeView>('POST', '/bridge/transfer', wanted(), {
    'idempotency-key': 'one-burn',
  })
  expect(again.status).toBe(201)
  const rows = await stack.db.query<{ id: string }>('select id from bridge_transfers')
  expect(rows).toEqual([{ id: again.body.id }])
  made.push(again.body.id)
}, 120_000)

test.each([
  'bridge.enqueued',
  'bridge.burnt',
  'bridge.attested',
  'bridge.minting',
  'bridge.completed',
] as const)(
  'a worker is killed at %s',
  async (name) => {
    await make()
    await killedAt(name, 'worker', async () => {})
  },
  120_000,
)

test('a worker is killed when Circle was requested to sign an expired message again', async () => {
  await make()
  stack.circle.expirationBlock = 1n
  await killedAt('bridge.reattested', 'worker', async () => {})
  stack.circle.expirationBlock = null
}, 120_000)

test('then each was burnt once and minted once', async () => {
  await expireLeases()
  await stack.start('worker')
  for (const id of made) await bridgeIs(stack, id, 'completed', 90_000)
  const count = BigInt(made.length)
  const fees = await stack.db.query<{ fee: string }>('select fee::text from bridge_transfers')
  const kept = fees.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  expect(await usdcOn(stack, destination, recipient)).toBe(count * amount - kept)
  const after = await supplies()
  expect(after.map((supply, i) => supply - (before[i] ?? 0n))).toEqual([-count * amount, count * amount])
  const events = await stack.db.query<{ id: string; types: string[] }>(
    "select data->>'id' as id, array_agg(type order by sequence) as types from events where type like 'bridge.%' group by 1",
  )
  expect(events.map(({ id }) => id).toSorted()).toEqual(made.toSorted())
  for (const { types } of events) expect(types).toEqual(['bridge.in_progress', 'bridge.completed'])
}, 180_000)

test('every failpoint of the bridge was reached', () => {
  // Of Solana alone: `bridgeSolanaCrash`.
  const others = ['bridge.reclaiming', 'bridge.reclaimed']
  expect([...reached, ...others].toSorted()).toEqual([...bridgeFailpoints].toSorted())
})
