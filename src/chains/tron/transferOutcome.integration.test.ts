import { describe, expect, test } from '@jest/globals'
import { ask, headHeight } from '../../../test/devnets/tron/harness.ts'
import { tronSuite } from '../../../test/support/tronSuite.ts'
import { openTron } from '../../../test/support/tronTransfers.ts'

const { suite, mine, intentOf, signed, outcomeOf, send, carryOut } = tronSuite()

describe('the outcome of a transaction', () => {
  test('is absent while it is pending, seen in its block, and final once that is solidified', async () => {
    const { transaction } = await send(intentOf())
    expect(await ask(suite.network.url, 'gettransactionbyid', { value: transaction.txId })).toMatchObject({
      ret: [{ contractRet: 'SUCCESS' }],
    })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    const seen = await outcomeOf(transaction)
    expect(seen).toMatchObject({ status: 'included', standing: 'seen' })
    await mine(2)
    expect(await outcomeOf(transaction)).toEqual(seen)
    await mine()
    expect(await outcomeOf(transaction)).toEqual({ ...seen, standing: 'final', tokenMoves: [] })
  })

  test('has the id of its block', async () => {
    const { outcome } = await carryOut(intentOf())
    const block = await ask<{ blockID: string; transactions: { txID: string }[] }>(
      suite.network.url,
      'getblockbynum',
      { num: outcome.blockHeight },
    )
    expect([outcome.blockId, outcome.txId]).toEqual([block.blockID, block.transactions[0]?.txID])
  })

  test('is confirmed at a depth, if the deployment counts confirmations', async () => {
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

  test('is absent again after a reorg, and then included again', async () => {
    const { transaction, outcome } = await carryOut(intentOf())
    await suite.devnet.control('reorg', { depth: 1, keep: true })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    const again = await outcomeOf(transaction)
    expect(again).toMatchObject({ status: 'included', succeeded: true, blockHeight: outcome.blockHeight })
    expect(again.status === 'included' && again.blockId).not.toBe(outcome.blockId)
  })

  test('of several is that of the one in a block', async () => {
    const { transaction } = await carryOut(intentOf())
    const other = await signed()
    const sent = [other, transaction].map(({ txId, expiry }) => ({ txId, expiry, nonce: null }))
    expect(await suite.tron.sender.outcome(suite.payer.hex, sent)).toMatchObject({
      status: 'included',
      txId: transaction.txId,
    })
  })
})

describe('an expired transaction', () => {
  /** A signed transaction, never broadcast; `at` is a chain time in seconds after its expiration. */
  async function expired() {
    const transaction = await signed()
    const expiresAt =
      transaction.expiry && 'time' in transaction.expiry ? transaction.expiry.time.getTime() : 0
    return { transaction, at: (seconds: number) => Math.ceil(expiresAt / 1000) + seconds }
  }

  test('is unminable once blocks well after its expiration are solidified, not before', async () => {
    const { transaction, at } = await expired()
    await suite.devnet.control('mine', { count: 3, time: at(70) })
    expect(await outcomeOf(transaction)).toEqual({ status: 'absent' })
    await mine()
    expect(await outcomeOf(transaction)).toEqual({
      status: 'unminable',
      reason: 'expired',
      standing: 'final',
    })
    expect((await suite.tron.sender.broadcast(transaction)).status).toBe('expired')
  })

  test('is not unminable while another one of the same transfer may still be mined', async () => {
    const first = await expired()
    await suite.devnet.control('mine', { count: 4, time: first.at(70) })
    const second = await signed()
    const sent = [first.transaction, second].map(({ txId, expiry }) => ({ txId, expiry, nonce: null }))
    expect(await suite.tron.sender.outcome(suite.payer.hex, sent)).toEqual({ status: 'absent' })
    expect(await suite.tron.sender.outcome(suite.payer.hex, [])).toEqual({ status: 'absent' })
  })

  test.each([
    ['is behind', () => ({ lagBlocks: 10 })],
    ['pruned the time before', (head: number) => ({ pruneBelow: head - 4 })],
  ])('is not unminable while one provider %s', async (_what, flags) => {
    const { transaction, at } = await expired()
    await suite.devnet.control('mine', { count: 4, time: at(70) })
    await suite.devnet.control('misbehave', { face: 'other', clear: true })
    const both = await openTron(suite.devnet, [suite.devnet.rpcUrl, suite.devnet.faceUrl('other')])
    try {
      expect(await outcomeOf(transaction, both)).toMatchObject({ status: 'unminable' })
      await suite.devnet.control('misbehave', {
        face: 'other',
        ...flags(await headHeight(suite.network.url)),
      })
      expect(await outcomeOf(transaction, both)).toEqual({ status: 'absent' })
    } finally {
      await both.close()
    }
  })

  test('that one provider hides is only seen in its block by another provider', async () => {
    const { transaction } = await carryOut(intentOf())
    const expiresAt =
      transaction.expiry && 'time' in transaction.expiry ? transaction.expiry.time.getTime() : 0
    await suite.devnet.control('mine', { count: 4, time: Math.ceil(expiresAt / 1000) + 70 })
    await suite.devnet.control('misbehave', { face: 'hides', omit: [transaction.txId] })
    const both = await openTron(suite.devnet, [suite.devnet.faceUrl('hides'), suite.devnet.rpcUrl])
    try {
      expect(await outcomeOf(transaction, both)).toMatchObject({ status: 'included', standing: 'seen' })
    } finally {
      await both.close()
    }
  })
})
