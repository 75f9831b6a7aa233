import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Keypair } from '@solana/web3.js'
import {
  finalAfter,
  newAddress,
  type SolanaSending,
  sent,
  signed,
  sol,
  startSolanaSending,
  token,
} from '../../../../test/support/solanaSending.ts'
import { waitFor } from '../../../../test/support/waitFor.ts'
import { ProviderError } from '../../chain.ts'
import type { SignedTransaction } from '../../sending.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { transferOutcome } from './transferOutcome.ts'
import { solanaTransferSender } from './transferSender.ts'

let chain: SolanaSending
let from: Keypair
beforeAll(async () => {
  chain = await startSolanaSending()
  from = await chain.wallet(1_000_000_000n)
})
afterAll(() => chain.close())

const outcome = (transaction: SignedTransaction, ctx: SolanaSenderContext = chain.ctx) =>
  transferOutcome(ctx, [sent(transaction)])
/** The outcome that the slower of several nodes knows: it may answer too late once. */
const known = (transaction: SignedTransaction, ctx: SolanaSenderContext) =>
  waitFor('the outcome', async () => {
    const answer = await outcome(transaction, ctx)
    return answer.status === 'absent' ? null : answer
  })
const make = async (amount = 1_000_000n) =>
  (await signed(chain.sender, from, sol(from, newAddress(), amount))).transaction
const misbehave = (face: string, flags: object) =>
  chain.devnet.control('misbehave', { face, clear: true, ...flags })

/** Mines until the block at this height is final. */
async function mineUntilFinal(blockHeight: bigint): Promise<void> {
  const head = await chain.connection.getBlockHeight('confirmed')
  const missing = Number(blockHeight) + finalAfter - head
  if (missing > 0) await chain.mine(missing)
}
const endOf = ({ expiry }: SignedTransaction): bigint =>
  expiry && 'blockHeight' in expiry ? expiry.blockHeight : 0n

