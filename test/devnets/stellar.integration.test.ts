import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { waitFor } from '../support/waitFor.ts'
import {
  balances,
  codes,
  connect,
  eventsOf,
  hexOf,
  newAccount,
  type Overrides,
  prepare,
  send,
  settle,
  sha256,
  type TestNetwork,
  token,
  trustingAccount,
} from './stellar/testNetwork.ts'

/*
 * Behaviour of a Stellar network, through its public clients only. Runs against the devnet, or against a real
 * test network set by STELLAR_TEST_RPC_URL, STELLAR_TEST_HORIZON_URL and STELLAR_TEST_FRIENDBOT_URL (for
 * example https://soroban-testnet.stellar.org, https://horizon-testnet.stellar.org and
 * https://friendbot.stellar.org). Ledgers on demand, reorgs and false answers are tested in
 * `stellar/control.integration.test.ts`, on the devnet only.
 */

let network: TestNetwork
let usdc: Awaited<ReturnType<typeof token>>

beforeAll(async () => {
  network = await connect()
  usdc = await token(network)
})

afterAll(() => network.devnet?.stop())

describe('payments', () => {
  test('a payment moves its amount and costs its source the base fee', async () => {
    const payee = await trustingAccount(network, usdc.asset)
    const before = await balances(network, usdc.holder.publicKey())
    const outcome = await send(
      network,
      usdc.holder,
      [Operation.payment({ destination: payee.publicKey(), asset: usdc.asset, amount: '12.5' })],
      {
        fee: '5000',
      },
    )
    const after = await balances(network, usdc.holder.publicKey())
    const name = usdc.asset.toString()
    expect(outcome.status).toBe('SUCCESS')
    expect(Number(before[name]) - Number(after[name])).toBeCloseTo(12.5, 7)
    expect(Number(before.native) - Number(after.native)).toBeCloseTo(0.00001, 7)
    expect((await balances(network, payee.publicKey()))[name]).toBe('12.5000000')
    expect(eventsOf(outcome)).toEqual([
      ['transfer', usdc.holder.publicKey(), payee.publicKey(), name, 125_000_000n],
    ])
  })

  test('what the issuer pays is a mint, and what is paid to it a burn', async () => {
    const { asset, issuer, holder } = usdc
    const minted = await send(network, issuer, [
      Operation.payment({ destination: holder.publicKey(), asset, amount: '1' }),
    ])
    const burnt = await send(network, holder, [
      Operation.payment({ destination: issuer.publicKey(), asset, amount: '1' }),
    ])
    expect(eventsOf(minted)).toEqual([['mint', holder.publicKey(), asset.toString(), 10_000_000n]])
    expect(eventsOf(burnt)).toEqual([['burn', holder.publicKey(), asset.toString(), 10_000_000n]])
  })

  const ids: [name: string, memo: Memo | undefined, muxed: string | undefined, id: unknown][] = [
    ['a muxed destination', undefined, '77', 77n],
    ['a memo id', Memo.id('18446744073709551615'), undefined, 18_446_744_073_709_551_615n],
    ['a memo text', Memo.text('session 9'), undefined, 'session 9'],
    ['a memo hash', Memo.hash('ab'.repeat(32)), undefined, Buffer.from('ab'.repeat(32), 'hex')],
    ['a muxed destination before the memo', Memo.id('5'), '6', 6n],
  ]
  test.each(ids)('the event shows %s', async (_, memo, muxed, id) => {
    const payee = await trustingAccount(network, usdc.asset)
    const destination = muxed
      ? new MuxedAccount(new Account(payee.publicKey(), '0'), muxed).accountId()
      : payee.publicKey()
    const operation = Operation.payment({ destination, asset: usdc.asset, amount: '1' })
    const outcome = await send(network, usdc.holder, [operation], memo ? { memo } : {})
    const data = eventsOf(outcome)[0]?.at(-1) as { amount: bigint; to_muxed_id: unknown }
    expect(data.amount).toBe(10_000_000n)
    expect(id instanceof Buffer ? Buffer.from(data.to_muxed_id as Uint8Array) : data.to_muxed_id).toEqual(id)
    const { records } = await network.horizon
      .payments()
      .forAccount(payee.publicKey())
      .order('desc')
      .limit(1)
      .call()
    expect(records[0]).toMatchObject({
      to: payee.publicKey(),
      amount: '1.0000000',
      ...(muxed ? { to_muxed: destination, to_muxed_id: muxed } : {}),
    })
  })

  test('accounts are created and merged, with their balance less the fee', async () => {
    const [rich, child] = [await newAccount(network), Keypair.random()]
    await send(network, rich, [
      Operation.createAccount({ destination: child.publicKey(), startingBalance: '5' }),
    ])
    expect(await balances(network, child.publicKey())).toEqual({ native: '5.0000000' })
    const merged = await send(network, child, [Operation.accountMerge({ destination: rich.publicKey() })])
    expect(eventsOf(merged)).toEqual([
      ['transfer', child.publicKey(), rich.publicKey(), 'native', 49_999_900n],
    ])
    expect(await balances(network, rich.publicKey())).toEqual({ native: '9999.9999800' })
    await expect(network.horizon.loadAccount(child.publicKey())).rejects.toThrow()
  })

  test('a path payment delivers what its offers give, and every transfer has an event', async () => {
    const payee = await trustingAccount(network, usdc.asset)
    const maker = usdc.holder
    await send(network, maker, [
      Operation.manageSellOffer({ selling: usdc.asset, buying: Asset.native(), amount: '100', price: '2' }),
    ])
    const payer = await newAccount(network)
    const destination = payee.publicKey()
    const strictSend = Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: '10',
      destination,
      destAsset: usdc.asset,
      destMin: '4',
    })
    const strictReceive = Operation.pathPaymentStrictReceive({
      sendAsset: Asset.native(),
      sendMax: '10',
      destination,
      destAsset: usdc.asset,
      destAmount: '2',
    })
    const outcome = await send(network, payer, [strictSend])
    await send(network, payer, [strictReceive])
    expect(await balances(network, payer.publicKey())).toEqual({ native: '9985.9999800' })
    expect((await balances(network, destination))[usdc.asset.toString()]).toBe('7.0000000')
    expect(eventsOf(outcome)).toEqual([
      ['transfer', payer.publicKey(), maker.publicKey(), 'native', 100_000_000n],
      ['transfer', maker.publicKey(), payer.publicKey(), usdc.asset.toString(), 50_000_000n],
      ['transfer', payer.publicKey(), destination, usdc.asset.toString(), 50_000_000n],
    ])
    const { records } = await network.horizon.payments().forAccount(destination).order('desc').limit(2).call()
    expect(records).toMatchObject([
      { type: 'path_payment_strict_receive', amount: '2.0000000', source_amount: '4.0000000' },
      { type: 'path_payment_strict_send', amount: '5.0000000', source_amount: '10.0000000' },
    ])
  })

  test('a claimable balance is claimed only by its claimant, when the predicate allows it', async () => {
    const payee = await trustingAccount(network, usdc.asset)
    const never = Claimant.predicateNot(Claimant.predicateUnconditional())
    const claimants = [new Claimant(payee.publicKey()), new Claimant(usdc.issuer.publicKey(), never)]
    await send(network, usdc.holder, [
      Operation.createClaimableBalance({ asset: usdc.asset, amount: '3', claimants }),
    ])
    const { records } = await network.horizon.claimableBalances().claimant(payee.publicKey()).call()
    const balanceId = records[0]?.id ?? ''
    expect(records).toMatchObject([
      { amount: '3.0000000', asset: usdc.asset.toString(), sponsor: usdc.holder.publicKey() },
    ])
    const claim = [Operation.claimClaimableBalance({ balanceId })]
    expect(await codes(network, await prepare(network, usdc.issuer, claim))).toEqual({
      transaction: 'tx_failed',
      operations: ['op_cannot_claim'],
    })
    const outcome = await send(network, payee, claim)
    expect(eventsOf(outcome)[0]?.slice(2)).toEqual([payee.publicKey(), usdc.asset.toString(), 30_000_000n])
    expect((await balances(network, payee.publicKey()))[usdc.asset.toString()]).toBe('3.0000000')
    expect(await codes(network, await prepare(network, payee, claim))).toEqual({
      transaction: 'tx_failed',
      operations: ['op_does_not_exist'],
    })
  })

  test('a fee bump is paid by its own source, and found by both hashes', async () => {
    const [payer, sponsor] = [await newAccount(network), await newAccount(network)]
    const inner = await prepare(network, payer, [
      Operation.payment({ destination: sponsor.publicKey(), asset: Asset.native(), amount: '1' }),
    ])
    const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '300', inner, network.passphrase)
    bump.sign(sponsor)
    const { hash } = await network.rpc.sendTransaction(bump)
    const outcome = await settle(network, hash)
    expect(outcome).toMatchObject({ status: 'SUCCESS', feeBump: true })
    expect(await balances(network, payer.publicKey())).toEqual({ native: '9999.0000000' })
    expect(await balances(network, sponsor.publicKey())).toEqual({ native: '10000.9999800' })
    const byInner = await network.horizon
      .transactions()
      .transaction(Buffer.from(inner.hash()).toString('hex'))
      .call()
    expect(byInner).toMatchObject({
      hash,
      fee_charged: '200',
      fee_account: sponsor.publicKey(),
      source_account: payer.publicKey(),
    })
  })
})

