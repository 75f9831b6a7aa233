import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { allowanceHolder, devnetChain, type EvmDevnet, rpc, startEvmDevnet } from '../../test/devnets/evm.ts'
import { startZeroX, type ZeroXStandIn } from '../../test/partners/zerox.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { addressOf, keyOf } from '../../test/support/evmIntents.ts'
import { sendingOn } from '../../test/support/evmSending.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import type { Flow } from '../chains/action.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { evmSwapping } from '../chains/evm/send/swapping.ts'
import { createRemembered } from '../chains/providers/remembered.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { ActionRefusedError, type ActionSender, type Broadcast } from '../chains/sending.ts'
import { BusyTrialError } from '../chains/solanaSwapping.ts'
import { NoTrialRunError } from '../chains/swapping.ts'
import { createZeroX } from '../partners/zerox/client.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { pause } from '../platform/wait.ts'
import { pauseSending, resumeSending } from '../txmgr/pause.ts'
import { reconcileIntent } from '../txmgr/reconcile.ts'
import { type ExecutionContext, executeSwap } from './executeSwap.ts'
import type { SwapView } from './presentSwap.ts'
import { presentSwap } from './presentSwap.ts'
import { promisedAmount } from './promisedAmount.ts'
import type { SwapProvider, SwapQuestion } from './provider.ts'
import { readExecution } from './readExecution.ts'
import { readSwaps } from './storedSwap.ts'
import { approvalPurpose, swapPurpose } from './swapPurposes.ts'

/**
 * What happens to the transactions of a swap between the first signature and the last block, on a node of its
 * own.
 */

const apiKey = 'key-of-0x'
let database: TestDatabase
let devnet: EvmDevnet
let zeroX: ZeroXStandIn
let chain: ReturnType<typeof sendingOn>
let ctx: ExecutionContext
let businessId: string
let provider: SwapProvider
/** Called before each broadcast, counted from one; an answer replaces that of the node. */
let beforeBroadcast: (count: number) => Promise<Broadcast | undefined>
let broadcasts: number
/** Called before each read of the outcome of a transaction. */
let beforeOutcome: () => Promise<void>

beforeAll(async () => {
  database = await createTestDatabase()
  devnet = await startEvmDevnet({ chain: 'ethereum', blockSeconds: 0 })
  chain = sendingOn(devnet)
  const stable = [devnet.usdc, devnet.usdt].map((token) => token?.toLowerCase())
  zeroX = await startZeroX({
    apiKey,
    assetOf: (_, token) =>
      stable.includes(token) ? { decimals: devnet.decimals, cents: 100n } : { decimals: 18, cents: 300_000n },
    marketOf: () => ({ settler: devnet.settler, pool: devnet.pool }),
  })
  businessId = newId()
  await insertBusiness(database.db, businessId, 'swapper')
  const sender: ActionSender = {
    ...chain.sender,
    broadcast: async (transaction) =>
      (await beforeBroadcast(++broadcasts)) ?? chain.sender.broadcast(transaction),
    outcome: async (...asked) => {
      await beforeOutcome()
      return chain.sender.outcome(...asked)
    },
  }
  const configured = { ...chain.ctx.chain, maxFee: parseEther('1') } as ConfiguredChain
  const real = createZeroX({ url: zeroX.url, apiKey: new Secret(apiKey), perSecond: 1000 })
  provider = { ...real }
  const balances = evmBalanceReader(chain.ctx)
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    chains: [configured],
    swaps: { observe: () => {} },
    decimals: createRemembered(10),
    accounts: async () => ({ balances, sender, swapping: evmSwapping({ ...chain.ctx, balances }) }),
    txmgr: {
      db: database.db,
      log: createLog('test', 'silent'),
      sendingChain: async () => ({ chain: configured, builder: chain.builder, sender }),
      prover: provers.api,
      purposes: [swapPurpose, approvalPurpose],
      reconcileMs: 1,
      bumpAfterMs: null,
      unminableMs: 1,
      feeWaitMs: 3_600_000,
      settings: defaultSettings,
      environment: 'test',
      observe: () => {},
      ofAddress: createOneByOne(),
    },
  }
})
afterAll(async () => {
  await Promise.all([zeroX?.close(), chain?.ctx.providers.close()])
  await devnet?.stop()
  await database?.drop()
})
beforeEach(() => {
  broadcasts = 0
  beforeBroadcast = async () => undefined
  beforeOutcome = async () => {}
  provider = { ...createZeroX({ url: zeroX.url, apiKey: new Secret(apiKey), perSecond: 1000 }) }
})