describe('a sent transfer', () => {
  test('is absent, then seen in a block, then final at enough depth', async () => {
    const transaction = await make()
    expect(await outcome(transaction)).toEqual({ status: 'absent' })
    await chain.sender.broadcast(transaction)
    // In the open slot, not in a block yet.
    expect(await outcome(transaction)).toEqual({ status: 'absent' })
    await chain.mine()
    const slot = await chain.connection.getSlot('confirmed')
    const { blockhash } = await chain.connection
      .getBlock(slot, { maxSupportedTransactionVersion: 0 })
      .then((block) => block ?? { blockhash: '' })
    const seen = {
      status: 'included',
      txId: transaction.txId,
      succeeded: true,
      reason: null,
      blockHeight: slot,
      blockId: blockhash,
      gasUsed: null,
    }
    expect(await outcome(transaction)).toMatchObject({ ...seen, standing: 'seen' })
    await chain.mine(finalAfter - 1)
    expect(await outcome(transaction)).toMatchObject({ ...seen, standing: 'seen' })
    await chain.mine()
    expect(await outcome(transaction)).toMatchObject({ ...seen, standing: 'final' })
  })

  test('is confirmed at a depth, if the chain counts confirmations', async () => {
    const ctx = { ...chain.ctx, chain: { ...chain.ctx.chain, byFinalizedTag: false, confirmations: 3 } }
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    const standings: string[] = []
    for (let block = 0; block <= finalAfter; block++) {
      await chain.mine()
      const now = await outcome(transaction, ctx)
      standings.push(now.status === 'included' ? now.standing : now.status)
    }
    expect(standings).toEqual(['seen', 'confirmed', 'confirmed', 'confirmed', 'final'])
  })

  test('that fails in its block has its reason and its fee', async () => {
    const poor = await chain.wallet(10_000_000n)
    const { transaction: first } = await signed(chain.sender, poor, sol(poor, newAddress(), 8_000_000n))
    const { transaction: second, plan } = await signed(
      chain.sender,
      poor,
      sol(poor, newAddress(), 8_000_001n),
    )
    await chain.sender.broadcast(first)
    await chain.connection.sendRawTransaction(second.bytes, { skipPreflight: true })
    await chain.mine(1 + finalAfter)
    expect(await outcome(second)).toMatchObject({
      status: 'included',
      succeeded: false,
      reason: 'instruction 3: custom program error 0x1',
      standing: 'final',
      fee: plan.fee.expected,
    })
  })

  test('is absent again after a reorg removes its block, and may be sent again', async () => {
    await chain.mine(3)
    const transaction = await make()
    // The fork must contain the blockhash, too.
    await chain.mine()
    await chain.sender.broadcast(transaction)
    await chain.mine()
    expect(await outcome(transaction)).toMatchObject({ status: 'included', standing: 'seen' })
    await chain.devnet.control('reorg', { depth: 1 })
    expect(await outcome(transaction)).toEqual({ status: 'absent' })
    expect(await chain.sender.broadcast(transaction)).toMatchObject({ status: 'accepted' })
    await chain.mine(1 + finalAfter)
    expect(await outcome(transaction)).toMatchObject({ status: 'included', standing: 'final' })
  })

  test('is found by one node if others do not know it, and is final once two report it', async () => {
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    await chain.mine(1 + finalAfter)
    await misbehave('unaware', { lagBlocks: 3 + finalAfter })
    await misbehave('behind', { lagBlocks: 2 })
    expect(await outcome(transaction, chain.through('unaware'))).toEqual({ status: 'absent' })
    expect(await outcome(transaction, chain.through('unaware', 'behind'))).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(await outcome(transaction, chain.through('unaware', 'behind', 'fresh'))).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(await outcome(transaction, chain.through('unaware', 'behind', 'fresh', 'other'))).toMatchObject({
      status: 'included',
      standing: 'final',
    })
  })

  test('gets its block from another node if the one that knows it lacks the block', async () => {
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    await chain.mine()
    await misbehave('forgetful', { hide: [await chain.connection.getSlot('confirmed')] })
    await expect(outcome(transaction, chain.through('forgetful'))).rejects.toThrow(ProviderError)
    expect(await outcome(transaction, chain.through('forgetful', 'fresh'))).toMatchObject({
      status: 'included',
      succeeded: true,
    })
  })

  test('moved the tokens that two nodes report, not what one of them omits', async () => {
    const mint = chain.devnet.usdc
    const holder = await chain.wallet(1_000_000_000n)
    await chain.make(chain.tokens(holder.publicKey, mint, 1_000n))
    const to = newAddress()
    const { transaction } = await signed(chain.sender, holder, token(holder, to, 400n, mint))
    await chain.sender.broadcast(transaction)
    await chain.mine(1 + finalAfter)
    const whole = [{ contract: mint, to, amount: 400n }]
    const meta = {
      fee: 5000,
      preBalances: [9],
      postBalances: [4],
      preTokenBalances: [],
      postTokenBalances: [],
    }
    const emptied = { getTransaction: { meta } }
    const short = {
      meta: { ...meta, preTokenBalances: [{ owner: 'a', mint, uiTokenAmount: { amount: '1' } }] },
    }
    const shortened = { getTransaction: short }
    expect(await known(transaction, chain.through('fresh', 'other'))).toMatchObject({
      standing: 'final',
      tokenMoves: whole,
    })
    expect(await known(transaction, chain.withLiar(emptied, 'alone'))).toMatchObject({ tokenMoves: null })
    for (const place of ['first', 'last'] as const) {
      expect(await known(transaction, chain.withLiar(emptied, place))).toMatchObject({
        standing: 'final',
        tokenMoves: null,
      })
      expect(await known(transaction, chain.withLiar(shortened, place))).toMatchObject({
        standing: 'seen',
        tokenMoves: null,
      })
    }
  })

  test('is not final by a node that has no receipt of it yet', async () => {
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    await chain.mine(1 + finalAfter)
    expect(await known(transaction, chain.withLiar({ getTransaction: null }, 'first'))).toMatchObject({
      standing: 'confirmed',
    })
  })

  test('with two transactions is reported with the id of the included one', async () => {
    const [first, second] = [await make(1_000_001n), await make(1_000_002n)]
    await chain.sender.broadcast(second)
    await chain.mine()
    expect(await transferOutcome(chain.ctx, [sent(first), sent(second)])).toMatchObject({
      status: 'included',
      txId: second.txId,
    })
  })
})

