import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../test/devnets/evm.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { defaultSettings } from '../../test/support/defaultSettings.ts'
import { addressOf, intentOf, keyOf } from '../../test/support/evmIntents.ts'
import { sendingOn } from '../../test/support/evmSending.ts'
import { proofs, provers } from '../../test/support/intentKeys.ts'
import { transfersWith } from '../../test/support/purposes.ts'
import { urlAs } from '../../test/support/template.ts'
import {
  approval,
  holder,
  moving,
  newTestCall,
  spender,
  testCallPurpose,
  testKeys,
  testTables,
} from '../../test/support/testCalls.ts'
import type { CallsSpec } from '../chains/action.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { getTransfer } from '../transfers/getTransfer.ts'
import { listTransfers } from '../transfers/listTransfers.ts'
import { readAttempts } from './attempts.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { countUnsettled, dueIntents, heldIntents } from './dueIntents.ts'
import { countHeld } from './hold.ts'
import { type Intent, insertIntent, type NewIntent, readIntents } from './intents.ts'
import { reconcileIntent } from './reconcile.ts'
import { signPending } from './signPending.ts'

/**
 * A second purpose, on a node: calls of the platform go the way of a transfer, with the rights of the
 * processes.
 */

const destination = addressOf(keyOf(6100))
let database: TestDatabase
let devnet: EvmDevnet
let node: ReturnType<typeof sendingOn>
let worker: Db
let treasury: Db
let ctx: TxManagerContext
let heard: string[]

beforeAll(async () => {
  ;[database, devnet] = await Promise.all([
    createTestDatabase(),
    startEvmDevnet({ chain: 'bsc', blockSeconds: 0 }),
  ])
  await database.db.query(testTables)
  await database.db.query('insert into test_destinations (address) values ($1)', [destination])
  node = sendingOn(devnet, { confirmations: 1, finalizedDepth: 2 })
  ;[worker, treasury] = [openDb(urlAs('worker', database.url), 2), openDb(urlAs('treasury', database.url), 2)]
  for (const address of [holder, spender]) await node.fund(address, 10n ** 18n)
  await node.call('anvil_dealERC20', holder, devnet.usdc, '0x1388')
  ctx = {
    db: worker,
    log: createLog('test', 'silent'),
    sendingChain: async () =>
      ({ chain: node.ctx.chain, builder: node.builder, sender: node.sender }) as unknown as SendingChain,
    purposes: [
      ...transfersWith(),
      testCallPurpose(node.usdc, async (_tx, row, before) => void heard.push(`${before} to ${row.status}`)),
    ],
    prover: provers.worker,
    reconcileMs: 1,
    bumpAfterMs: 1,
    unminableMs: 60_000,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'live',
    observe: () => {},
  }
})
afterAll(async () => {
  await Promise.all([worker?.close(), treasury?.close(), node?.ctx.providers.close()])
  await devnet?.stop()
  await database?.drop()
})

const store = (wanted: NewIntent): Promise<Intent> =>
  worker.tx((tx) => insertIntent(ctx, tx, wanted, 0, provers.worker))
async function stored(action: CallsSpec): Promise<string> {
  heard = []
  return (await store(newTestCall('bsc', action))).id
}
const rowOf = async (id: string) => (await readIntents(worker, 'id = $1', [id]))[0]
async function reconcile(id: string): Promise<void> {
  await database.db.query(
    "update intents set next_reconcile_at = now() - interval '1 s' where id = $1 and next_reconcile_at is not null",
    [id],
  )
  expect((await rowOf(id))?.settled || (await dueIntents(worker)).includes(id)).toBe(true)
  await reconcileIntent(ctx, id)
}
const sign = () =>
  signPending({
    db: treasury,
    log: ctx.log,
    environment: 'live',
    proofs,
    signing: async () => ({ chain: { ...node.ctx.chain, maxFee: 10n ** 17n }, builder: node.builder }),
    signers: [testKeys],
    purposes: ctx.purposes,
    signed: () => {},
  })
