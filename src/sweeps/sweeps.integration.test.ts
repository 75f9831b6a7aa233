import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import { putMulticall } from '../../test/support/answeringContract.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { tracedHere } from '../../test/support/tracedHere.ts'
import { multicallAddress } from '../chains/evm/multicall.ts'
import { RpcError } from '../chains/providers/jsonRpc.ts'
import { readAttempts } from '../txmgr/attempts.ts'
import { readIntents } from '../txmgr/intents.ts'

/** Sweeps on a node, step by step, with the rights of worker and treasury. */

let sweeping: Sweeping

beforeAll(async () => {
  sweeping = await startSweeping('ethereum')
  await putMulticall(sweeping.devnet.rpcUrl, multicallAddress)
})
afterAll(() => sweeping?.close())

const feesOf = async (): Promise<bigint> =>
  (await sweeping.intents()).reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)

test('every asset of an address reaches the treasury exactly, the address ends empty, and the books have what it cost', async () => {
  const { treasuryAddress, devnet } = sweeping
  for (const token of ['USDC', 'USDT']) await sweeping.enable(token)
  const before = await sweeping.native(treasuryAddress)
  const ether = 10n ** 18n
  const one = await sweeping.deposit(
    { symbol: 'USDC', amount: 5_000_000n },
    { symbol: 'USDT', amount: 7_000_000n },
    { symbol: 'ETH', amount: ether },
  )
  const two = await sweeping.deposit({ symbol: 'USDC', amount: 11_000_000n })
  await sweeping.run()
  expect((await sweeping.rows()).map(({ symbol, status }) => [symbol, status]).toSorted()).toEqual([
    ['ETH', 'done'],
    ['USDC', 'done'],
    ['USDC', 'done'],
    ['USDT', 'done'],
  ])
  for (const { address } of [one, two]) {
    expect([
      await sweeping.tokens(devnet.usdc, address),
      await sweeping.tokens(devnet.usdt ?? '', address),
    ]).toEqual([0n, 0n])
    expect(await sweeping.native(address)).toBe(0n)
  }
  expect(await sweeping.tokens(devnet.usdc, treasuryAddress)).toBe(16_000_000n)
  expect(await sweeping.tokens(devnet.usdt ?? '', treasuryAddress)).toBe(7_000_000n)
  const costs = await feesOf()
  expect(await sweeping.native(treasuryAddress)).toBe(before + ether - costs)
  expect(await sweeping.books('network_costs', 'ETH')).toBe(costs)
  expect(await sweeping.books('treasury:ethereum', 'ETH')).toBe(ether - costs)
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(16_000_000n)
  for (const symbol of ['USDC', 'USDT', 'ETH'])
    expect(await sweeping.books('deposits:ethereum', symbol)).toBe(0n)
})

/** The last sweep of an address, and its intents by purpose. */
/** Seconds until an address is planned again; null: not before the next payment. */
async function nextPlan(address: string): Promise<number | null> {
  const [source] = await sweeping.db.query<{ seconds: number | null }>(
    'select extract(epoch from next_at - now())::float8 as seconds from sweep_sources where address = $1',
    [address],
  )
  return source?.seconds ?? null
}
async function sweepOf(address: string) {
  const row = (await sweeping.rows()).findLast((each) => each.address === address)
  const intents = await sweeping.db.query<{
    purpose: string
    id: string
    txId: string
    status: string
    amount: string | null
  }>(
    `select i.purpose, i.id, i.tx_id as "txId", i.status, i.amount from sweep_intents l join intents i on i.id = l.intent_id
       join sweeps s on s.id = l.sweep_id where s.address = $1 order by i.created_at`,
    [address],
  )
  return { row, intents }
}

