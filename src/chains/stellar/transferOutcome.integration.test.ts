import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, openJsonRpc } from '../providers/jsonRpc.ts'
import { outcomeAt } from './transferOutcome.ts'

let stellar: StellarSending
beforeAll(async () => {
  stellar = await openStellarSending()
})
afterAll(() => stellar?.close())
afterEach(() => Promise.all(['first', 'second'].map((face) => stellar.misbehave(face, {}))))

const absent = { status: 'absent' }
const unminable = (reason: string) => ({ status: 'unminable', reason, standing: 'final' })
const endOf = ({ sent }: Made) =>
  sent.expiry && 'time' in sent.expiry ? sent.expiry.time.getTime() / 1000 : 0
type Made = Awaited<ReturnType<StellarSending['prepared']>>

/** A sender with signed transfers of lumens, not sent, all with the same sequence. */
async function setUp(count = 1) {
  const [from, to] = [await stellar.holder(), await stellar.holder()]
  const made: Made[] = []
  for (let each = 0; each < count; each++)
    made.push(await stellar.prepared(from, stellar.intentOf(from, to.publicKey(), one + BigInt(each))))
  const [first, second] = made
  if (!first) throw new Error('no transaction was made')
  return { from, to, first, second: second ?? first }
}

describe('a transaction', () => {
  test('that failed in its ledger has its reason and its cost', async () => {
    const [from, to] = [
      await stellar.holder({ ...stellar.usdc, amount: '5' }),
      await stellar.holder(stellar.usdc),
    ]
    const { signed, sent } = await stellar.prepared(
      from,
      stellar.intentOf(from, to.publicKey(), one, { token: stellar.usdc }),
    )
    await stellar.does(
      to,
      Operation.changeTrust({ asset: stellar.assetOf(stellar.usdc.contract), limit: '0' }),
    )
    await stellar.broadcast(signed)
    const { height, ids } = await stellar.mine()
    expect(await stellar.outcome(from, sent)).toEqual({
      status: 'included',
      txId: signed.txId,
      succeeded: false,
      reason: 'op_no_trust',
      blockHeight: height,
      blockId: ids[0],
      standing: 'final',
      fee: 100n,
      gasUsed: null,
    })
  })

  test('that opens an account which exists by then failed, with the chain’s own code', async () => {
    const [from, newAccount] = [await stellar.holder(), Keypair.random()]
    const { signed, sent } = await stellar.prepared(from, stellar.intentOf(from, newAccount.publicKey(), one))
    await stellar.does(
      stellar.faucet,
      Operation.createAccount({ destination: newAccount.publicKey(), startingBalance: '5' }),
    )
    await stellar.broadcast(signed)
    await stellar.mine()
    expect(await stellar.outcome(from, sent)).toMatchObject({ succeeded: false, reason: 'op_already_exists' })
  })

  test('in another sender’s fee bump succeeded; its fee is unknown', async () => {
    const { from, first } = await setUp()
    const inner = TransactionBuilder.fromXDR(
      Buffer.from(first.signed.bytes).toString('base64'),
      stellar.chain.network,
    )
    if ('innerTransaction' in inner) throw new Error('it is one already')
    const bump = TransactionBuilder.buildFeeBumpTransaction(
      stellar.faucet,
      '200',
      inner,
      stellar.chain.network,
    )
    bump.sign(stellar.faucet)
    await stellar.network.rpc.sendTransaction(bump)
    await stellar.mine()
    expect(await stellar.outcome(from, first.sent)).toMatchObject({
      status: 'included',
      txId: first.signed.txId,
      succeeded: true,
      fee: null,
    })
    expect(await stellar.broadcast(first.signed)).toMatchObject({ status: 'accepted' })
  })

  test('that was not sent is absent until it expires, and unminable then', async () => {
    const { from, first } = await setUp()
    await stellar.mine(endOf(first))
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.mine(endOf(first) + 1)
    expect(await stellar.outcome(from, first.sent)).toEqual(unminable('expired'))
    expect(await stellar.broadcast(first.signed)).toMatchObject({ status: 'expired' })
  })

  test('whose sequence was used by another transaction is unminable', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    expect(await stellar.outcome(from, second.sent)).toEqual(absent)
    await stellar.mine()
    expect(await stellar.outcome(from, second.sent)).toEqual(unminable('sequence_used'))
    // Two attempts of one transfer: one of them is in a ledger.
    expect(await stellar.outcome(from, second.sent, first.sent)).toMatchObject({
      status: 'included',
      txId: first.signed.txId,
    })
  })

  test('whose sequence was used is reported as such after its expiry too: the other one may be the same payment', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(second) + 1)
    expect(await stellar.outcome(from, second.sent)).toEqual(unminable('sequence_used'))
  })

  test('without an expiry or a sequence, and a transfer without any transaction, are never unminable', async () => {
    const { from, first } = await setUp()
    await stellar.does(from, Operation.bumpSequence({ bumpTo: (first.sent.nonce + 5n).toString() }))
    expect(await stellar.outcome(from, { ...first.sent, expiry: null })).toEqual(absent)
    expect(await stellar.outcome(from, { ...first.sent, nonce: null })).toEqual(absent)
    expect(await stellar.outcome(from)).toEqual(absent)
    expect(await stellar.outcome(from, first.sent)).toEqual(unminable('sequence_used'))
  })
})

