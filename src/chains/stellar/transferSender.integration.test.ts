import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Account, Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import { Secret } from '../../platform/secrets.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import type { TransferSpec } from '../action.ts'
import { ProviderError } from '../chain.ts'
import { connectChain } from '../connect.ts'

let stellar: StellarSending
beforeAll(async () => {
  stellar = await openStellarSending()
})
afterAll(() => stellar?.close())
afterEach(() => Promise.all(['first', 'second'].map((face) => stellar.misbehave(face, {}))))

/** Sends, closes the ledger, and returns the outcome. */
async function carryOut(from: Keypair, transfer: TransferSpec) {
  const { signed, sent } = await stellar.prepared(from, transfer)
  expect(await stellar.broadcast(signed)).toEqual({ status: 'accepted', message: null })
  expect(await stellar.outcome(from, sent)).toEqual({ status: 'absent' })
  const { height, ids } = await stellar.mine()
  const outcome = await stellar.outcome(from, sent)
  expect(outcome).toMatchObject({
    status: 'included',
    txId: signed.txId,
    blockHeight: height,
    blockId: ids[0],
    standing: 'final',
    gasUsed: null,
  })
  return { outcome, signed }
}

describe('a transfer', () => {
  test.each(['usdc', 'usdt'] as const)(
    'of %s moves exactly the amount, and costs the sender exactly the fee',
    async (name) => {
      const token = stellar[name]
      const [from, to] = [await stellar.holder({ ...token, amount: '100' }), await stellar.holder(token)]
      const [lumens, before] = [
        await stellar.balances(from.publicKey()),
        await stellar.balances(to.publicKey()),
      ]
      const { outcome } = await carryOut(
        from,
        stellar.intentOf(from, to.publicKey(), 123_456_789n, { token }),
      )
      expect(outcome).toMatchObject({ succeeded: true, reason: null, fee: 100n })
      const paid = (Number(lumens.native) - 0.00001).toFixed(7)
      expect(await stellar.balances(from.publicKey())).toEqual({
        native: paid,
        [token.contract]: '87.6543211',
      })
      expect(await stellar.balances(to.publicKey())).toEqual({
        native: before.native,
        [token.contract]: '12.3456789',
      })
    },
  )

  test('of lumens moves exactly the amount; to an account that does not exist it creates the account', async () => {
    const [from, to, newAccount] = [await stellar.holder(), await stellar.holder(), Keypair.random()]
    await carryOut(from, stellar.intentOf(from, to.publicKey(), 5n * one))
    await carryOut(from, stellar.intentOf(from, newAccount.publicKey(), one))
    expect(await stellar.balances(from.publicKey())).toEqual({ native: '9993.9999800' })
    expect(await stellar.balances(to.publicKey())).toEqual({ native: '10005.0000000' })
    expect(await stellar.balances(newAccount.publicKey())).toEqual({ native: '1.0000000' })
  })

  test('can spend everything above the reserve and the fee, to the last stroop', async () => {
    const [from, to] = [await stellar.holder(), await stellar.holder()]
    // 10,000 lumens, less two base reserves of half a lumen, and the fee of 0.00001.
    const all = 10_000n * one - one - 100n
    await carryOut(from, stellar.intentOf(from, to.publicKey(), all))
    expect(await stellar.balances(from.publicKey())).toEqual({ native: '1.0000000' })
  })

  test('to a muxed address goes to its account and id', async () => {
    const [from, to] = [
      await stellar.holder({ ...stellar.usdc, amount: '5' }),
      await stellar.holder(stellar.usdc),
    ]
    const address = new MuxedAccount(new Account(to.publicKey(), '0'), '99').accountId()
    const { signed } = await carryOut(from, stellar.intentOf(from, address, one, { token: stellar.usdc }))
    const { records } = await stellar.network.horizon.operations().forTransaction(signed.txId).call()
    expect(records).toMatchObject([
      { type: 'payment', to: to.publicKey(), to_muxed: address, to_muxed_id: '99' },
    ])
    expect(await stellar.balances(to.publicKey())).toMatchObject({ [stellar.usdc.contract]: '1.0000000' })
  })

  test.each([
    ['text', 'Rechnung Nº 5'],
    ['id', '18446744073709551615'],
    ['hash', 'ab'.repeat(32)],
    ['return', '01'.repeat(32)],
  ] as const)('carries a memo of type %s', async (type, value) => {
    const [from, to] = [await stellar.holder(), await stellar.holder()]
    const { signed } = await carryOut(
      from,
      stellar.intentOf(from, to.publicKey(), 1n, { memo: { type, value } }),
    )
    const record = await stellar.network.horizon.transactions().transaction(signed.txId).call()
    const shown = type === 'hash' || type === 'return' ? Buffer.from(value, 'hex').toString('base64') : value
    expect([record.memo_type, record.memo]).toEqual([type, shown])
  })
})