let made = 500
const walletOf = (key: `0x${string}`) =>
  createWalletClient({
    account: privateKeyToAccount(key),
    chain: devnetChain('ethereum', devnet.rpcUrl),
    transport: http(devnet.rpcUrl),
  })

/** A sender of USDT that has allowed some already: its swap takes three transactions. */
async function newSender(allowed = 5n) {
  const key = keyOf(made++)
  const from = addressOf(key)
  await chain.fund(from, parseEther('10'))
  const faucet = walletOf(devnet.faucetPrivateKey)
  const abi = [
    {
      name: 'transfer',
      type: 'function',
      stateMutability: 'nonpayable',
      inputs: [{ type: 'address' }, { type: 'uint256' }],
      outputs: [],
    },
    {
      name: 'approve',
      type: 'function',
      stateMutability: 'nonpayable',
      inputs: [{ type: 'address' }, { type: 'uint256' }],
      outputs: [],
    },
  ] as const
  const address = devnet.usdt as `0x${string}`
  await faucet.writeContract({
    address,
    abi,
    functionName: 'transfer',
    args: [from as `0x${string}`, 1_000_000_000n],
    gas: 200_000n,
  })
  await walletOf(key).writeContract({
    address,
    abi,
    functionName: 'approve',
    args: [allowanceHolder, allowed],
    gas: 200_000n,
  })
  await chain.mine()
  return { key, from }
}

function swap({ key }: { key: string }, more: { minBuyAmount?: string } = {}): Promise<SwapView> {
  const request = {
    chain: 'ethereum',
    sellToken: devnet.usdt ?? '',
    buyToken: devnet.usdc,
    amount: '100',
    privateKey: key,
  }
  const wanted = readExecution({ chains: ctx.chains, swaps: { evm: provider, solana: null } }, request)
  return executeSwap(ctx, { ...wanted, ...more, amount: request.amount, businessId }, async () => {})
}

const intents = (from: string) =>
  database.db.query<{
    id: string
    purpose: string
    status: string
    reason: string | null
    nonces: number[]
    live: number[]
  }>(
    `select id, purpose, status, reason,
       (select array_agg(distinct nonce::integer) from intent_attempts where intent_id = intents.id) as nonces,
       (select array_agg(distinct nonce::integer) from intent_attempts where intent_id = intents.id and void_at is null) as live
     from intents where from_address = $1 order by id`,
    [from],
  )
/** Does once what a worker does with intents of a sender. */
async function reconcile(from: string, ids: readonly string[]): Promise<void> {
  await database.db.query(
    "update intents set next_reconcile_at = now() - interval '1 s' where from_address = $1 and next_reconcile_at is not null",
    [from],
  )
  for (const id of ids) await reconcileIntent(ctx.txmgr, id)
}
const idsOf = async (from: string) => (await intents(from)).map(({ id }) => id)
/** Does what a worker does until nothing changes any more. */
async function settle(from: string): Promise<void> {
  for (let rounds = 0; rounds < 12; rounds++) {
    await reconcile(from, await idsOf(from))
    await chain.mine(12)
  }
}
const eventsOf = async (id: string) =>
  (
    await database.db.query<{ type: string; left: string | null }>(
      "select type, data->>'allowanceLeft' as left from events where data->>'id' = $1",
      [id],
    )
  ).map(({ type, left }) => [type, left])
const read = async (id: string) => {
  const [stored] = await readSwaps(database.db, businessId, [id])
  return stored && presentSwap(stored)
}