test('gas is funded first where an address has no coin: it is not credited, and what is left waits for its cost', async () => {
  const { address, sessionId } = await sweeping.deposit({ symbol: 'USDT', amount: 9_000_000n })
  // The maximum fee is twice the base fee, so that much of the gas is left.
  await sweeping.node.call('anvil_setNextBlockBaseFeePerGas', '0xba43b7400')
  await sweeping.node.mine()
  await sweeping.run()
  const { intents } = await sweepOf(address)
  expect(intents.map(({ purpose, status }) => [purpose, status])).toEqual([
    ['gas', 'confirmed'],
    ['sweep', 'confirmed'],
  ])
  expect(await sweeping.tokens(sweeping.devnet.usdt ?? '', address)).toBe(0n)
  const [gas] = intents
  await sweeping.detected(sessionId, address, {
    symbol: 'ETH',
    contract: null,
    amount: BigInt(gas?.amount ?? 0),
    txId: gas?.txId ?? '',
  })
  await sweeping.settle(sessionId)
  await sweeping.run()
  const credited = await sweeping.db.query(
    'select 1 from session_payments p join detections d on d.id = p.detection_id where d.subject_id = $1',
    [sessionId],
  )
  expect(credited).toHaveLength(1)
  const left = await sweeping.native(address)
  expect(left).toBeGreaterThan(0n)
  // It costs too much, and no customer has paid it: it waits for the next sweep, without a row and without
  // another step.
  expect((await sweepOf(address)).row).toMatchObject({ symbol: 'USDT', status: 'done' })
  expect(await nextPlan(address)).toBeNull()
  expect(await sweeping.books('deposits:ethereum', 'ETH')).toBe(left)
  // The operator takes it all the same: the address ends empty.
  await sweeping.force(address)
  await sweeping.run()
  expect([await sweeping.native(address), await sweeping.books('deposits:ethereum', 'ETH')]).toEqual([0n, 0n])
  expect(await sweeping.books('network_costs', 'ETH')).toBe(await feesOf())
})

test('nothing is swept where autosweep is off, below the threshold, or where it costs more than its share; a change of the settings plans it', async () => {
  await sweeping.db.query('delete from sweep_settings')
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 3_000_000n })
  await sweeping.run()
  expect((await sweepOf(address)).row).toBeUndefined()
  await sweeping.enable('USDC', 3_000_001n)
  await sweeping.run()
  expect((await sweepOf(address)).row).toBeUndefined()
  sweeping.sweeps.costs = {
    maxShare: { numerator: 2n, denominator: 100n },
    coinUsd: new Map([['ETH', { numerator: 10n ** 12n, denominator: 1n }]]),
  }
  await sweeping.enable('USDC', 3_000_000n)
  await sweeping.run()
  expect((await sweepOf(address)).row).toMatchObject({
    status: 'waiting',
    reason: 'cost',
    amount: 3_000_000n,
  })
  // It is stepped again: after 15 minutes, then when it has waited as long again, after six hours at most.
  for (const [waited, again] of [
    ['0', 900],
    ['1 hour', 3600],
    ['3 days', 21_600],
  ] as const) {
    await sweeping.db.query('update sweeps set created_at = now() - $2::interval where address = $1', [
      address,
      waited,
    ])
    await sweeping.due(address)
    await sweeping.run()
    expect(Math.abs(((await nextPlan(address)) ?? 0) - again)).toBeLessThan(60)
  }
  sweeping.sweeps.costs = {
    ...sweeping.sweeps.costs,
    coinUsd: new Map([['ETH', { numerator: 1n, denominator: 1n }]]),
  }
  await sweeping.due(address)
  await sweeping.run()
  expect((await sweepOf(address)).row).toMatchObject({ symbol: 'USDC', status: 'done', amount: 3_000_000n })
  for (const token of ['USDC', 'USDT']) await sweeping.enable(token)
})

test('a fork that takes a sweep back is followed by its row and the books, until it is in a block again', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 8_000_000n })
  const before = await sweeping.books('treasury:ethereum', 'USDC')
  const { work, authorize, reconcile, sign, node } = sweeping
  const until = async (status: string) => {
    for (let i = 0; i < 20 && (await sweepOf(address)).row?.status !== status; i++) {
      await work()
      await authorize()
      await reconcile()
      await sign()
      await reconcile()
    }
    expect((await sweepOf(address)).row?.status).toBe(status)
  }
  await until('sending')
  await reconcile()
  await sign()
  await reconcile()
  const fork = await node.call('evm_snapshot')
  await node.mine()
  // Its tokens have left, and its row does not show it yet: nothing is missing.
  const missing = sweeping.seen.filter((step) => step === 'missing').length
  await sweeping.due(address)
  await work()
  expect(sweeping.seen.filter((step) => step === 'missing')).toHaveLength(missing)
  await until('swept')
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(before + 8_000_000n)
  await node.call('evm_revert', fork)
  await node.call('anvil_dropAllTransactions')
  await reconcile()
  await until('sending')
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(before)
  await sweeping.run()
  expect((await sweepOf(address)).row?.status).toBe('done')
  expect(await sweeping.books('treasury:ethereum', 'USDC')).toBe(before + 8_000_000n)
  expect(await sweeping.tokens(sweeping.devnet.usdc, address)).toBe(0n)
  const entries = await sweeping.db.query<{ kind: string; step: number }>(
    `select kind, step from ledger_entries where cause_kind = 'intent' and reference = (select intent_id::text from sweeps where address = $1) order by step`,
    [address],
  )
  expect(entries).toEqual([
    { kind: 'sweep.posted', step: 1 },
    { kind: 'sweep.reversed', step: 2 },
    { kind: 'sweep.corrected', step: 3 },
  ])
  expect(sweeping.seen).toContain('taken_back')
})