describe('refused before a ledger', () => {
  const pay = () => [
    Operation.payment({ destination: usdc.issuer.publicKey(), asset: Asset.native(), amount: '1' }),
  ]
  const refusals: [code: string, operations: () => xdr.Operation[], overrides: () => Overrides][] = [
    ['tx_bad_auth', pay, () => ({ signers: [Keypair.random()] })],
    ['tx_bad_auth_extra', pay, () => ({ signers: [usdc.holder, Keypair.random()] })],
    ['tx_bad_seq', pay, () => ({ sequenceOff: 1 })],
    ['tx_too_late', pay, () => ({ maxTime: 1_000_000_000 })],
    ['tx_too_early', pay, () => ({ minTime: 4_000_000_000 })],
    ['tx_insufficient_fee', pay, () => ({ fee: '99' })],
    ['tx_insufficient_balance', pay, () => ({ fee: '4000000000' })],
    ['tx_missing_operation', () => [], () => ({})],
  ]
  test.each(refusals)('%s', async (code, operations, overrides) => {
    const payer = code === 'tx_insufficient_balance' ? await poorAccount() : usdc.holder
    const before = [
      await balances(network, payer.publicKey()),
      (await network.rpc.getAccount(payer.publicKey())).sequenceNumber(),
    ]
    const transaction = await prepare(network, payer, operations(), overrides())
    expect(await codes(network, transaction)).toEqual({ transaction: code })
    const after = [
      await balances(network, payer.publicKey()),
      (await network.rpc.getAccount(payer.publicKey())).sequenceNumber(),
    ]
    expect(after).toEqual(before)
  })

  /** An account with one lumen, its reserve. */
  async function poorAccount(): Promise<Keypair> {
    const key = Keypair.random()
    await send(network, usdc.holder, [
      Operation.createAccount({ destination: key.publicKey(), startingBalance: '1' }),
    ])
    return key
  }

  test('tx_no_source_account', async () => {
    const missing = Keypair.random()
    const builder = new TransactionBuilder(new Account(missing.publicKey(), '0'), {
      fee: '100',
      networkPassphrase: network.passphrase,
    })
    const transaction = builder
      .addOperation(Operation.bumpSequence({ bumpTo: '9' }))
      .setTimeout(60)
      .build()
    transaction.sign(missing)
    expect(await codes(network, transaction)).toEqual({ transaction: 'tx_no_source_account' })
  })

  test('a signature for another network', async () => {
    const account = await network.rpc.getAccount(usdc.holder.publicKey())
    const builder = new TransactionBuilder(account, { fee: '100', networkPassphrase: 'another network' })
    const transaction = builder
      .addOperation(Operation.bumpSequence({ bumpTo: '9' }))
      .setTimeout(60)
      .build()
    transaction.sign(usdc.holder)
    expect(await codes(network, transaction)).toEqual({ transaction: 'tx_bad_auth' })
  })

  test('a second transaction of a source while one is pending, a duplicate, and one already in a ledger', async () => {
    const payer = await newAccount(network)
    const [first, second] = [
      await prepare(network, payer, pay()),
      await prepare(network, payer, pay(), { sequenceOff: 1 }),
    ]
    expect((await network.rpc.sendTransaction(first)).status).toBe('PENDING')
    expect((await network.rpc.sendTransaction(first)).status).toBe('DUPLICATE')
    expect((await network.rpc.sendTransaction(second)).status).toBe('TRY_AGAIN_LATER')
    await settle(network, Buffer.from(first.hash()).toString('hex'))
    const again = await network.rpc.sendTransaction(first)
    expect([again.status, again.errorResult?.result.type]).toEqual(['ERROR', 'txBadSeq'])
    // Horizon checks history first.
    expect(await network.horizon.submitTransaction(first)).toMatchObject({ successful: true })
  })
})