/** Another wallet of the sender uses its next nonce, in a block that is as deep as required. */
async function takeNonce(key: `0x${string}`): Promise<void> {
  const wallet = walletOf(key)
  await wallet.sendTransaction({ to: wallet.account.address, value: 0n })
  await chain.mine(20)
}

describe('another wallet takes the nonce', () => {
  test.each([
    { step: 1, live: [[2], [3], [4]] },
    { step: 2, live: [[1], [3], [4]] },
    { step: 3, live: [[1], [2], [4]] },
  ])('of step $step: it and all that follow are signed again, and it swaps once', async ({ step, live }) => {
    const sender = await newSender()
    beforeBroadcast = async (count) => {
      if (count === step) {
        await chain.mine()
        await takeNonce(sender.key)
      }
      return undefined
    }
    const view = await swap(sender)
    expect([view.status, view.success, broadcasts]).toEqual(['pending', true, 4])
    expect((await intents(sender.from)).map((each) => each.live)).toEqual(live)
    await settle(sender.from)
    expect(await read(view.id)).toMatchObject({
      status: 'confirmed',
      amountReceived: '99.7',
      allowanceLeft: null,
    })
  })

  test('and is in a block late: meanwhile no worker takes the steps behind it', async () => {
    const sender = await newSender()
    const dueSql =
      'select id from intents where from_address = $1 and next_reconcile_at <= now() and id <> $2'
    const due: unknown[] = []
    beforeBroadcast = async (count) => {
      if (count > 1) return undefined
      await database.db.query('update intents set next_reconcile_at = now() where from_address = $1', [
        sender.from,
      ])
      await takeNonce(sender.key)
      return undefined
    }
    beforeOutcome = async () => {
      const [first] = await intents(sender.from)
      due.push(...(await database.db.query(dueSql, [sender.from, first?.id])))
    }
    expect(await swap(sender)).toMatchObject({ status: 'pending', success: true })
    expect(due).toEqual([])
  })

  test('of a later step, and the quote is too old by then: it is not signed again, and what was allowed is shown', async () => {
    const sender = await newSender()
    let late = 0
    const now = Date.now.bind(Date)
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + late)
    try {
      beforeBroadcast = async (count) => {
        if (count === 3) {
          await chain.mine()
          await takeNonce(sender.key)
          late = 16_000
        }
        return undefined
      }
      const view = await swap(sender)
      expect([view.status, broadcasts]).toEqual(['pending', 3])
      await settle(sender.from)
      expect(await read(view.id)).toMatchObject({
        status: 'expired',
        reason: 'sequence_used',
        allowanceLeft: '100',
      })
    } finally {
      clock.mockRestore()
    }
  })
})

describe('a step that fails ends those after it', () => {
  test('refused by every node, in the request', async () => {
    const sender = await newSender()
    beforeBroadcast = async (count) => (count === 1 ? { status: 'refused', message: 'no' } : undefined)
    const view = await swap(sender)
    expect([view.status, view.success, view.reason, view.allowanceLeft, broadcasts]).toEqual([
      'failed',
      false,
      'step_failed',
      null,
      1,
    ])
    expect((await intents(sender.from)).map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'refused'],
      ['failed', 'step_failed'],
      ['failed', 'step_failed'],
    ])
  })

  test('unknown to every node: a worker sends each after the one before it', async () => {
    const sender = await newSender()
    beforeBroadcast = async (count) => (count === 1 ? { status: 'busy', message: null } : undefined)
    const view = await swap(sender)
    expect([view.status, view.success, broadcasts]).toEqual(['pending', false, 1])
    const [first, second, third] = await intents(sender.from)
    const due = "update intents set next_reconcile_at = now() - interval '1 s' where from_address = $1"
    for (const late of [third, second]) {
      await database.db.query(due, [sender.from])
      await reconcileIntent(ctx.txmgr, late?.id ?? '')
    }
    expect(broadcasts).toBe(1)
    await database.db.query(due, [sender.from])
    await reconcileIntent(ctx.txmgr, first?.id ?? '')
    expect(broadcasts).toBe(2)
    await settle(sender.from)
    expect(await read(view.id)).toMatchObject({ status: 'confirmed', success: true })
  })
})