test('a fee that changes with the block, after it was booked, is booked again when the block is final', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 1_500_000n })
  const { work, authorize, reconcile, sign, node } = sweeping
  // As a fork does that includes the transaction at another price, between two reads of the chain.
  sweeping.hooks.change = async (method, _params, truth) => {
    const answered = (await truth()) as { effectiveGasPrice?: string } | null
    if (method !== 'eth_getTransactionReceipt' || !answered?.effectiveGasPrice) return answered
    return { ...answered, effectiveGasPrice: numberToHex(BigInt(answered.effectiveGasPrice) + 1n) }
  }
  for (let i = 0; i < 20 && (await sweepOf(address)).row?.status !== 'swept'; i++) {
    await work()
    await authorize()
    await reconcile()
    await sign()
    await reconcile()
    if ((await sweepOf(address)).intents[0]?.status === 'broadcast') await node.mine()
  }
  sweeping.hooks.change = (_method, _params, truth) => truth()
  const before = await feesOf()
  expect([(await sweepOf(address)).row?.status, await sweeping.books('network_costs', 'ETH')]).toEqual([
    'swept',
    before,
  ])
  await sweeping.run()
  expect(await feesOf()).toBeLessThan(before)
  expect(await sweeping.books('network_costs', 'ETH')).toBe(await feesOf())
})

test('an authorization that an earlier transaction of the sweep has used is success, not failure', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 6_000_000n })
  const { work, authorize, reconcile, sign, node } = sweeping
  for (let i = 0; i < 10 && (await sweepOf(address)).row?.status !== 'sending'; i++) {
    await work()
    await authorize()
  }
  await reconcile()
  await sign()
  // The node keeps the first transaction to itself, and reports that it refused it.
  const kept: string[] = []
  sweeping.hooks.change = async (method, params, truth) => {
    if (method !== 'eth_sendRawTransaction') return truth()
    kept.push(String(params[0]))
    throw new RpcError('node: eth_sendRawTransaction', -32000, 'intrinsic gas too low')
  }
  await reconcile()
  sweeping.hooks.change = (_method, _params, truth) => truth()
  const [first] = (await sweepOf(address)).intents
  expect([kept.length, first?.status]).toEqual([1, 'failed'])
  // The worker gives it up, and makes a second one; then the first is mined after all.
  await sweeping.db.query('update intents set next_reconcile_at = null where id = $1', [first?.id])
  await work()
  await sweeping.db.query('update intents set next_reconcile_at = now() where id = $1', [first?.id])
  for (let i = 0; i < 5 && (await sweepOf(address)).intents.length < 2; i++) await work()
  expect((await sweepOf(address)).intents).toHaveLength(2)
  await node.call('eth_sendRawTransaction', kept[0])
  await node.mine()
  await sweeping.run()
  const { row, intents } = await sweepOf(address)
  expect([row?.status, intents.map(({ status }) => status)]).toEqual(['done', ['confirmed', 'failed']])
  expect([
    await sweeping.tokens(sweeping.devnet.usdc, address),
    await sweeping.books('deposits:ethereum', 'USDC'),
  ]).toEqual([0n, 0n])
  expect(await sweeping.books('network_costs', 'ETH')).toBe(await feesOf())
})