describe('the next sequence', () => {
  test('is the one that the chain accepts, from the provider that is furthest ahead', async () => {
    const from = await stellar.holder()
    const first = (await stellar.sender.nextNonce?.(from.publicKey())) ?? 0n
    expect(first).toBe(BigInt((await stellar.network.rpc.getAccount(from.publicKey())).sequenceNumber()) + 1n)
    await stellar.does(from, Operation.bumpSequence({ bumpTo: (first + 5n).toString() }))
    await stellar.misbehave('first', { lagBlocks: 1 })
    expect(await stellar.sender.nextNonce?.(from.publicKey())).toBe(first + 6n)
  })

  test('of an account that does not exist is refused', async () => {
    await expect(stellar.sender.nextNonce?.(Keypair.random().publicKey())).rejects.toMatchObject({
      reason: 'sender_not_found',
    })
  })
})

describe('signed bytes', () => {
  const lumens = async () => {
    const [from, to] = [await stellar.holder(), await stellar.holder()]
    return { from, to, transfer: stellar.intentOf(from, to.publicKey(), one) }
  }
  const accepted = { status: 'accepted', message: null }

  test('may be sent repeatedly, before and after they are in a ledger, with one effect', async () => {
    const { from, to, transfer } = await lumens()
    const { signed, sent } = await stellar.prepared(from, transfer)
    for (let times = 0; times < 3; times++) expect(await stellar.broadcast(signed)).toEqual(accepted)
    await stellar.mine()
    expect(await stellar.broadcast(signed)).toEqual(accepted)
    const maxTime = sent.expiry && 'time' in sent.expiry ? sent.expiry.time.getTime() / 1000 : 0
    await stellar.mine(maxTime + 1)
    expect(await stellar.broadcast(signed)).toEqual(accepted)
    expect(await stellar.balances(to.publicKey())).toEqual({ native: '10001.0000000' })
  })

  test('go to another provider if one is busy; if all are, the outcome is busy', async () => {
    const { from, transfer } = await lumens()
    const { signed } = await stellar.prepared(from, transfer)
    for (const face of ['first', 'second']) await stellar.misbehave(face, { tryAgainLater: true })
    expect(await stellar.broadcast(signed)).toEqual({ status: 'busy', message: 'TRY_AGAIN_LATER' })
    await stellar.misbehave('second', {})
    expect(await stellar.broadcast(signed)).toEqual(accepted)
  })

  test('that a provider accepted and lost are sent again', async () => {
    const { from, transfer } = await lumens()
    const { signed, sent } = await stellar.prepared(from, transfer)
    for (const face of ['first', 'second']) await stellar.misbehave(face, { swallow: true })
    expect(await stellar.broadcast(signed)).toEqual(accepted)
    await stellar.mine()
    expect(await stellar.outcome(from, sent)).toEqual({ status: 'absent' })
    for (const face of ['first', 'second']) await stellar.misbehave(face, {})
    expect(await stellar.broadcast(signed)).toEqual(accepted)
    await stellar.mine()
    expect(await stellar.outcome(from, sent)).toMatchObject({ status: 'included', succeeded: true })
  })

  test('whose sequence was used are reported so; those with a later sequence wait', async () => {
    const { from, to, transfer } = await lumens()
    const [mine, other] = [
      await stellar.prepared(from, transfer),
      await stellar.prepared(from, stellar.intentOf(from, to.publicKey(), 7n)),
    ]
    const next = await stellar.prepared(from, transfer, { behind: 1n })
    expect(await stellar.broadcast(next.signed)).toEqual({ status: 'busy', message: 'txBAD_SEQ' })
    await stellar.broadcast(mine.signed)
    await stellar.mine()
    expect(await stellar.broadcast(other.signed)).toEqual({ status: 'nonce_used', message: 'txBAD_SEQ' })
    expect(await stellar.broadcast(next.signed)).toEqual(accepted)
  })

  test('that are expired are reported so', async () => {
    const { from, transfer } = await lumens()
    const { signed } = await stellar.prepared(from, transfer, { other: { maxTime: 1_000_000_000 } })
    expect(await stellar.broadcast(signed)).toEqual({ status: 'expired', message: 'txTOO_LATE' })
  })

  test('that are invalid are refused with the chain’s code', async () => {
    const { from, to, transfer } = await lumens()
    const cheap = await stellar.prepared(from, transfer, { other: { fee: '99' } })
    expect(await stellar.broadcast(cheap.signed)).toEqual({ status: 'busy', message: 'txINSUFFICIENT_FEE' })
    const already = await stellar.prepared(from, { ...transfer, amount: 1n }, { other: { creates: true } })
    expect((await stellar.broadcast(already.signed)).status).toBe('accepted')
    await stellar.mine()
    const locked = await stellar.prepared(from, transfer, { behind: 1n })
    await stellar.does(from, Operation.setOptions({ medThreshold: 5 }))
    expect(await stellar.broadcast(locked.signed)).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('txFAILED: op_bad_auth'),
    })
    const newAccount = Keypair.random()
    const { terms } = await stellar.sender.plan(stellar.intentOf(newAccount, to.publicKey(), one))
    const orphan = stellar.builder.sign(stellar.intentOf(newAccount, to.publicKey(), one), terms, 1n, [
      new Secret(newAccount.secret()),
    ])
    expect(await stellar.broadcast(orphan)).toEqual({ status: 'refused', message: 'txNO_ACCOUNT' })
  })

  test('go through the second provider while the first is down; with both down the call fails', async () => {
    const { from, transfer } = await lumens()
    const { signed } = await stellar.prepared(from, transfer)
    await stellar.misbehave('first', { down: true })
    expect(await stellar.broadcast(signed)).toEqual(accepted)
    await stellar.misbehave('second', { down: true })
    await expect(stellar.broadcast(signed)).rejects.toThrow(ProviderError)
  })
})