test('swaps of one sender under way do not use the same allowance', async () => {
  const sender = await newSender(100_000_000n)
  const steps = () => intents(sender.from).then((rows) => rows.length)
  const promised = () => promisedAmount(database.db, 'ethereum', sender.from, devnet.usdt ?? '')
  const first = await swap(sender)
  expect([await steps(), await promised()]).toEqual([1, 100_000_000n])
  const second = await swap(sender)
  // Its approval replaces the allowance: nothing is left after it, however much is allowed now.
  expect([await steps(), await promised()]).toEqual([4, 2n ** 256n - 1n])
  const third = await swap(sender)
  await settle(sender.from)
  for (const { id } of [first, second, third])
    expect(await read(id)).toMatchObject({ status: 'confirmed', amountReceived: '99.7' })
  expect(await promised()).toBe(0n)
})

describe('a step that was not sent', () => {
  /** A swap whose approvals are in the network; it was not sent itself, because sending was paused. */
  async function unsent() {
    const sender = await newSender()
    beforeBroadcast = async (count) => {
      if (count === 2) await pauseSending(database.db, 'ethereum', 'test')
      return undefined
    }
    try {
      const { id } = await swap(sender)
      expect(broadcasts).toBe(2)
      return { ...sender, id }
    } finally {
      await resumeSending(database.db, 'ethereum')
    }
  }
  const age = (from: string, minutes: number) =>
    database.db.query(
      "update intents set created_at = now() - $2 * interval '1 minute' where from_address = $1",
      [from, minutes],
    )

  test('is sent within ten minutes', async () => {
    const { from, id } = await unsent()
    await age(from, 9)
    await settle(from)
    expect(await read(id)).toMatchObject({ status: 'confirmed', reason: null })
  })

  test('ends after ten minutes, once it is known what its approval left allowed', async () => {
    const { from, id } = await unsent()
    await age(from, 11)
    await reconcile(from, [id])
    expect(await read(id)).toMatchObject({ status: 'pending', allowanceLeft: null })
    await settle(from)
    const message = 'It was not sent within ten minutes; its price is too old'
    expect(await read(id)).toMatchObject({
      status: 'failed',
      reason: 'stopped',
      message,
      allowanceLeft: '100',
    })
    expect([broadcasts, await eventsOf(id)]).toEqual([2, [['swap.failed', '100']]])
  })

  test('is not sent while its approval is in a block where it may have failed', async () => {
    const { from, id } = await unsent()
    await chain.mine(1)
    await reconcile(from, await idsOf(from))
    expect([broadcasts, (await read(id))?.status]).toEqual([2, 'pending'])
    await settle(from)
    expect([broadcasts, (await read(id))?.status]).toEqual([3, 'confirmed'])
  })
})

describe('the end of a swap waits for that of its approval', () => {
  test('after it reverted', async () => {
    const sender = await newSender()
    const market = await rpc(devnet.rpcUrl, 'eth_getCode', [devnet.pool, 'latest'])
    const { id } = await swap(sender)
    await rpc(devnet.rpcUrl, 'anvil_setCode', [devnet.pool, '0xfe'])
    await chain.mine(12)
    await rpc(devnet.rpcUrl, 'anvil_setCode', [devnet.pool, market])
    for (let times = 0; times < 3; times++) await reconcile(sender.from, [id])
    expect([(await read(id))?.status, await eventsOf(id)]).toEqual(['pending', []])
    await settle(sender.from)
    expect(await read(id)).toMatchObject({ status: 'failed', reason: 'reverted', allowanceLeft: '100' })
    expect(await eventsOf(id)).toEqual([['swap.failed', '100']])
  })

  test('but not if it is refused itself: what is allowed by then is shown', async () => {
    const sender = await newSender()
    beforeBroadcast = async (count) => (count === 3 ? { status: 'refused', message: 'no' } : undefined)
    const { id } = await swap(sender)
    expect(await read(id)).toMatchObject({ status: 'failed', reason: 'refused', allowanceLeft: '100' })
    expect(await eventsOf(id)).toEqual([['swap.failed', '100']])
  })
})