describe('failed in a ledger', () => {
  const missing = Keypair.random().publicKey()
  const native = Asset.native()
  const failures: [code: string, operation: () => Promise<xdr.Operation> | xdr.Operation][] = [
    [
      'op_underfunded',
      () => Operation.payment({ destination: usdc.issuer.publicKey(), asset: native, amount: '9999.5' }),
    ],
    ['op_no_destination', () => Operation.payment({ destination: missing, asset: native, amount: '1' })],
    [
      'op_no_trust',
      async () =>
        Operation.payment({
          destination: (await newAccount(network)).publicKey(),
          asset: usdc.asset,
          amount: '1',
        }),
    ],
    [
      'op_src_no_trust',
      () => Operation.payment({ destination: usdc.holder.publicKey(), asset: usdc.asset, amount: '1' }),
    ],
    ['op_low_reserve', () => Operation.createAccount({ destination: missing, startingBalance: '0.9999999' })],
    [
      'op_already_exists',
      () => Operation.createAccount({ destination: usdc.holder.publicKey(), startingBalance: '2' }),
    ],
    ['op_no_issuer', () => Operation.changeTrust({ asset: new Asset('NONE', missing) })],
    ['op_invalid_limit', () => Operation.changeTrust({ asset: usdc.asset, limit: '0' })],
    ['op_no_account', () => Operation.accountMerge({ destination: missing })],
    [
      'op_too_few_offers',
      () =>
        Operation.pathPaymentStrictSend({
          sendAsset: native,
          sendAmount: '9000',
          destination: usdc.holder.publicKey(),
          destAsset: usdc.asset,
          destMin: '1',
        }),
    ],
    [
      'op_under_dest_min',
      () =>
        Operation.pathPaymentStrictSend({
          sendAsset: native,
          sendAmount: '2',
          destination: usdc.issuer.publicKey(),
          destAsset: usdc.asset,
          destMin: '2',
        }),
    ],
    [
      'op_over_source_max',
      () =>
        Operation.pathPaymentStrictReceive({
          sendAsset: native,
          sendMax: '1',
          destination: usdc.issuer.publicKey(),
          destAsset: usdc.asset,
          destAmount: '2',
        }),
    ],
  ]
  test.each(failures)(
    '%s: the fee and the sequence number are used, the funds stay',
    async (code, operation) => {
      const payer = await newAccount(network)
      const before = await network.rpc.getAccount(payer.publicKey())
      const transaction = await prepare(network, payer, [await operation()])
      expect(await codes(network, transaction)).toEqual({ transaction: 'tx_failed', operations: [code] })
      expect(await balances(network, payer.publicKey())).toEqual({ native: '9999.9999900' })
      const after = await network.rpc.getAccount(payer.publicKey())
      expect(BigInt(after.sequenceNumber()) - BigInt(before.sequenceNumber())).toBe(1n)
      const outcome = await network.rpc.getTransaction(Buffer.from(transaction.hash()).toString('hex'))
      expect(outcome.status).toBe('FAILED')
      expect(eventsOf(outcome)).toEqual([])
      expect(
        (await network.horizon.payments().forAccount(payer.publicKey()).order('desc').limit(1).call())
          .records,
      ).toMatchObject([{ type: 'create_account' }])
    },
  )

  test('one failed operation reverts the others', async () => {
    const payer = await newAccount(network)
    const good = Operation.payment({ destination: usdc.holder.publicKey(), asset: native, amount: '1' })
    const bad = Operation.payment({ destination: missing, asset: native, amount: '1' })
    expect(await codes(network, await prepare(network, payer, [good, bad, good]))).toEqual({
      transaction: 'tx_failed',
      operations: ['op_success', 'op_no_destination', 'op_success'],
    })
    expect(await balances(network, payer.publicKey())).toEqual({ native: '9999.9999700' })
  })

  test("op_line_full, op_has_sub_entries and the failure of a fee bump's inner transaction", async () => {
    const payee = await newAccount(network)
    await send(network, payee, [Operation.changeTrust({ asset: usdc.asset, limit: '5' })])
    const much = Operation.payment({ destination: payee.publicKey(), asset: usdc.asset, amount: '6' })
    expect(await codes(network, await prepare(network, usdc.issuer, [much]))).toEqual({
      transaction: 'tx_failed',
      operations: ['op_line_full'],
    })
    const merge = await prepare(network, payee, [
      Operation.accountMerge({ destination: usdc.holder.publicKey() }),
    ])
    const bump = TransactionBuilder.buildFeeBumpTransaction(usdc.holder, '200', merge, network.passphrase)
    bump.sign(usdc.holder)
    expect(await codes(network, bump)).toEqual({
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_has_sub_entries'],
    })
  })

  test('op_bad_auth: signers and thresholds are checked', async () => {
    const [owner, other] = [await newAccount(network), Keypair.random()]
    await send(network, owner, [
      Operation.setOptions({
        signer: { ed25519PublicKey: other.publicKey(), weight: 1 },
        lowThreshold: 1,
        medThreshold: 2,
        highThreshold: 2,
      }),
    ])
    const pay = [Operation.payment({ destination: usdc.holder.publicKey(), asset: native, amount: '1' })]
    expect(await codes(network, await prepare(network, owner, pay))).toEqual({
      transaction: 'tx_failed',
      operations: ['op_bad_auth'],
    })
    expect((await send(network, owner, pay, { signers: [owner, other] })).status).toBe('SUCCESS')
  })
})