test('a payment of the same amount, soon after a sweep of its address, has an authorization of its own', async () => {
  const usdc = { symbol: 'USDC', contract: sweeping.devnet.usdc, amount: 6_500_000n }
  const { address, sessionId } = await sweeping.deposit({ symbol: 'USDC', amount: usdc.amount })
  await sweeping.run()
  const before = await sweeping.tokens(usdc.contract, sweeping.treasuryAddress)
  await sweeping.detected(sessionId, address, {
    ...usdc,
    txId: await sweeping.pay(address, usdc.contract, usdc.amount),
  })
  await sweeping.settle(sessionId)
  await sweeping.run()
  const rows = (await sweeping.rows()).filter((each) => each.address === address)
  expect(rows.map(({ status, tries }) => [status, tries])).toEqual([
    ['done', 0],
    ['done', 0],
  ])
  expect(await sweeping.tokens(usdc.contract, address)).toBe(0n)
  expect(await sweeping.tokens(usdc.contract, sweeping.treasuryAddress)).toBe(before + usdc.amount)
  expect(await sweeping.books('deposits:ethereum', 'USDC')).toBe(0n)
  expect((await sweepOf(address)).intents.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
})

test('the treasury pays for no sweep while it has too little native coin, and goes on when it has more', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDT', amount: 2_000_000n })
  const had = await sweeping.native(sweeping.treasuryAddress)
  await sweeping.setNative(sweeping.treasuryAddress, sweeping.chain.lowBalance - 1n)
  for (let i = 0; i < 4; i++) await sweeping.work()
  expect((await sweepOf(address)).row).toMatchObject({ status: 'planned', gasIntentId: null })
  expect(sweeping.seen).toContain('gas_low')
  await sweeping.setNative(sweeping.treasuryAddress, had)
  await sweeping.run()
  expect(await sweeping.tokens(sweeping.devnet.usdt ?? '', address)).toBe(0n)
})

test('an address that holds less than in the books is reported, and what is there is swept', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 5_000_000n })
  const stolen = sweeping.seen.filter((step) => step === 'missing').length
  await sweeping.node.call('anvil_dealERC20', address, sweeping.devnet.usdc, '0x3d0900')
  await sweeping.run()
  expect((await sweepOf(address)).row).toMatchObject({ status: 'done', amount: 4_000_000n })
  expect(sweeping.seen.filter((step) => step === 'missing').length).toBeGreaterThan(stolen)
})

test("a token whose DOMAIN_SEPARATOR is not the registry's is moved with funded gas", async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 4_000_000n })
  sweeping.hooks.change = async (method, params, truth) => {
    const [call] = params as [{ data?: string }]
    return method === 'eth_call' && call?.data === '0x3644e515' ? `0x${'1'.repeat(64)}` : truth()
  }
  await sweeping.run()
  sweeping.hooks.change = (_method, _params, truth) => truth()
  const { intents } = await sweepOf(address)
  expect(intents.map(({ purpose }) => purpose)).toEqual(['gas', 'sweep'])
  expect(await sweeping.tokens(sweeping.devnet.usdc, address)).toBe(0n)
})

test('a nonce of the treasury that no transaction has is filled by a no-op, and what waits behind it goes on', async () => {
  const addresses = [
    await sweeping.deposit({ symbol: 'USDT', amount: 1_000_000n }),
    await sweeping.deposit({ symbol: 'USDT', amount: 1_000_001n }),
  ]
  const { work, reconcile, sign } = sweeping
  for (let i = 0; i < 4; i++) await work()
  const gas = (await sweeping.intents()).filter(
    ({ purpose, status }) => purpose === 'gas' && status === 'created',
  )
  expect(gas).toHaveLength(2)
  await reconcile()
  await sign()
  // The network refuses the first at its first send, so that the second waits behind its nonce.
  let refusals = 0
  sweeping.hooks.change = async (method, _params, truth) => {
    if (method === 'eth_sendRawTransaction' && refusals++ === 0)
      throw new RpcError('node: eth_sendRawTransaction', -32000, 'insufficient funds for gas * price + value')
    return truth()
  }
  await reconcile()
  sweeping.hooks.change = (_method, _params, truth) => truth()
  await sweeping.run()
  const noops = (await sweeping.intents()).filter(
    ({ purpose, signer }) => purpose === 'noop' && signer === 'treasury',
  )
  expect(noops.map(({ status }) => status)).toEqual(['confirmed'])
  for (const { address } of addresses)
    expect(await sweeping.tokens(sweeping.devnet.usdt ?? '', address)).toBe(0n)
  // A no-op costs its fee, too.
  expect(await sweeping.books('network_costs', 'ETH')).toBe(await feesOf())
})