describe('a transfer that no node has', () => {
  test('is unminable once a final block is above its last height, not before', async () => {
    const transaction = await make()
    await mineUntilFinal(endOf(transaction))
    expect(await outcome(transaction)).toEqual({ status: 'absent' })
    await chain.mine()
    expect(await outcome(transaction)).toEqual({ status: 'unminable', reason: 'expired', standing: 'final' })
    expect(await chain.sender.broadcast(transaction)).toMatchObject({ status: 'expired' })
    await chain.mine()
    expect(await outcome(transaction)).toMatchObject({ status: 'unminable' })
  })

  test('with two transactions is unminable only once both expired', async () => {
    const first = await make()
    await chain.mine(20)
    const second = await make()
    await mineUntilFinal(endOf(first) + 1n)
    expect(await transferOutcome(chain.ctx, [sent(first)])).toMatchObject({ status: 'unminable' })
    expect(await transferOutcome(chain.ctx, [sent(first), sent(second)])).toEqual({ status: 'absent' })
    await mineUntilFinal(endOf(second) + 1n)
    expect(await transferOutcome(chain.ctx, [sent(first), sent(second)])).toMatchObject({
      status: 'unminable',
    })
  })

  test('is not unminable while a node that answers is behind or has pruned the blocks', async () => {
    const transaction = await make()
    await mineUntilFinal(endOf(transaction) + 1n)
    await misbehave('behind', { lagBlocks: 5 })
    await misbehave('pruned', { pruneBelow: await chain.connection.getSlot('finalized') })
    for (const face of ['behind', 'pruned']) {
      expect(await outcome(transaction, chain.through(face))).toEqual({ status: 'absent' })
      expect(await outcome(transaction, chain.through('fresh', face))).toEqual({ status: 'absent' })
    }
    expect(await outcome(transaction, chain.through('fresh'))).toMatchObject({ status: 'unminable' })
  })

  test('is not unminable if two nodes answer under one name, and the one with the statuses is behind', async () => {
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    await mineUntilFinal(endOf(transaction) + 1n)
    const final = await chain.connection.getSlot('finalized')
    const unaware = (slot: number) =>
      chain.answering({ getSignatureStatuses: { context: { slot }, value: [null] } })
    expect(await outcome(transaction, unaware(final - 1))).toEqual({ status: 'absent' })
    expect(await outcome(transaction, unaware(final))).toMatchObject({ status: 'unminable' })
    expect(await outcome(transaction)).toMatchObject({ status: 'included', standing: 'final' })
  })

  test('is unminable if two nodes have the relevant blocks, although another is down', async () => {
    await chain.mine(400)
    const transaction = await make()
    await mineUntilFinal(endOf(transaction) + 1n)
    await misbehave('pruned', { pruneBelow: 50 })
    await misbehave('down', { down: true })
    expect(await outcome(transaction, chain.through('pruned', 'down'))).toEqual({ status: 'absent' })
    expect(await known(transaction, chain.through('pruned', 'down', 'fresh'))).toMatchObject({
      status: 'unminable',
    })
    await expect(outcome(transaction, chain.through('down'))).rejects.toThrow(ProviderError)
  })

  test('is not unminable by nodes with a hole in the blocks that could hold it', async () => {
    await chain.mine(320)
    const before = await chain.connection.getSlot('confirmed')
    const paid = await make()
    await chain.sender.broadcast(paid)
    await chain.mine(2)
    const [paidIn = 0] = await chain.connection.getBlocks(before + 1)
    await mineUntilFinal(endOf(paid) + 10n)
    const [early = 0] = await chain.connection.getBlocks(before - 100)
    const [late = 0] = (await chain.connection.getBlocks(before)).slice(140)
    for (const hole of [paidIn, early, late]) {
      await misbehave('hole', { lost: [hole, paidIn] })
      await misbehave('another', { lost: [hole, paidIn] })
      expect([hole, await outcome(paid, chain.through('hole', 'another'))]).toEqual([
        hole,
        { status: 'absent' },
      ])
    }
    // A hole in other blocks does not matter: an unsent transfer is unminable.
    const unsent = await make()
    await mineUntilFinal(endOf(unsent) + 10n)
    for (const face of ['hole', 'another'])
      await misbehave(face, { lost: [before - 250, (await chain.connection.getSlot('finalized')) - 1] })
    expect(await outcome(unsent, chain.through('hole', 'another'))).toMatchObject({ status: 'unminable' })
  })

  test('is not unminable by a node that pruned it: another node still knows it', async () => {
    const transaction = await make()
    await chain.sender.broadcast(transaction)
    await mineUntilFinal(endOf(transaction) + 1n)
    await misbehave('pruned', { pruneBelow: await chain.connection.getSlot('finalized') })
    expect(await outcome(transaction, chain.through('pruned'))).toEqual({ status: 'absent' })
    expect(await known(transaction, chain.through('pruned', 'fresh'))).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(await known(transaction, chain.through('pruned', 'fresh', 'other'))).toMatchObject({
      status: 'included',
      standing: 'final',
    })
  })
})

test('a sender works with one node down and another up', async () => {
  await misbehave('down', { down: true })
  const sender = solanaTransferSender(chain.through('down', 'fresh'))
  const { transaction } = await signed(sender, from, sol(from, newAddress(), 1_000_000n))
  expect(await sender.broadcast(transaction)).toMatchObject({ status: 'accepted' })
  await chain.mine()
  expect(await sender.outcome(from.publicKey.toBase58(), [sent(transaction)])).toMatchObject({
    status: 'included',
  })
})
