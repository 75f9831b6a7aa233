import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { type Address, formatEther, type Hex, parseAbi } from 'viem'
import type { ChainName } from '../../src/chains/registry.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { listen } from '../../src/platform/http/http.ts'
import type { EvmChainName } from '../devnets/evm.ts'
import { runCommand } from '../support/command.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** The hidden methods. Without any tracer only balances can be compared. */
type Hidden = 'nothing' | 'callTracer' | 'tracers'

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** A proxy that hides methods of a node. */
interface LimitedNode {
  url: string
  hidden: Hidden
  /** The tracers exist, and every call of them fails. */
  tracersFail: boolean
  /** Calls by method; those of tracers by tracer. */
  calls: Map<string, number>
  close(): Promise<void>
}

async function startLimitedNode(nodeUrl: string, hidden: Hidden): Promise<LimitedNode> {
  const node: LimitedNode = { url: '', hidden, tracersFail: false, calls: new Map(), close: async () => {} }
  const refused = ({ id, method, params }: Call) => {
    const tracer = method === 'debug_traceBlockByHash' ? (params[1] as { tracer: string }).tracer : null
    const name = tracer ?? method
    node.calls.set(name, (node.calls.get(name) ?? 0) + 1)
    if (tracer === null) return null
    const absent = node.hidden === 'tracers' || node.hidden === tracer
    if (absent) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } }
    return node.tracersFail
      ? { jsonrpc: '2.0', id, error: { code: -32000, message: 'execution timeout' } }
      : null
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const asked = JSON.parse(body) as Call | Call[]
      const refusals = [asked].flat().flatMap((call) => refused(call) ?? [])
      const answer =
        refusals.length > 0
          ? JSON.stringify(Array.isArray(asked) ? refusals : refusals[0])
          : await fetch(nodeUrl, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body,
            }).then(
              (each) => each.text(),
              () => null,
            )
      if (answer === null) response.destroy()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
  })
  node.url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  node.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return node
}

interface Method {
  name: string
  chain: EvmChainName
  coin: string
  hidden: Hidden
  key: RegExp
  /** True if the transaction of the transfer is known. */
  namesTransaction: boolean
  /** False where the node's log lacks self-destructs, as on devnets. */
  seesSelfDestructs: boolean
}

const methods: Method[] = [
  {
    name: 'call traces',
    chain: 'ethereum',
    coin: 'ETH',
    hidden: 'nothing',
    key: /^trace:0x/,
    namesTransaction: true,
    seesSelfDestructs: true,
  },
  {
    name: 'differences of state',
    chain: 'bsc',
    coin: 'BNB',
    hidden: 'callTracer',
    key: /^trace:net:0x/,
    namesTransaction: true,
    seesSelfDestructs: true,
  },
  {
    name: 'balances',
    chain: 'base',
    coin: 'ETH',
    hidden: 'tracers',
    key: /^balance:/,
    namesTransaction: false,
    seesSelfDestructs: true,
  },
  {
    name: 'the events of Polygon',
    chain: 'polygon',
    coin: 'POL',
    hidden: 'tracers',
    key: /^log:/,
    namesTransaction: true,
    seesSelfDestructs: false,
  },
]

let stack: Stack
const nodes = new Map<ChainName, LimitedNode>()

beforeAll(async () => {
  stack = await createStack({
    chains: methods.map(({ chain }) => chain),
    processes: ['cowry'],
    confirmations: 2,
    env: { INDEXER_BALANCES_MS: '300' },
    rpcUrls: async (nodeUrl, chain) => {
      const node = await startLimitedNode(
        nodeUrl,
        methods.find((method) => method.chain === chain)?.hidden ?? 'nothing',
      )
      nodes.set(chain, node)
      return [node.url]
    },
  })
})
afterAll(async () => {
  await stack?.close()
  await Promise.all([...nodes.values()].map((node) => node.close()))
})

const forwarder = parseAbi([
  'function pay(address to) payable',
  'function payMany(address[] to, uint256[] amounts) payable',
  'function payOrFail(address to) payable',
  'function vanish(address to) payable',
])