describe('history', () => {
  test('every ledger has the hashes of its predecessor and of its results', async () => {
    const { sequence } = await network.rpc.getLatestLedger()
    const { ledgers } = await network.rpc.getLedgers({ startLedger: sequence - 5, pagination: { limit: 5 } })
    for (const [i, { hash, headerXdr, metadataXdr }] of ledgers.entries()) {
      expect(sha256(headerXdr.header.toXdr())).toBe(hash)
      if (i > 0) expect(hexOf(headerXdr.header.previousLedgerHash)).toBe(ledgers[i - 1]?.hash)
      if (metadataXdr.type !== 'v2') throw new Error(`metadata ${metadataXdr.type}`)
      const { txProcessing, txSet } = metadataXdr.v2
      expect(
        sha256(new xdr.TransactionResultSet({ results: txProcessing.map(({ result }) => result) }).toXdr()),
      ).toBe(hexOf(headerXdr.header.txSetResultHash))
      expect(sha256(txSet.toXdr())).toBe(hexOf(headerXdr.header.scpValue.txSetHash))
    }
  })

  test('RPC and Horizon agree on a transaction', async () => {
    const payer = await newAccount(network)
    const outcome = await send(network, payer, [
      Operation.payment({ destination: usdc.holder.publicKey(), asset: Asset.native(), amount: '1' }),
    ])
    if (outcome.status === 'NOT_FOUND') throw new Error('not found')
    const shown = await network.horizon.transactions().transaction(outcome.txHash).call()
    expect(shown).toMatchObject({
      envelope_xdr: outcome.envelopeXdr.toXdr('base64'),
      result_xdr: outcome.resultXdr.toXdr('base64'),
      ledger_attr: outcome.ledger,
      fee_charged: '100',
    })
    const { events } = await network.rpc.getEvents({
      startLedger: outcome.ledger,
      filters: [{ type: 'contract', topics: [[xdr.ScVal.scvSymbol('transfer').toXdr('base64'), '**']] }],
    })
    expect(events.filter(({ txHash }) => txHash === outcome.txHash)).toMatchObject([
      { operationIndex: 0, transactionIndex: outcome.applicationOrder },
    ])
    const { transactions } = await network.rpc.getTransactions({ startLedger: outcome.ledger })
    expect(transactions.find(({ txHash }) => txHash === outcome.txHash)).toMatchObject({
      status: 'SUCCESS',
      ledger: outcome.ledger,
    })
  })

  test('a page outside the kept ledgers is refused with the kept range', async () => {
    const { latestLedger, oldestLedger } = await network.rpc.getHealth()
    const startLedger = latestLedger + 1000
    const range = `the oldest ledger: ${oldestLedger} and the latest ledger: ${latestLedger} for this rpc instance`
    const refused = { code: -32600, message: `start ledger must be between ${range}` }
    if (network.devnet)
      await expect(network.rpc.getTransactions({ startLedger })).rejects.toMatchObject(refused)
    await expect(network.rpc.getLedgers({ startLedger })).rejects.toMatchObject({ code: -32600 })
    await expect(network.rpc.getEvents({ startLedger, filters: [] })).rejects.toMatchObject({ code: -32600 })
  })

  test('Horizon pages from a cursor, in both directions, and streams', async () => {
    const payee = await newAccount(network)
    const pay = (amount: string) =>
      Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount })
    await send(network, usdc.holder, [pay('1'), pay('2'), pay('3')])
    const list = network.horizon.payments().forAccount(payee.publicKey()).limit(2)
    const first = await list.call()
    const amounts = (records: readonly unknown[]) =>
      records.map((record) => (record as { amount?: string }).amount)
    expect(amounts((await first.next()).records)).toEqual(['2.0000000', '3.0000000'])
    const all: unknown[] = []
    const onmessage = (record: unknown) => void all.push(record)
    const stop = network.horizon.payments().forAccount(payee.publicKey()).cursor('0').stream({ onmessage })
    await waitFor('the stream', async () => all.length === 4)
    await send(network, usdc.holder, [pay('4')])
    await waitFor('the new payment', async () => all.length === 5)
    stop()
    expect(amounts(all)).toEqual([undefined, '1.0000000', '2.0000000', '3.0000000', '4.0000000'])
  })
})