test("a caller's own minimum is demanded to the unit", async () => {
  const sender = await newSender()
  const fields = [{ field: 'minBuyAmount', message: expect.any(String) }]
  await expect(swap(sender, { minBuyAmount: '99.201501' })).rejects.toMatchObject({
    status: 422,
    error: 'price_moved',
    fields,
  })
  expect(await intents(sender.from)).toEqual([])
  expect(await swap(sender, { minBuyAmount: '99.2015' })).toMatchObject({
    status: 'pending',
    minBuyAmount: '99.2015',
  })
})

test('a request to the provider is counted and timed by itself, also if the chain refuses the swap afterwards', async () => {
  const sender = await newSender()
  const observed: { outcome: string; seconds: number }[] = []
  const { observe } = ctx.swaps
  ctx.swaps.observe = (_name, outcome, seconds) => void observed.push({ outcome, seconds })
  provider.prepare = async (_question, _chain, onAnswer) => {
    onAnswer?.()
    await pause(300)
    throw new ActionRefusedError('simulation_failed', 'The swap would fail')
  }
  try {
    await expect(swap(sender)).rejects.toMatchObject({ status: 422, error: 'simulation_failed' })
  } finally {
    ctx.swaps.observe = observe
  }
  expect(observed.map(({ outcome }) => outcome)).toEqual(['ok'])
  expect(observed[0]?.seconds).toBeLessThan(0.3)
})

