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
const gone = (reason: string) => ({ status: 'gone', reason, standing: 'final' })
const endOf = ({ sent }: Made) => (sent.expiry && 'time' in sent.expiry ? sent.expiry.time.getTime() / 1000 : 0)
type Made = Awaited<ReturnType<StellarSending['prepared']>>

/** A sender with transfers of lumens that are signed and not sent; all of the same sequence. */
async function setUp(count = 1) {
  const [from, to] = [await stellar.holder(), await stellar.holder()]
  const made: Made[] = []
  for (let each = 0; each < count; each++) made.push(await stellar.prepared(from, stellar.intentOf(from, to.publicKey(), one + BigInt(each))))
  const [first, second] = made
  if (!first) throw new Error('none was made')
  return { from, to, first, second: second ?? first }
}

describe('a transaction', () => {
  test('that failed in its ledger is told with why, and with what it cost', async () => {
    const [from, to] = [await stellar.holder({ ...stellar.usdc, amount: '5' }), await stellar.holder(stellar.usdc)]
    const { signed, sent } = await stellar.prepared(from, stellar.intentOf(from, to.publicKey(), one, { token: stellar.usdc }))
    await stellar.does(to, Operation.changeTrust({ asset: stellar.assetOf(stellar.usdc.contract), limit: '0' }))
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

  test('that opens an account which another has opened failed, in the words of the chain', async () => {
    const [from, nobody] = [await stellar.holder(), Keypair.random()]
    const { signed, sent } = await stellar.prepared(from, stellar.intentOf(from, nobody.publicKey(), one))
    await stellar.does(stellar.faucet, Operation.createAccount({ destination: nobody.publicKey(), startingBalance: '5' }))
    await stellar.broadcast(signed)
    await stellar.mine()
    expect(await stellar.outcome(from, sent)).toMatchObject({ succeeded: false, reason: 'op_already_exists' })
  })

  test('that was put into a fee bump by somebody else succeeded all the same; who paid is not told', async () => {
    const { from, first } = await setUp()
    const inner = TransactionBuilder.fromXDR(Buffer.from(first.signed.bytes).toString('base64'), stellar.chain.network)
    if ('innerTransaction' in inner) throw new Error('it is one already')
    const bump = TransactionBuilder.buildFeeBumpTransaction(stellar.faucet, '200', inner, stellar.chain.network)
    bump.sign(stellar.faucet)
    await stellar.network.rpc.sendTransaction(bump)
    await stellar.mine()
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included', txId: first.signed.txId, succeeded: true, fee: null })
    expect(await stellar.broadcast(first.signed)).toMatchObject({ status: 'accepted' })
  })

  test('that nobody sent is absent until its time is over, and can never come then', async () => {
    const { from, first } = await setUp()
    await stellar.mine(endOf(first))
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.mine(endOf(first) + 1)
    expect(await stellar.outcome(from, first.sent)).toEqual(gone('expired'))
    expect(await stellar.broadcast(first.signed)).toMatchObject({ status: 'expired' })
  })

  test('whose sequence another one used can never come', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    expect(await stellar.outcome(from, second.sent)).toEqual(absent)
    await stellar.mine()
    expect(await stellar.outcome(from, second.sent)).toEqual(gone('sequence_used'))
    // Of one transfer, one of them is in a ledger.
    expect(await stellar.outcome(from, second.sent, first.sent)).toMatchObject({ status: 'included', txId: first.signed.txId })
  })

  test('whose sequence another one used is reported as such after its time is over, too: the other one may be the same payment', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(second) + 1)
    expect(await stellar.outcome(from, second.sent)).toEqual(gone('sequence_used'))
  })

  test('without an end or a sequence, and a transfer without any transaction, are never given up', async () => {
    const { from, first } = await setUp()
    await stellar.does(from, Operation.bumpSequence({ bumpTo: (first.sent.sequence + 5n).toString() }))
    expect(await stellar.outcome(from, { ...first.sent, expiry: null })).toEqual(absent)
    expect(await stellar.outcome(from, { ...first.sent, sequence: null })).toEqual(absent)
    expect(await stellar.outcome(from)).toEqual(absent)
    expect(await stellar.outcome(from, first.sent)).toEqual(gone('sequence_used'))
  })
})

describe('a provider that', () => {
  test('is behind hides nothing that another one knows', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('first', { lagBlocks: 1 })
    // The second may once answer too late to be heard.
    const told = await waitFor('the outcome', async () => (await stellar.outcome(from, first.sent)).status === 'included')
    expect(told).toBe(true)
  })

  test('is behind is waited for, before a transaction is given up', async () => {
    const { from, first, second } = await setUp(2)
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('first', { lagBlocks: 1 })
    expect(await stellar.outcome(from, second.sent)).toEqual(absent)
    await stellar.mine()
    expect(await stellar.outcome(from, second.sent)).toEqual(gone('sequence_used'))
  })

  test('is two nodes by one name, of which the one that tells of the transaction is behind the one that tells of the account, gives nothing up', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.misbehave('second', { lagBlocks: 1 })
    const rpcOf = (face: string) => openJsonRpc(stellar.network.devnet.faceUrls(face).rpcUrl, 5000, (_method, request) => request())
    const [ahead, behind] = [rpcOf('first'), rpcOf('second')]
    const asked: string[] = []
    const both: JsonRpc = {
      ...ahead,
      call(method, params) {
        asked.push(method)
        return (method === 'getTransaction' ? behind : ahead).call(method, params)
      },
    }
    // Its own transaction has used the sequence: were it given up, the transfer would be signed again, and paid twice.
    expect((await outcomeAt(both, from.publicKey(), [first.sent])).outcome).toEqual(absent)
    expect(asked).toEqual(['getLedgerEntries', 'getTransaction'])
    await stellar.misbehave('second', {})
    expect((await outcomeAt(both, from.publicKey(), [first.sent])).outcome).toMatchObject({ status: 'included', txId: first.signed.txId })
    await Promise.all([ahead.close(), behind.close()])
  })

  test('has forgotten the ledgers that it may be in gives nothing up', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    const { height } = await stellar.mine(endOf(first) + 1)
    for (const face of ['first', 'second']) await stellar.misbehave(face, { pruneBelow: height })
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.misbehave('second', {})
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included' })
  })

  test('leaves a transaction out is not believed, where another one has it', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(first) + 1)
    await stellar.misbehave('first', { omit: [first.signed.txId] })
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included', standing: 'seen' })
  })

  test('is slow is waited for, before a transaction is given up', async () => {
    const { from, first } = await setUp()
    await stellar.broadcast(first.signed)
    await stellar.mine()
    await stellar.mine(endOf(first) + 1)
    await stellar.misbehave('first', { omit: [first.signed.txId] })
    // Longer than the others are waited for after the first answer.
    await stellar.misbehave('second', { slowMs: 300 })
    expect(await stellar.outcome(from, first.sent)).toMatchObject({ status: 'included', standing: 'seen' })
  })

  test('is down is left out; without any, nobody knows', async () => {
    const { from, first } = await setUp()
    await stellar.misbehave('first', { down: true })
    expect(await stellar.outcome(from, first.sent)).toEqual(absent)
    await stellar.misbehave('second', { down: true })
    await expect(stellar.outcome(from, first.sent)).rejects.toThrow(ProviderError)
  })
})