function contractOf(chain: EvmChainName) {
  const devnet = stack.devnets.get(chain)
  if (!devnet) throw new Error(`no ${chain}`)
  return { address: devnet.forwarder, abi: forwarder, gas: 600_000n } as const
}
const payInside = (chain: EvmChainName, to: Address, value: bigint): Promise<Hex> =>
  stack.wallet(chain).writeContract({ ...contractOf(chain), functionName: 'pay', args: [to], value })

const sessionOn = (chain: EvmChainName) => stack.createSession({ chain, amount: '5' })
const sessionsOn = (chain: EvmChainName, count: number) =>
  Promise.all(Array.from({ length: count }, () => sessionOn(chain)))

interface Found {
  movement_key: string
  tx_id: string
  amount: string
  token: string
  status: string
  block_height: string
}
/** The standing detections of a session. */
const foundFor = (session: SessionBody) =>
  stack.db.query<Found>(
    `select t.movement_key, t.tx_id, t.amount, t.token, d.status, t.block_height from detections d join transfers t on t.id = d.transfer_id
     where d.subject_id = $1 and d.status <> 'reverted' order by t.block_height, t.movement_key`,
    [session.id],
  )
const sum = (rows: readonly { amount: string }[]) =>
  rows.reduce((total, { amount }) => total + BigInt(amount), 0n)
const held = (chain: EvmChainName, coin: string) =>
  balanceOf(stack.db, { name: 'pending', businessId: stack.businessId, asset: `${chain}:${coin}` })

async function gauge(chain: EvmChainName, name: string): Promise<number | null> {
  const process = stack.processes.get('cowry')
  const text = process ? await (await fetch(process.metricsUrl())).text() : ''
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && each.includes(`chain="${chain}"`))
  return line ? Number(line.split(' ').at(-1)) : null
}

/** Mines more blocks, and waits until everything has read them. */
async function later(chain: EvmChainName): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const asked = nodes.get(chain)?.calls.get('eth_getBalance') ?? 0
    await stack.mine(2, chain)
    await stack.caughtUp(undefined, chain)
    if (methods.find((method) => method.chain === chain)?.name !== 'balances') continue
    await waitFor(
      'balances compared',
      async () => (nodes.get(chain)?.calls.get('eth_getBalance') ?? 0) > asked,
    )
  }
  await stack.idle()
}

/** Rescans everything, from another node. */
async function rescan(chain: EvmChainName, url: string): Promise<string> {
  const args = [chain, '1', String(await stack.height(chain))]
  const { code, out, err } = await runCommand(stack, 'rescan', args, {
    [`${chain.toUpperCase()}_RPC_URLS`]: url,
  })
  return `${`${err}${out}`.trim()} (exit code ${code})`
}

const odd = 1_234_567_890_123_456_789n

/** The chains run at the same time. */
const parallel = createParallelTests()