test('a connection has one set of accounts, which closes with it', async () => {
  const options = {
    timeoutMs: 20_000,
    observe: { called: () => {}, refused: () => {} },
    log: createLog('test', 'silent'),
  }
  const connection = await connectChain(stellar.chain, options)
  const accounts = await connection.accounts()
  expect(await connection.accounts()).toBe(accounts)
  const address = stellar.faucet.publicKey()
  expect((await accounts.balances.balances(address, [])).native).toBeGreaterThan(0n)
  await connection.close()
  await expect(accounts.balances.balances(address, [])).rejects.toThrow(ProviderError)
})

test('a node of another network is sent nothing', async () => {
  const from = await stellar.holder()
  const { signed } = await stellar.prepared(from, stellar.intentOf(from, stellar.faucet.publicKey(), one))
  const url = stellar.network.devnet.faceUrls('foreign').rpcUrl
  await stellar.misbehave('foreign', { wrongNetwork: true })
  const options = {
    timeoutMs: 20_000,
    observe: { called: () => {}, refused: () => {} },
    log: createLog('test', 'silent'),
  }
  const connection = await connectChain({ ...stellar.chain, rpcUrls: [url], horizonUrls: [] }, options)
  const { sender } = await connection.accounts()
  await expect(sender.broadcast(signed)).rejects.toThrow(/is of the network/)
  await connection.close()
  await stellar.mine()
  expect(await stellar.network.rpc.getTransaction(signed.txId)).toMatchObject({ status: 'NOT_FOUND' })
})
