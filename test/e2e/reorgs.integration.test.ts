import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { balanceOf } from '../../src/ledger/balance.ts'
import { rpc } from '../devnets/evm.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['cowry'], confirmations: 1 })
})
afterAll(() => stack?.close())

const unit = 1_000_000n
const balance = (name: 'available' | 'pending') =>
  balanceOf(stack.db, { name, businessId: stack.businessId, asset: 'ethereum:USDC' })

/** Replaces the newest blocks; without `transactions` the new ones are empty. */
async function reorg(depth: number, transactions: [Hex, number][] = []): Promise<void> {
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [depth, transactions])
}

async function credits(session: SessionBody): Promise<{ credited: number; reverted: number }> {
  const [row] = await stack.db.query<{ credited: number; reverted: number }>(
    `select (count(*) filter (where e.kind = 'deposit.credited'))::int as credited, (count(*) filter (where e.kind = 'deposit.reverted'))::int as reverted
     from ledger_entries e join detections d on d.id::text = e.reference where d.subject_id = $1`,
    [session.id],
  )
  return row ?? { credited: 0, reverted: 0 }
}

describe.each([1, 2, 5])('a reorg of %i blocks', (depth) => {
  test('that drops a credited payment reverts it: session, ledger, webhook', async () => {
    const before = await balance('available')
    const session = await stack.createSession({ amount: '10' })
    await stack.mine()
    await stack.send(session.address, 10n * unit)
    await stack.mine(depth)
    await stack.sessionIs(session.id, 'paid')
    expect(await balance('available')).toBe(before + 10n * unit)

    await reorg(depth)
    const back = await stack.sessionIs(session.id, 'pending')
    expect(back).toMatchObject({ amountReceived: '0', paidAt: null, payments: [{ status: 'reverted' }] })
    expect(await balance('available')).toBe(before)
    expect(await balance('pending')).toBe(0n)
    expect(await credits(session)).toEqual({ credited: 1, reverted: 1 })
    await waitFor('the webhooks', async () => stack.receiver.types(session.id).includes('session.reversed'))
    // Several are under way at once, and may arrive in any order.
    await stack.idle()
    expect(stack.receiver.types(session.id)).toEqual([
      'transaction.detected',
      'session.detected',
      'transaction.confirmed',
      'session.paid',
      'transaction.reverted',
      'session.reversed',
    ])

    // The customer pays again, and that counts.
    await stack.send(session.address, 10n * unit)
    await stack.mine(2)
    await stack.sessionIs(session.id, 'paid')
    expect(await balance('available')).toBe(before + 10n * unit)
  })

  test('that moves a payment to another block pays once', async () => {
    const before = await balance('available')
    const session = await stack.createSession({ amount: '10' })
    await stack.mine()
    const raw = await signedTransfer(session.address, 10n * unit)
    const txId = (await rpc(stack.devnet.rpcUrl, 'eth_sendRawTransaction', [raw])) as Hex
    await stack.mine(depth)
    await stack.sessionIs(session.id, 'paid')

    // Into the last block of the new branch; before it was in the first of the old one (the same block at
    // depth 1).
    await reorg(depth, [[raw, depth - 1]])
    await stack.mine()
    await stack.caughtUp()
    await stack.idle()
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid.amountReceived).toBe('10')
    const counted = paid.payments.filter((payment) => payment.status === 'confirmed')
    expect(counted).toMatchObject([{ txId, amount: '10' }])
    expect(await balance('available')).toBe(before + 10n * unit)
    const { credited, reverted } = await credits(session)
    expect(credited - reverted).toBe(1)
  })
})

test('a fork that takes away one of two payments moves the other back to pending, and to available again: an entry a move, in one generation', async () => {
  const before = await balance('available')
  const session = await stack.createSession({ amount: '10' })
  await stack.mine()
  await stack.send(session.address, 6n * unit)
  await stack.mine(3)
  await waitFor('the first payment', async () => (await balance('pending')) === 6n * unit)
  await stack.send(session.address, 4n * unit)
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  expect(await balance('available')).toBe(before + 10n * unit)

  // Only the blocks from the second payment on.
  await reorg(3)
  await stack.sessionIs(session.id, 'pending', 'underpaid')
  expect([await balance('pending'), await balance('available')]).toEqual([6n * unit, before])

  await stack.send(session.address, 4n * unit)
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  expect([await balance('pending'), await balance('available')]).toEqual([0n, before + 10n * unit])

  const moves = await stack.db.query<{
    amount: string
    generation: number
    entries: number
    moves: string[]
  }>(
    `select t.amount::text, d.generation, p.entries, array_agg(e.step || ' ' || e.kind order by e.step) as moves
     from detections d join transfers t on t.id = d.transfer_id join session_payments p on p.detection_id = d.id
     join ledger_entries e on e.reference = d.id::text and e.cause_kind = 'session_payment'
     where d.subject_id = $1 group by t.block_height, t.id, d.id, p.detection_id order by t.block_height, t.amount desc`,
    [session.id],
  )
  expect(moves[0]).toEqual({
    amount: '6000000',
    generation: 1,
    entries: 4,
    moves: ['1 deposit.pending', '2 deposit.credited', '3 deposit.pending', '4 deposit.credited'],
  })
  expect(moves.slice(1).map((each) => each.moves)).toEqual(
    expect.arrayContaining([['1 deposit.credited', '2 deposit.reverted'], ['1 deposit.credited']]),
  )
})

test('a reversal after the deadline leaves the session expired, not pending', async () => {
  const session = await stack.createSession({ amount: '10', expirySeconds: 600 })
  await stack.send(session.address, 10n * unit)
  await stack.mine()
  await stack.mineAt(new Date(Date.parse(session.expiresAt) + 60_000))
  await stack.mine()
  await stack.sessionIs(session.id, 'paid')
  await reorg(3)
  await waitFor('the reversal', async () => (await stack.session(session.id)).status !== 'paid')
  await stack.mineAt(new Date(Date.parse(session.expiresAt) + 120_000))
  await stack.sessionIs(session.id, 'expired')
})

/** A signed but unsent transfer of the faucet's, so that it can be placed in any block. */
async function signedTransfer(to: Address, amount: bigint): Promise<Hex> {
  const { privateKeyToAccount } = await import('viem/accounts')
  const { encodeFunctionData, parseAbi } = await import('viem')
  const account = privateKeyToAccount(stack.devnet.faucetPrivateKey)
  const nonce = Number(
    await rpc(stack.devnet.rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']),
  )
  return account.signTransaction({
    chainId: 31337,
    type: 'eip1559',
    nonce,
    to: stack.devnet.usdc,
    data: encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 value)']),
      functionName: 'transfer',
      args: [to, amount],
    }),
    gas: 120_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
}