async function send(id: string): Promise<void> {
  await reconcile(id)
  await sign()
  await reconcile(id)
}
async function mineAndReconcile(id: string): Promise<void> {
  await node.mine()
  await reconcile(id)
}
const balanceOf = async (address: string) =>
  BigInt(
    (await node.call(
      'eth_call',
      {
        to: devnet.usdc,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Hex] }),
      },
      'latest',
    )) as string,
  )

test('a call goes from its row to settled: planned, signed, broadcast, replaced by one with a higher fee, and mined', async () => {
  const id = await stored(approval(node.usdc, 1000n))
  await send(id)
  expect(await rowOf(id)).toMatchObject({
    status: 'broadcast',
    businessId: null,
    purpose: 'test-call',
    settled: false,
  })
  // It waits without a block: the treasury signs a higher fee at the same nonce.
  await reconcile(id)
  await sign()
  await reconcile(id)
  const attempts = await readAttempts(worker, id)
  expect(attempts.map(({ nonce, sends }) => [nonce, sends > 0])).toEqual([
    [0n, true],
    [0n, true],
  ])
  await mineAndReconcile(id)
  expect(await rowOf(id)).toMatchObject({ status: 'confirmed', txId: attempts[1]?.sent?.txId })
  await node.mine(3)
  await reconcile(id)
  const row = await rowOf(id)
  expect(row).toMatchObject({ status: 'confirmed', settled: true, action: approval(node.usdc, 1000n) })
  expect(row?.fee).toBeGreaterThan(0n)
  expect(heard).toEqual(['broadcast to confirmed'])
})

test('a call that moves tokens is sent again after a fork took it back, and its row has what it spends and receives', async () => {
  const id = await stored(moving(node.usdc, 700n, destination))
  await send(id)
  const [before, fork] = [await balanceOf(holder), await node.call('evm_snapshot')]
  await mineAndReconcile(id)
  expect(await rowOf(id)).toMatchObject({ status: 'confirmed', settled: false })
  await node.call('evm_revert', fork)
  await node.call('anvil_dropAllTransactions')
  await reconcile(id)
  expect((await rowOf(id))?.status).toBe('broadcast')
  for (let i = 0; i < 10 && (await rowOf(id))?.status !== 'confirmed'; i++) await mineAndReconcile(id)
  await node.mine(3)
  await reconcile(id)
  expect(await rowOf(id)).toMatchObject({
    status: 'confirmed',
    settled: true,
    action: moving(node.usdc, 700n, destination),
  })
  expect([before - (await balanceOf(holder)), await balanceOf(destination)]).toEqual([700n, 700n])
  expect(heard).toEqual(['broadcast to confirmed', 'confirmed to broadcast', 'broadcast to confirmed'])
})

test('a call that the chain would refuse, cannot carry or cannot pay for fails, and the treasury gets no request', async () => {
  const call = approval(node.usdc, 1000n)
  const reverting = moving(node.usdc, 999n, destination)
  const spends = [{ address: spender, token: null, amount: 10n ** 19n }]
  const cases: [CallsSpec, string, RegExp][] = [
    [reverting, 'simulation_failed', /^The call would fail: /],
    [{ ...call, calls: [...call.calls, ...call.calls] }, 'unsupported_action', /one call/],
    [{ ...call, cosigners: [spender] }, 'unsupported_action', /one signature/],
    [
      { ...call, calls: [{ to: destination, data: '0x00', value: 0n, accounts: [] }] },
      'recipient_not_found',
      /no contract/,
    ],
    [{ ...reverting, spends }, 'insufficient_native_balance', /lacks/],
    [
      { ...call, spends: [{ address: holder, token: node.usdc, amount: 5000n }] },
      'insufficient_balance',
      /lacks .* USDC/,
    ],
  ]
  for (const [action, reason, message] of cases) {
    const id = await stored(action)
    await reconcile(id)
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      reason,
      message: expect.stringMatching(message),
      settled: true,
    })
    expect([heard, await readAttempts(worker, id)]).toEqual([['created to failed'], []])
  }
})