describe('nothing is stored', () => {
  test.each(['spends', 'receives'] as const)(
    'if its provider reads other decimals of what it %s than the amount was read with',
    async (side) => {
      const sender = await newSender()
      const { prepare } = provider
      const nine = (flow: Flow) => ({ ...flow, token: flow.token && { ...flow.token, decimals: 9 } })
      provider.prepare = async (question, on) => {
        const prepared = await prepare(question, on)
        const steps = prepared.steps.map((step) =>
          step.action.kind === 'calls'
            ? { ...step, action: { ...step.action, [side]: step.action[side].map(nine) } }
            : step,
        )
        return { ...prepared, steps }
      }
      await expect(swap(sender)).rejects.toMatchObject({ status: 503, error: 'chain_unavailable' })
      expect(await intents(sender.from)).toEqual([])
    },
  )

  test('if no node of the chain can try its transactions', async () => {
    const sender = await newSender()
    provider.prepare = async () => {
      throw new NoTrialRunError('no node can try several calls at once')
    }
    await expect(swap(sender)).rejects.toMatchObject({
      status: 503,
      error: 'unavailable',
      retryAfterSeconds: 60,
    })
    expect(await intents(sender.from)).toEqual([])
  })

  test('if payments to its accounts spoil each trial run', async () => {
    const sender = await newSender()
    provider.prepare = async () => {
      throw new BusyTrialError()
    }
    await expect(swap(sender)).rejects.toMatchObject({
      status: 503,
      error: 'unavailable',
      retryAfterSeconds: 1,
    })
    expect(await intents(sender.from)).toEqual([])
  })

  test('of a swap so small that its minimum is zero', async () => {
    const sender = await newSender()
    const { prepare } = provider
    provider.prepare = async (question, on) => {
      const prepared = await prepare(question, on)
      return { ...prepared, price: { ...prepared.price, buyAmount: 1n, minBuyAmount: 0n }, minBuyAmount: 0n }
    }
    const fields = [{ field: 'amount', message: expect.any(String) }]
    await expect(swap(sender)).rejects.toMatchObject({ status: 422, error: 'no_liquidity', fields })
    expect(await intents(sender.from)).toEqual([])
  })

  test('of a quote that is older than 15 seconds when it is to be signed', async () => {
    const sender = await newSender()
    const { prepare } = provider
    provider.prepare = async (question: SwapQuestion, on) => {
      const prepared = await prepare(question, on)
      return { ...prepared, askedAt: new Date(Date.now() - 15_001) }
    }
    await expect(swap(sender)).rejects.toMatchObject({ status: 503, error: 'unavailable' })
    expect(await intents(sender.from)).toEqual([])
  })

  test.each<[string, (prepared: Awaited<ReturnType<SwapProvider['prepare']>>) => object]>([
    ['a minimum below the requested one', ({ minBuyAmount }) => ({ minBuyAmount: minBuyAmount - 1n })],
    ['another amount to sell', ({ price }) => ({ price: { ...price, sellAmount: price.sellAmount + 1n } })],
    ['no swap at its end', ({ steps }) => ({ steps: steps.slice(0, -1) })],
    ['two swaps', ({ steps }) => ({ steps: [...steps.slice(-1), ...steps.slice(-1)] })],
    ['four steps', ({ steps }) => ({ steps: [...steps.slice(0, 1), ...steps] })],
    [
      'another sender',
      ({ steps }) => ({
        steps: steps.map((step) => ({ ...step, action: { ...step.action, from: addressOf(keyOf(9)) } })),
      }),
    ],
  ])('of a prepared swap with %s', async (_, change) => {
    const sender = await newSender()
    const { prepare } = provider
    provider.prepare = async (question, on) => {
      const prepared = await prepare(question, on)
      return { ...prepared, ...change(prepared) }
    }
    await expect(swap(sender)).rejects.toMatchObject({ status: 422, error: 'unsafe_answer' })
    expect(await intents(sender.from)).toEqual([])
  })

  test('if the chain was paused after the first check', async () => {
    const sender = await newSender()
    const { prepare } = provider
    provider.prepare = async (question, on) => {
      await pauseSending(database.db, 'ethereum', 'test')
      return prepare(question, on)
    }
    try {
      await expect(swap(sender)).rejects.toMatchObject({ status: 503, error: 'outgoing_paused' })
    } finally {
      await resumeSending(database.db, 'ethereum')
    }
    expect(await intents(sender.from)).toEqual([])
  })

  test('while the chain is paused: its provider gets no request', async () => {
    const sender = await newSender()
    await pauseSending(database.db, 'ethereum', 'test')
    zeroX.asked.length = 0
    try {
      await expect(swap(sender)).rejects.toMatchObject({ status: 503, error: 'outgoing_paused' })
    } finally {
      await resumeSending(database.db, 'ethereum')
    }
    expect([zeroX.asked.length, await intents(sender.from)]).toEqual([0, []])
  })

  test('if the sender cannot pay for a step', async () => {
    const sender = await newSender()
    await chain.fund(sender.from, 1n)
    const missing = { symbol: 'ETH', available: '0.000000000000000001' }
    await expect(swap(sender)).rejects.toMatchObject({
      status: 422,
      error: 'insufficient_native_balance',
      missing,
    })
    expect(await intents(sender.from)).toEqual([])
  })

  test('if a fee is above the ceiling of the chain', async () => {
    const sender = await newSender()
    const [configured] = ctx.chains
    if (!configured) throw new Error('no chain')
    const { maxFee } = configured
    configured.maxFee = 1n
    try {
      await expect(swap(sender)).rejects.toMatchObject({ status: 422, error: 'fee_too_high' })
    } finally {
      configured.maxFee = maxFee
    }
    expect(await intents(sender.from)).toEqual([])
  })

  test('if the sender can pay for each step, but not for all of them', async () => {
    const sender = await newSender()
    const { prepare } = provider
    provider.prepare = async (question, on) => {
      const prepared = await prepare(question, on)
      // The plans are right: the coin leaves afterwards.
      const [first] = prepared.steps
      await chain.fund(sender.from, (first?.plan.fee.max ?? 0n) * 2n)
      return prepared
    }
    await expect(swap(sender)).rejects.toMatchObject({ status: 422, error: 'insufficient_native_balance' })
    expect(await intents(sender.from)).toEqual([])
  })
})

test('an error after the first signature does not fail the answer: a worker goes on', async () => {
  const sender = await newSender()
  beforeBroadcast = async () => {
    throw new Error('the process has lost its head')
  }
  const view = await swap(sender)
  expect([view.status, view.success]).toEqual(['pending', false])
  beforeBroadcast = async () => undefined
  await settle(sender.from)
  expect(await read(view.id)).toMatchObject({ status: 'confirmed' })
})
