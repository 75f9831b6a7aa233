import { describe, expect, test } from '@jest/globals'
import { ask, headHeight } from '../../../test/devnets/tron/harness.ts'
import { tronSuite } from '../../../test/support/tronSuite.ts'
import { openTron } from '../../../test/support/tronTransfers.ts'

const { suite, mine, intentOf, signed, outcomeOf, send, carryOut } = tronSuite()

describe('what became of a transaction', () => {
  test('is absent while it waits, seen in its block, and final when that is solidified', async () => {
    const { transaction } = await send(intentOf())
    expect(await ask(suite.network.url, 'gettransactionbyid', { value: transaction.txId })).toMatchObject({ ret: [{ contractRet: 'SUCCESS' }] })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    const seen = await outcomeOf(transaction)
    expect(seen).toMatchObject({ status: 'included', standing: 'seen' })
    await mine(2)
    expect(await outcomeOf(transaction)).toEqual(seen)
    await mine()
    expect(await outcomeOf(transaction)).toEqual({ ...seen, standing: 'final' })
  })

  test('is told with the id of its block', async () => {
    const { outcome } = await carryOut(intentOf())
    const block = await ask<{ blockID: string; transactions: { txID: string }[] }>(suite.network.url, 'getblockbynum', { num: outcome.blockHeight })
    expect([outcome.blockId, outcome.txId]).toEqual([block.blockID, block.transactions[0]?.txID])
  })

  test('is confirmed at a depth, where the deployment counts that', async () => {
    const { transaction } = await carryOut(intentOf())
    const counting = await openTron(suite.devnet, undefined, { TRON_CONFIRMATIONS: '2' })
    try {
      expect(await outcomeOf(transaction, counting)).toMatchObject({ standing: 'seen' })
      await mine()
      expect(await outcomeOf(transaction, counting)).toMatchObject({ standing: 'confirmed' })
    } finally {
      await counting.close()
    }
  })

  test('is absent again after a fork, and included once more after it', async () => {
    const { transaction, outcome } = await carryOut(intentOf())
    await suite.devnet.control('reorg', { depth: 1, keep: true })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    const again = await outcomeOf(transaction)
    expect(again).toMatchObject({ status: 'included', succeeded: true, blockHeight: outcome.blockHeight })
    expect(again.status === 'included' && again.blockId).not.toBe(outcome.blockId)
  })

  test('of several is that of the one that is in a block', async () => {
    const { transaction } = await carryOut(intentOf())
    const other = await signed()
    const sent = [other, transaction].map(({ txId, expiry }) => ({ txId, expiry, sequence: null }))
    expect(await suite.tron.sender.outcome(suite.payer.hex, sent)).toMatchObject({ status: 'included', txId: transaction.txId })
  })
})

describe('a transaction whose time is over', () => {
  /** Signed, told to nobody; and the chain's time behind its end, by whole seconds. */
  async function expired() {
    const transaction = await signed()
    const ends = transaction.expiry && 'time' in transaction.expiry ? transaction.expiry.time.getTime() : 0
    return { transaction, at: (seconds: number) => Math.ceil(ends / 1000) + seconds }
  }

  test('is gone when blocks well after its end are solidified, and not before', async () => {
    const { transaction, at } = await expired()
    await suite.devnet.control('mine', { count: 3, time: at(70) })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    expect(await outcomeOf(transaction)).toEqual({ status: 'gone', reason: 'expired', standing: 'final' })
    expect((await suite.tron.sender.broadcast(transaction)).status).toBe('expired')
  })

  test('is not gone while another one of the same transfer may still come', async () => {
    const first = await expired()
    await suite.devnet.control('mine', { count: 4, time: first.at(70) })
    const second = await signed()
    const sent = [first.transaction, second].map(({ txId, expiry }) => ({ txId, expiry, sequence: null }))
    expect(await suite.tron.sender.outcome(suite.payer.hex, sent)).toEqual({ status: 'absent' })
    expect(await suite.tron.sender.outcome(suite.payer.hex, [])).toEqual({ status: 'absent' })
  })

  test.each([
    ['is behind', () => ({ lagBlocks: 10 })],
    ['forgot the time before', (head: number) => ({ pruneBelow: head - 4 })],
  ])('is not gone while one provider %s', async (_what, flags) => {
    const { transaction, at } = await expired()
    await suite.devnet.control('mine', { count: 4, time: at(70) })
    await suite.devnet.control('misbehave', { face: 'other', clear: true })
    const both = await openTron(suite.devnet, [suite.devnet.rpcUrl, suite.devnet.faceUrl('other')])
    try {
      expect(await outcomeOf(transaction, both)).toMatchObject({ status: 'gone' })
      await suite.devnet.control('misbehave', { face: 'other', ...flags(await headHeight(suite.network.url)) })
      expect(await outcomeOf(transaction, both)).toEqual({ status: 'absent' })
    } finally {
      await both.close()
    }
  })

  test('and which one provider hides is in a block, as another one says, and not yet for sure', async () => {
    const { transaction } = await carryOut(intentOf())
    const ends = transaction.expiry && 'time' in transaction.expiry ? transaction.expiry.time.getTime() : 0
    await suite.devnet.control('mine', { count: 4, time: Math.ceil(ends / 1000) + 70 })
    await suite.devnet.control('misbehave', { face: 'hides', omit: [transaction.txId] })
    const both = await openTron(suite.devnet, [suite.devnet.faceUrl('hides'), suite.devnet.rpcUrl])
    try {
      expect(await outcomeOf(transaction, both)).toMatchObject({ status: 'included', standing: 'seen' })
    } finally {
      await both.close()
    }
  })
})