test('what calls before it spend counts: a later call that the rest does not cover fails without a nonce', async () => {
  const left = await balanceOf(holder)
  const spending = (amount: bigint): CallsSpec => ({
    ...approval(node.usdc, 1000n),
    spends: [{ address: holder, token: node.usdc, amount }],
  })
  const first = await stored(spending(left - 10n))
  await reconcile(first)
  const second = await stored(spending(11n))
  await reconcile(second)
  expect(await rowOf(second)).toMatchObject({ status: 'failed', reason: 'insufficient_balance' })
  const third = await stored(spending(10n))
  await reconcile(third)
  expect((await readAttempts(worker, third)).map(({ nonce }) => nonce)).toEqual([2n])
  // The treasury builds the calls of this purpose without such flows.
  await sign()
  expect([(await rowOf(first))?.reason, (await rowOf(third))?.reason]).toEqual(['policy', 'policy'])
})

test('an intent of the platform takes turns with businesses, is never held, and is counted', async () => {
  const businesses = [newId(), newId()]
  for (const id of businesses)
    await database.db.query("insert into businesses (id, name, approval) values ($1, 'one', 'approved')", [
      id,
    ])
  const transfer = intentOf({ from: addressOf(keyOf(6200)), to: destination })
  for (const businessId of businesses)
    for (let i = 0; i < 3; i++) {
      const wanted = {
        businessId,
        purpose: 'transfer',
        chain: 'bsc',
        signer: 'caller',
        walletId: null,
        action: transfer,
        symbol: 'BNB',
        decimals: 18,
      } as const
      await database.db.tx((tx) => insertIntent(ctx, tx, wanted, -1000, null))
    }
  const id = await stored(approval(node.usdc, 1000n))
  const due = await dueIntents(worker)
  expect(due.indexOf(id)).toBeGreaterThanOrEqual(0)
  expect(due.indexOf(id)).toBeLessThan(3)
  expect(await rowOf(id)).toMatchObject({ held: false })
  expect(
    (await countUnsettled(worker)).find(({ status }) => status === 'created')?.count,
  ).toBeGreaterThanOrEqual(7)
})

test("a business's calls of another purpose are not among its transfers", async () => {
  const businessId = newId()
  await database.db.query("insert into businesses (id, name, approval) values ($1, 'one', 'suspended')", [
    businessId,
  ])
  const { id } = await store({ ...newTestCall('bsc', approval(node.usdc, 1000n)), businessId })
  await expect(getTransfer({ db: worker }, businessId, id)).rejects.toMatchObject({ status: 404 })
  const listed = await listTransfers(
    { db: database.db },
    businessId,
    {},
    { page: 1, limit: 10, sort: 'DESC' },
  )
  expect(listed.transfers).toEqual([])
  // Held like a transfer, and not counted as one.
  expect([
    (await rowOf(id))?.held,
    await heldIntents(worker, businessId),
    [...(await countHeld(worker, [businessId]))],
  ]).toEqual([true, [], []])
})

test('an intent of an unknown purpose, of another signer, or without a sound action is not stored', async () => {
  const sound = newTestCall('bsc', approval(node.usdc, 1000n))
  const empty = { ...approval(node.usdc, 1n), calls: [] }
  const refused: [NewIntent, RegExp][] = [
    [{ ...sound, purpose: 'sweep' as never }, /no purpose sweep/],
    [{ ...sound, signer: 'external' }, /no purpose test-call with signer external/],
    [{ ...sound, action: empty }, /needs a call/],
    [{ ...sound, action: { ...approval(node.usdc, 1n), cosigners: [holder] } }, /signs once/],
    [
      {
        ...sound,
        action: { ...approval(node.usdc, 1n), spends: [{ address: holder, token: null, amount: 0n }] },
      },
      /above zero/,
    ],
    [{ ...sound, symbol: 'USDC', decimals: 6 }, /intents_action_check/],
  ]
  for (const [wanted, why] of refused) await expect(store(wanted)).rejects.toThrow(why)
  await expect(database.db.query('update intents set calls = null where calls is not null')).rejects.toThrow(
    'intents_action_check',
  )
})

test('an intent with an address that is not in normal form is not stored', async () => {
  const action = { ...approval(node.usdc, 1n), from: getAddress(holder) }
  const before = await readIntents(worker, 'true', [])
  await expect(store(newTestCall('bsc', action))).rejects.toThrow('normal form of bsc')
  expect(await readIntents(worker, 'true', [])).toHaveLength(before.length)
})