describe.each(methods)('by $name', ({ name, chain, coin, key, namesTransaction, seesSelfDestructs }) => {
  parallel.test(
    chain,
    'an internal transfer to a session is found once, to the last unit, and reported as the wrong token',
    async () => {
      const before = await held(chain, coin)
      const session = await sessionOn(chain)
      const txId = await payInside(chain, session.address, odd)
      await stack.mine(1, chain)
      const height = await stack.height(chain)
      await stack.mine(2, chain)
      const shown = await waitFor('its confirmation', async () => {
        const now = await stack.sessionIs(session.id, 'pending', 'wrong_token')
        return now.payments[0]?.status === 'confirmed' && now
      })
      expect(shown.amountReceived).toBe('0')
      expect(shown.payments).toMatchObject([
        { chain, token: coin, amount: formatEther(odd), exception: 'wrong_token', blockHeight: height },
      ])
      const { id } = await stack
        .client(chain)
        .getBlock({ blockNumber: BigInt(height) })
        .then(({ hash }) => ({ id: hash }))
      const found = await foundFor(session)
      expect(found).toMatchObject([
        { tx_id: namesTransaction ? txId : id, amount: odd.toString(), token: coin, status: 'confirmed' },
      ])
      expect(found[0]?.movement_key).toMatch(key)
      await later(chain)
      expect(await foundFor(session)).toEqual(found)
      expect(await held(chain, coin)).toBe(before + odd)
      // An indexer that fell behind reads deep blocks without traces, and traces them once it has caught up.
      await waitFor('nothing untraced', async () => (await gauge(chain, 'cowry_chain_untraced_blocks')) === 0)
      const tracers = nodes.get(chain)?.calls
      if (name === 'call traces') expect(tracers?.get('callTracer')).toBeGreaterThan(1)
      if (name === 'differences of state') expect(tracers?.get('prestateTracer')).toBeGreaterThan(1)
      if (name === 'balances') expect(tracers?.get('eth_getBalance')).toBeGreaterThan(1)
    },
  )

  parallel.test(
    chain,
    'several in one transaction or block, and a self-destruct: sums are exact, and reverted calls do not count',
    async () => {
      const before = await held(chain, coin)
      const [once, twice, other, heir, reverting] = (await sessionsOn(chain, 5)) as [
        SessionBody,
        SessionBody,
        SessionBody,
        SessionBody,
        SessionBody,
      ]
      const contract = contractOf(chain)
      const wallet = stack.wallet(chain)
      await payInside(chain, once.address, 11n)
      const many = [twice.address, other.address, twice.address]
      await wallet.writeContract({
        ...contract,
        functionName: 'payMany',
        args: [many, [100n, 200n, 400n]],
        value: 700n,
      })
      await payInside(chain, other.address, 3n)
      await wallet.writeContract({ ...contract, functionName: 'vanish', args: [heir.address], value: 5000n })
      await wallet.writeContract({
        ...contract,
        functionName: 'payOrFail',
        args: [reverting.address],
        value: 9n,
      })
      await stack.mine(3, chain)
      const should = new Map([
        [once, 11n],
        [twice, 500n],
        [other, 203n],
        [heir, seesSelfDestructs ? 5000n : 0n],
        [reverting, 0n],
      ])
      for (const [session, amount] of should)
        if (amount > 0n) await stack.sessionIs(session.id, 'pending', 'wrong_token')
      await later(chain)
      for (const [session, amount] of should) {
        const found = await foundFor(session)
        expect({ amount: sum(found), statuses: new Set(found.map(({ status }) => status)) }).toEqual({
          amount,
          statuses: new Set(amount > 0n ? ['confirmed'] : []),
        })
        for (const { movement_key } of found) expect(movement_key).toMatch(key)
      }
      expect(await held(chain, coin)).toBe(before + [...should.values()].reduce((a, b) => a + b, 0n))
    },
  )

  parallel.test(
    chain,
    'a payment in USDC in the same block is credited, and neither affects the other',
    async () => {
      const session = await sessionOn(chain)
      const decimals = BigInt(stack.devnets.get(chain)?.decimals ?? 0)
      await stack.send(session.address, 5n * 10n ** decimals, { chain })
      await payInside(chain, session.address, 77n)
      await stack.mine(3, chain)
      await stack.sessionIs(session.id, 'paid', 'wrong_token')
      await later(chain)
      expect(
        (await foundFor(session))
          .map(({ token, amount }) => ({ token, amount }))
          .sort((a, b) => (a.token < b.token ? -1 : 1)),
      ).toEqual(
        [
          { token: coin, amount: '77' },
          { token: 'USDC', amount: (5n * 10n ** decimals).toString() },
        ].sort((a, b) => (a.token < b.token ? -1 : 1)),
      )
    },
  )
})