test('an authorization that another sender has used first moves the money all the same: it is booked once it is final', async () => {
  const { address } = await sweeping.deposit({ symbol: 'USDC', amount: 2_500_000n })
  const { work, authorize, reconcile, sign, node } = sweeping
  const before = [
    await sweeping.books('treasury:ethereum', 'USDC'),
    await sweeping.books('network_costs', 'ETH'),
  ]
  const others = (await sweeping.books('deposits:ethereum', 'USDC')) - 2_500_000n
  for (let i = 0; i < 10 && (await sweepOf(address)).row?.status !== 'sending'; i++) {
    await work()
    await authorize()
  }
  const [intent] = await readIntents(sweeping.db, 'id = $1', [(await sweepOf(address)).row?.intentId])
  if (intent?.action.kind !== 'calls') throw new Error('no call')
  await sweeping.faucet.sendTransaction({
    to: sweeping.devnet.usdc,
    data: intent.action.calls[0]?.data as `0x${string}`,
    gas: 200_000n,
  })
  await node.mine()
  await reconcile()
  await sign()
  await work()
  expect((await sweepOf(address)).row?.status).toBe('sending')
  await sweeping.run()
  const { row, intents } = await sweepOf(address)
  expect([row?.status, intents.map(({ status }) => status)]).toEqual(['done', ['failed']])
  expect([
    await sweeping.books('treasury:ethereum', 'USDC'),
    await sweeping.books('network_costs', 'ETH'),
  ]).toEqual([(before[0] ?? 0n) + 2_500_000n, before[1]])
  expect(await sweeping.books('deposits:ethereum', 'USDC')).toBe(others)
})

test("the treasury's transactions take its nonces in order, and one that waits is replaced at its nonce: gas is funded once", async () => {
  const two = [
    await sweeping.deposit({ symbol: 'USDT', amount: 1_100_000n }),
    await sweeping.deposit({ symbol: 'USDT', amount: 1_200_000n }),
  ]
  const { work, reconcile, sign } = sweeping
  for (let i = 0; i < 4; i++) await work()
  const gas = (await sweeping.intents())
    .filter(({ purpose, status }) => purpose === 'gas' && status === 'created')
    .map(({ id }) => id)
  expect(gas).toHaveLength(2)
  for (let i = 0; i < 3; i++) {
    await reconcile()
    await sign()
  }
  await reconcile()
  const attempts = await Promise.all(gas.map((id) => readAttempts(sweeping.db, id)))
  const [first = 0n, second = 0n] = attempts
    .map(([attempt]) => attempt?.nonce ?? 0n)
    .toSorted((a, b) => (a < b ? -1 : 1))
  expect(second).toBe(first + 1n)
  const waiting = attempts.find(([attempt]) => attempt?.nonce === first) ?? []
  expect([waiting.length > 1, new Set(waiting.map(({ nonce }) => nonce)).size]).toEqual([true, 1])
  await sweeping.run()
  for (const { address } of two) {
    const { intents } = await sweepOf(address)
    expect(intents.filter(({ purpose }) => purpose === 'gas').map(({ status }) => status)).toEqual([
      'confirmed',
    ])
    expect(await sweeping.tokens(sweeping.devnet.usdt ?? '', address)).toBe(0n)
  }
  expect(await sweeping.books('network_costs', 'ETH')).toBe(await feesOf())
})

test('a sweep goes on with the trace of the session that was paid, from its plan to its transactions', async () => {
  await sweeping.enable('USDC')
  const traced = await tracedHere()
  try {
    const { address } = await traced.request(() => sweeping.deposit({ symbol: 'USDC', amount: 5_000_000n }))
    await sweeping.run()
    const [row] = await sweeping.db.query<{ traceparent: string; requestId: string }>(
      'select traceparent, request_id as "requestId" from sweeps where address = $1',
      [address],
    )
    const plan = await traced.step('step sweep_sources')
    expect(plan.how).toBe('part')
    expect(row).toEqual({
      traceparent: `00-${plan.span.traceId}-${plan.span.spanId}-01`,
      requestId: traced.cause.requestId,
    })
    const step = await traced.step('step sweeps')
    expect([step.how, step.span.parentId]).toEqual(['part', plan.span.spanId])
    expect((await traced.step('broadcast transaction')).how).toBe('part')
  } finally {
    await traced.stop()
  }
})
