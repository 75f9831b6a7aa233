import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import type { ChainName } from '../../src/chains/registry.ts'
import { seeded } from '../faults/random.ts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { howMany } from '../support/full.ts'
import { startServer } from '../support/httpServer.ts'
import { fund, newPayer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type Canary, type CanaryKind, canaryKinds, makeCanary, misspelt } from './canaries.ts'
import { type Call, type CallData, nextCall } from './keyCalls.ts'
import { foundIn, type Sink, type SinkName, sinksOf } from './sinks.ts'

const seed = 20_261_121
const dice = seeded(seed)
const calls = howMany(200, 1000)
/**
 * Parallel calls, and calls between blocks: the nodes are down during the last tenth, which must be whole
 * rounds.
 */
const [atOnce, untilBlocks] = [4, calls / 20]
const chains: ChainName[] = ['ethereum', 'solana', 'stellar']

let stack: Stack
let redis: Redis
let world: CallData
let sinks: Record<SinkName, Sink>
const nodes: FaultyNode[] = []

const of = (name: string, kinds: readonly CanaryKind[], each: number) =>
  kinds.flatMap((kind) =>
    Array.from({ length: each }, (_, i) => makeCanary(kind, `${name}: ${kind} ${i}`, dice)),
  )
const sound = of('plain', canaryKinds, 3)
const plain = [...sound, ...sound.filter((_, i) => i % 3 === 0).map(misspelt)]
const named = of('the name of a field', canaryKinds, 1)
const requestIds = of('X-Request-Id', canaryKinds, 1)
const idempotencyKeys = of('Idempotency-Key', canaryKinds, 1)

/** Bodies of error answers, and counts by status and error. */
const errors: string[] = []
const answered = new Map<string, number>()
/** Content of each sink after all calls. */
const texts = new Map<SinkName, string>()

beforeAll(async () => {
  // Nothing listens on port 1: an unreachable chain.
  const env = { LOG_LEVEL: 'trace', POLYGON_RPC_URLS: 'http://127.0.0.1:1' }
  stack = await createStack({ chains, confirmations: 1, env, traced: true, rpcUrls: behind })
  redis = new Redis(stack.redis.url)
  sinks = sinksOf(stack, redis, errors)
  world = await open()
  for (let done = 0; done < calls; done += untilBlocks) {
    const later = done < 0.9 * calls ? 'refuse' : 'down'
    for (const node of nodes) node.mode = done < 0.6 * calls ? 'honest' : later
    await ask(untilBlocks)
    for (const chain of chains) await stack.mine(2, chain)
  }
  for (const node of nodes) node.mode = 'honest'
  await settled()
  for (const [name, read] of Object.entries(sinks) as [SinkName, Sink][]) texts.set(name, await read())
}, 600_000)
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
  await Promise.all(nodes.map((node) => node.close()))
})

async function behind(nodeUrl: string): Promise<string[]> {
  const node = await startFaultyNode(nodeUrl)
  nodes.push(node)
  return [node.url]
}

async function open(): Promise<CallData> {
  const recipients: Record<string, string> = {}
  const payers: CallData['payers'][number][] = []
  for (const chain of chains) {
    const recipient = newPayer(chain)
    await fund(stack, recipient, { native: '10', USDC: '0' })
    recipients[chain] = recipient.address
    for (const canary of sound.filter(({ kind }) => kind === chain).slice(0, 2)) {
      const payer = newPayer(chain, canary.bytes)
      await fund(stack, payer, { native: '500', USDC: '500' })
      const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
        chain,
        privateKey: canary.written[0],
      })
      payers.push({ canary, chain, address: payer.address, walletId: body.id })
    }
  }
  const [{ chain, address } = { chain: '', address: '' }] = payers
  const terms = { chain, fromAddress: address, toAddress: recipients[chain], amount: '0.001' }
  // While the API loads a chain's library, its first request may time out.
  const preparedId = await waitFor('a prepared transfer', async () => {
    const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/transfers/prepare', terms)
    return status < 300 && body.id
  })
  return { plain, named, requestIds, idempotencyKeys, payers, recipients, preparedId }
}

async function ask(count: number): Promise<void> {
  const made = Array.from({ length: count }, () => nextCall(world, dice))
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let call = made.pop(); call; call = made.pop()) await send(call)
    }),
  )
}

async function send({ method, path, body, headers }: Call): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
    method,
    headers: {
      'x-api-key': stack.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (!response.ok) errors.push(text)
  const { error = 'done' } = JSON.parse(text) as { error?: string }
  const what = `${response.status} ${error}`
  answered.set(what, (answered.get(what) ?? 0) + 1)
}

/**
 * Waits until each chain and each kind of signer has a confirmed transfer, and a node's refusal is recorded.
 */
async function settled(): Promise<void> {
  await waitFor(
    'completed transfers of all kinds',
    async () => {
      for (const chain of chains) await stack.mine(2, chain)
      const [row] = await stack.db.query<{ chains: number; signers: number; refused: boolean }>(
        `select count(distinct chain) filter (where status = 'confirmed')::int as chains,
           count(distinct signer) filter (where status = 'confirmed')::int as signers, bool_or(reason = 'refused') as refused from intents`,
      )
      return row?.chains === chains.length && row.signers === 2 && row.refused
    },
    180_000,
  )
  await stack.idle()
}