describe('a tracer that fails for a while', () => {
  parallel.test(
    'ethereum',
    'holds up no payment; internal transfers of those blocks are found once it is back, each once',
    async () => {
      const [chain, coin] = ['ethereum', 'ETH'] as const
      const node = nodes.get(chain)
      if (!node) throw new Error('no node')
      const before = await held(chain, coin)
      const [early, during, also, late] = (await sessionsOn(chain, 4)) as [
        SessionBody,
        SessionBody,
        SessionBody,
        SessionBody,
      ]
      await payInside(chain, early.address, 21n)
      await stack.mine(1, chain)
      await stack.caughtUp()
      await waitFor('the internal transfer', async () => (await foundFor(early)).length === 1)

      node.tracersFail = true
      const paid: SessionBody[] = []
      for (let i = 0; i < 4; i++) {
        const session = await sessionOn(chain)
        await stack.send(session.address, 5_000_000n)
        await payInside(chain, i % 2 === 0 ? during.address : also.address, 1000n)
        await stack.mine(1, chain)
        paid.push(session)
      }
      await stack.mine(2, chain)
      for (const session of paid) await stack.sessionIs(session.id, 'paid')
      expect(await gauge(chain, 'cowry_chain_untraced_blocks')).toBeGreaterThanOrEqual(4)
      expect([...(await foundFor(during)), ...(await foundFor(also))]).toEqual([])

      node.tracersFail = false
      await payInside(chain, late.address, 22n)
      await stack.mine(1, chain)
      for (const session of [during, also]) await stack.sessionIs(session.id, 'pending', 'wrong_token')
      await waitFor('nothing untraced', async () => (await gauge(chain, 'cowry_chain_untraced_blocks')) === 0)
      await later(chain)
      for (const session of [during, also]) {
        const found = await foundFor(session)
        expect(found.map(({ amount, status }) => `${amount} ${status}`)).toEqual([
          '1000 confirmed',
          '1000 confirmed',
        ])
        expect(new Set(found.map(({ tx_id }) => tx_id)).size).toBe(2)
      }
      expect([sum(await foundFor(early)), sum(await foundFor(late))]).toEqual([21n, 22n])
      expect(await held(chain, coin)).toBe(before + 4043n)
      const [row] = await stack.db.query<{ whole: boolean }>(
        'select covered = traced as whole from chain_cursors where chain = $1',
        [chain],
      )
      expect(row?.whole).toBe(true)
    },
  )
})

describe('a rescan that finds internal transfers by another method finds each once', () => {
  const known = (chain: EvmChainName) =>
    stack.db.query(
      `select t.id, t.amount, t.movement_key, d.id as detection, d.status, d.generation from transfers t join detections d on d.transfer_id = t.id
       where t.chain = $1 order by d.id`,
      [chain],
    )

  async function rescanned(chain: EvmChainName, hidden: Hidden) {
    const devnet = stack.devnets.get(chain)
    if (!devnet) throw new Error(`no ${chain}`)
    await later(chain)
    const before = await known(chain)
    expect(before.length).toBeGreaterThan(5)
    const node = await startLimitedNode(devnet.rpcUrl, hidden)
    try {
      const output = await rescan(chain, node.url)
      return { output, before, after: await known(chain), calls: node.calls }
    } finally {
      await node.close()
    }
  }

  parallel.test('ethereum', 'differences of state where call traces were read', async () => {
    const { output, before, after, calls } = await rescanned('ethereum', 'callTracer')
    expect(calls.get('prestateTracer')).toBeGreaterThan(1)
    expect(output).toMatch(/ 0 new payments, .* 0 recorded that the chain does not have \(exit code 0\)$/)
    expect(after).toEqual(before)
  })

  parallel.test('bsc', 'call traces where differences of state were read', async () => {
    const { output, before, after, calls } = await rescanned('bsc', 'nothing')
    expect(calls.get('callTracer')).toBeGreaterThan(1)
    expect(output).toMatch(/ 0 new payments, .* 0 recorded that the chain does not have \(exit code 0\)$/)
    expect(after).toEqual(before)
  })

  parallel.test('base', 'call traces where balances were compared', async () => {
    const { output, before, after, calls } = await rescanned('base', 'nothing')
    expect(calls.get('callTracer')).toBeGreaterThan(1)
    expect(output).toMatch(/ 0 new payments, .* 0 recorded that the chain does not have \(exit code 0\)$/)
    expect(after).toEqual(before)
  })

  parallel.test('polygon', 'the same method again', async () => {
    const { output, before, after } = await rescanned('polygon', 'tracers')
    expect(output).toMatch(/ 0 new payments, .* 0 recorded that the chain does not have \(exit code 0\)$/)
    expect(after).toEqual(before)
  })
})