describe('a provider that', () => {
  test('is behind does not hide a transaction that another one knows', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('first', { lagBlocks: 1 })
    // The second provider may answer too late once.
    const reported = await waitFor(
      'the outcome',
      async () => (await stellar.outcome(from, first.sent)).status === 'included',
    )
    expect(reported).toBe(true)
  })

  test('is behind delays the result that a transaction is unminable', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('first', { lagBlocks: 1 })
    expect(await stellar.outcome(from, second.sent)).toEqual(absent)
    await stellar.mine()
    expect(await stellar.outcome(from, second.sent)).toEqual(unminable('sequence_used'))
  })

  test('is two nodes by one name, the transaction’s node behind the account’s, makes nothing unminable', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('second', { lagBlocks: 1 })
    const rpcOf = (face: string) =>
      openJsonRpc(stellar.network.devnet.faceUrls(face).rpcUrl, 5000, (_method, request) => request())
    const [ahead, behind] = [rpcOf('first'), rpcOf('second')]
    const asked: string[] = []
    const both: JsonRpc = {
      ...ahead,
      call(method, params) {
        asked.push(method)
        return (method === 'getTransaction' ? behind : ahead).call(method, params)
      },
    }
    // Its own transaction has used the sequence: as unminable, the transfer would be signed again, and paid
    // twice.
    expect((await outcomeAt(both, from.publicKey(), [first.sent])).outcome).toEqual(absent)
    expect(asked).toEqual(['getLedgerEntries', 'getTransaction'])
    await stellar.misbehave('second', {})
    expect((await outcomeAt(both, from.publicKey(), [first.sent])).outcome).toMatchObject({
      status: 'included',
      txId: first.signed.txId,
    })
    await Promise.all([ahead.close(), behind.close()])
  })

  test('has pruned the ledgers that may include a transaction does not make it unminable', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    const { height } = await stellar.mine(endOf(first) + 1)
    for (const face of ['first', 'second']) await stellar.misbehave(face, { pruneBelow: height })
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.misbehave('second', {})
    // As above, it may answer too late once.
    await waitFor('the outcome', async () => (await stellar.outcome(from, first.sent)).status === 'included')
  })

  test('omits a transaction is not trusted if another one has it', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(first) + 1)
    await stellar.misbehave('first', { omit: [first.signed.txId] })
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included', standing: 'seen' })
  })

  test('is slow is waited for before a transaction is unminable', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(first) + 1)
    await stellar.misbehave('first', { omit: [first.signed.txId] })
    // Longer than the grace period after the first answer.
    await stellar.misbehave('second', { slowMs: 300 })
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included', standing: 'seen' })
  })

  test('is down is left out; without any provider the call fails', async () => {
    const { from, first } = await setUp()
    await stellar.misbehave('first', { down: true })
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.misbehave('second', { down: true })
    await expect(stellar.outcome(from, first.sent)).rejects.toThrow(ProviderError)
  })
})