const tracesBy = (canaries: readonly Canary[]) =>
  Object.fromEntries(canaries.map(({ name, traces }) => [name, traces]))
const leaks = (canaries: readonly Canary[]) =>
  [...texts].flatMap(([sink, text]) =>
    foundIn(text, tracesBy(canaries)).map((name) => `${sink} holds ${name}`),
  )

test('setup: the calls had all kinds of answers, and no unexpected one', () => {
  expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBe(calls)
  const statuses = new Set([...answered.keys()].map((each) => Number(each.slice(0, 3))))
  expect(
    [200, 201, 202, 400, 401, 404, 405, 409, 415, 422, 503].filter((status) => !statuses.has(status)),
  ).toEqual([])
  const kinds = [
    'insufficient_balance',
    'insufficient_native_balance',
    'invalid_private_key',
    'invalid_address',
    'wrong_chain_address',
  ]
  for (const error of [...kinds, 'wallet_exists', 'signed_transfer_mismatch', 'chain_unavailable'])
    expect([error, [...answered.keys()].some((each) => each.endsWith(error))]).toEqual([error, true])
  expect({ seed, failures: [...answered].filter(([each]) => each.startsWith('500')) }).toEqual({
    seed,
    failures: [],
  })
})

describe(`after ${calls} calls (seed ${seed}) no trace of a secret is in any log, row, job, error, metric or span`, () => {
  test('sent where keys belong, or in values, paths, queries and headers', () => {
    expect([...texts.keys()].sort()).toEqual(['error', 'job', 'log', 'metric', 'row', 'span'])
    for (const [sink, text] of texts) expect([sink, text.length > 1000]).toEqual([sink, true])
    expect(leaks(plain)).toEqual([])
  })

  test('sent as the name of a field or parameter', () => {
    expect(leaks(named)).toEqual([])
  })

  test('sent as X-Request-Id', () => {
    expect(leaks(requestIds)).toEqual([])
  })

  test('sent as Idempotency-Key', () => {
    expect(leaks(idempotencyKeys)).toEqual([])
  })
})

test('the searched spans are those of every kind: requests, jobs, statements, calls to nodes, signatures', () => {
  const names = new Set(stack.collector?.spans.map(({ name }) => name))
  const wanted = [
    'createTransfer',
    'storeWallet',
    'step intents',
    'sign transaction',
    'broadcast transaction',
    'select',
    'insert',
    'ethereum eth_getBalance',
  ]
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
})

describe('a planted trace is found in each form: the tests above can fail', () => {
  const forms = plain.flatMap(({ name, bytes, written, kind }) => [
    ...written.map((form) => [name, form] as const),
    ...(kind === 'phrase' || name.endsWith('misspelt')
      ? []
      : [[name, Buffer.from(bytes).toString('latin1')] as const]),
  ])
  const expectFound = async (sink: SinkName, name: string) =>
    expect(foundIn(await sinks[sink](), tracesBy(plain))).toContain(name)
  const [canary] = plain
  const name = canary?.name ?? ''
  const secret = canary?.written[0] ?? ''

  test('in every encoding', () => {
    for (const [of, form] of forms)
      expect([form, foundIn(`x${form}x`, tracesBy(plain)).includes(of)]).toEqual([form, true])
  })

  test('in a row, as text and as bytes', async () => {
    for (const value of [Buffer.from(secret), Buffer.from(canary?.bytes ?? [])]) {
      await stack.db.query(
        `insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until) values (gen_random_uuid(), 'plant', $1, gen_random_uuid(), now())`,
        [value],
      )
      const found = foundIn(await sinks.row(), {
        [name]: [...(canary?.traces ?? []), value.toString('hex').slice(0, 16)],
      })
      await stack.db.query("delete from idempotency_keys where key = 'plant'")
      expect(found).toEqual([name])
    }
  })

  test('in a job, as text and as bytes, and in a key', async () => {
    for (const [key, value] of [
      ['cowry:planted', secret],
      ['cowry:planted', Buffer.from(canary?.bytes ?? [])],
      [`cowry:planted:${secret}`, 'x'],
    ] as const) {
      await redis.hset(key, 'data', value)
      await expectFound('job', name)
      await redis.del(key)
    }
  })

  test('in a span', async () => {
    // An export with one field, that the protocol does not have: bytes are searched, not fields.
    const body = Buffer.concat([Buffer.from([0xfa, 0x01, secret.length]), Buffer.from(secret)])
    await fetch(`${stack.collector?.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body,
    })
    await expectFound('span', name)
  })

  test('in an error', async () => {
    errors.push(JSON.stringify({ message: `cannot sign with ${secret}` }))
    await expectFound('error', name)
    errors.pop()
  })

  test("in a metric, and in a process's standard error", async () => {
    const server = await startServer((response) => void response.end(`keys{key="${secret}"} 1`))
    const [process] = stack.processes.values()
    if (!process) throw new Error('no process')
    stack.processes.set('leaky', { ...process, metricsUrl: () => server.url })
    await expectFound('metric', name)
    stack.processes.delete('leaky')
    await server.close()
    const leaky = stack.launch('api', { NODE_OPTIONS: `--${secret}` }, { as: 'leaky' })
    await leaky.ended
    stack.processes.delete('leaky')
    await expectFound('log', name)
  })
})
