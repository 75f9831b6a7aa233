import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Asset, Horizon, Keypair, Operation, rpc, scValToNative, xdr } from '@stellar/stellar-sdk'
import { waitFor } from '../../support/waitFor.ts'
import {
  balances,
  connectDevnet,
  eventsOf,
  hexOf,
  newAccount,
  prepare,
  send,
  settle,
  sha256,
  token,
  trustingAccount,
} from './testNetwork.ts'

/* Features of the devnet only: ledgers on demand, reorgs, contract calls, false answers, restarts. */

let network: Awaited<ReturnType<typeof connectDevnet>>
let usdc: Awaited<ReturnType<typeof token>>

beforeAll(async () => {
  network = await connectDevnet()
  usdc = await token(network)
})

afterAll(() => network.devnet.stop())

describe('the devnet', () => {
  const control = <T>(action: string, params: object = {}) => network.devnet.control<T>(action, params)
  const face = (name: string) => {
    const urls = network.devnet.faceUrls(name)
    return {
      ...urls,
      rpc: new rpc.Server(urls.rpcUrl, { allowHttp: true }),
      horizon: new Horizon.Server(urls.horizonUrl, { allowHttp: true }),
    }
  }
  const pay = (amount: string) => [
    Operation.payment({ destination: usdc.issuer.publicKey(), asset: Asset.native(), amount }),
  ]
  const paid = async (amount: string) => {
    const outcome = await send(network, usdc.holder, pay(amount))
    if (outcome.status === 'NOT_FOUND') throw new Error('not found')
    return outcome
  }

  test('a transaction that has expired when its ledger closes is dropped', async () => {
    const maxTime = Math.floor(Date.now() / 1000) + 600
    const transaction = await prepare(network, await newAccount(network), pay('1'), { maxTime })
    const { hash, status } = await network.rpc.sendTransaction(transaction)
    expect(status).toBe('PENDING')
    await control('mine', { time: maxTime + 1 })
    expect((await network.rpc.getTransaction(hash)).status).toBe('NOT_FOUND')
    // Later ledgers would keep that time; drop it, as other tests use the clock.
    await control('reorg', { depth: 1 })
  })

  test('a reorg reverts balances, sequence numbers and history, and the next ledger has another hash', async () => {
    const before = await balances(network, usdc.holder.publicKey())
    const { txHash, ledger } = await paid('7')
    const old = await network.rpc.getLedgers({ startLedger: ledger })
    expect(await control('reorg', { depth: 1, keep: true })).toMatchObject({
      dropped: [txHash],
      height: ledger - 1,
    })
    expect(await balances(network, usdc.holder.publicKey())).toEqual(before)
    expect((await network.rpc.getTransaction(txHash)).status).toBe('NOT_FOUND')
    await control('mine')
    expect((await network.rpc.getTransaction(txHash)).status).toBe('SUCCESS')
    expect((await network.rpc.getLedgers({ startLedger: ledger })).ledgers[0]?.hash).not.toBe(
      old.ledgers[0]?.hash,
    )
    await control('reorg', { depth: 1 })
    await control('mine')
    expect((await network.rpc.getTransaction(txHash)).status).toBe('NOT_FOUND')
    expect(await balances(network, usdc.holder.publicKey())).toEqual(before)
  })

  test('a contract transfers an asset without a classic operation', async () => {
    const payee = await trustingAccount(network, usdc.asset)
    const from = usdc.holder.secret()
    const params = { from, to: payee.publicKey(), asset: usdc.asset.toString(), amount: '2.5', muxedId: '42' }
    const before = await balances(network, usdc.holder.publicKey())
    const { hash } = await control<{ hash: string }>('contractTransfer', params)
    const outcome = await settle(network, hash)
    expect(eventsOf(outcome)).toEqual([
      [
        'transfer',
        usdc.holder.publicKey(),
        payee.publicKey(),
        usdc.asset.toString(),
        { amount: 25_000_000n, to_muxed_id: 42n },
      ],
    ])
    expect((await balances(network, payee.publicKey()))[usdc.asset.toString()]).toBe('2.5000000')
    if (outcome.status === 'NOT_FOUND') throw new Error('not found')
    const charged = Number(outcome.resultXdr.feeCharged) / 1e7
    expect(
      Number(before.native) - Number((await balances(network, usdc.holder.publicKey())).native),
    ).toBeCloseTo(charged, 7)
    const fees = outcome.events.transactionEventsXdr.map(
      ({ event }) => scValToNative(event.body.v0.data) as bigint,
    )
    expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(outcome.resultXdr.feeCharged)
    const result =
      outcome.resultXdr.result.type === 'txSuccess' ? outcome.resultXdr.result.results[0] : undefined
    const success =
      result?.type === 'opInner' && result.tr.value.type === 'invokeHostFunctionSuccess'
        ? result.tr.value.success
        : undefined
    const preimage = new xdr.InvokeHostFunctionSuccessPreImage({
      returnValue: xdr.ScVal.scvVoid(),
      events: outcome.events.contractEventsXdr.flat(),
    })
    expect(success && hexOf(success)).toBe(sha256(preimage.toXdr()))
    const { records } = await network.horizon
      .payments()
      .forAccount(payee.publicKey())
      .order('desc')
      .limit(1)
      .call()
    expect(records).toMatchObject([
      { type: 'invoke_host_function', asset_balance_changes: [{ type: 'transfer', amount: '2.5000000' }] },
    ])
  })

  test('a provider that lags serves older ledgers and older balances', async () => {
    const before = await balances(network, usdc.holder.publicKey())
    const { ledger, txHash } = await paid('1')
    await control('misbehave', { face: 'late', lagBlocks: 1 })
    const late = face('late')
    expect((await late.rpc.getLatestLedger()).sequence).toBe(ledger - 1)
    expect((await late.rpc.getTransaction(txHash)).status).toBe('NOT_FOUND')
    expect(await balances({ ...network, horizon: late.horizon }, usdc.holder.publicKey())).toEqual(before)
    await control('misbehave', { face: 'late', clear: true })
    expect((await late.rpc.getLatestLedger()).sequence).toBe(ledger)
  })

  test('a failing provider answers 503 or 429, or has pruned its history', async () => {
    const { rpcUrl, horizonUrl, rpc: server } = face('ill')
    await control('misbehave', { face: 'ill', down: true })
    expect((await fetch(horizonUrl)).status).toBe(503)
    await control('misbehave', { face: 'ill', down: false, throttle: 0 })
    const throttled = await fetch(rpcUrl, { method: 'POST', body: '{}' })
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '1'])
    await control('misbehave', { face: 'ill', clear: true })
    await control('misbehave', { face: 'ill', pruneBelow: 4, horizonPruneBelow: 4 })
    await expect(server.getTransactions({ startLedger: 3 })).rejects.toMatchObject({
      message: expect.stringContaining('the oldest ledger: 4 '),
    })
    expect((await fetch(`${horizonUrl}/ledgers/2`)).status).toBe(410)
    await expect(control('dance')).rejects.toThrow('unknown action: dance')
  })

  test('a liar hides events, amounts, transactions and ledgers, and the honest provider shows them', async () => {
    const { ledger, txHash, envelopeXdr } = await paid('3')
    const liar = face('liar')
    const lie = async (flags: object) => {
      await control('misbehave', { face: 'liar', clear: true })
      await control('misbehave', { face: 'liar', ...flags })
      const { transactions } = await liar.rpc.getTransactions({ startLedger: ledger })
      return transactions.find((each) => each.txHash === txHash)
    }
    const silent = await lie({ noEvents: true })
    expect([silent?.events.contractEventsXdr, silent?.events.transactionEventsXdr]).toEqual([[[]], []])
    expect((await lie({ metaV3: true }))?.resultMetaXdr.type).toBe('v3')
    expect(await lie({ omit: [txHash] })).toBeUndefined()
    const off = await lie({ amountOff: txHash })
    expect(
      off && scValToNative(off.events.contractEventsXdr[0]?.[0]?.body.v0.data ?? xdr.ScVal.scvVoid()),
    ).toBe(40_000_000n)
    expect((await lie({ envelopeOff: txHash }))?.envelopeXdr.toXdr('base64')).not.toBe(
      envelopeXdr.toXdr('base64'),
    )
    await lie({ badPrevious: ledger })
    const { ledgers } = await liar.rpc.getLedgers({ startLedger: ledger - 1 })
    expect(ledgers[1] && hexOf(ledgers[1].headerXdr.header.previousLedgerHash)).not.toBe(ledgers[0]?.hash)
    await lie({ wrongNetwork: true })
    expect((await liar.rpc.getNetwork()).passphrase).not.toBe(network.passphrase)
    await lie({ noMeta: true })
    expect(await liar.horizon.transactions().transaction(txHash).call()).not.toHaveProperty('result_meta_xdr')
    expect(await network.horizon.transactions().transaction(txHash).call()).toHaveProperty('result_meta_xdr')
  })

  test('the chain continues after a restart', async () => {
    const home = mkdtempSync(join(tmpdir(), 'cowry-stellar-'))
    try {
      const here = await connectDevnet({ blockMs: 0, home })
      const first = here.devnet
      const faucet = Keypair.fromSecret(first.faucetPrivateKey)
      const payee = await newAccount(here)
      const outcome = await send(here, faucet, [
        Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1.25' }),
      ])
      const latest = await here.rpc.getLatestLedger()
      await first.stop()
      const again = await connectDevnet({ blockMs: 50, home })
      const second = again.devnet
      try {
        expect(await balances(again, payee.publicKey())).toEqual({ native: '10001.2500000' })
        expect((await again.rpc.getTransaction(outcome.txHash)).status).toBe('SUCCESS')
        const { ledgers } = await again.rpc.getLedgers({ startLedger: latest.sequence })
        expect(ledgers[0]?.hash).toBe(latest.id)
        await waitFor(
          'further ledgers',
          async () => (await again.rpc.getLatestLedger()).sequence > latest.sequence + 2,
        )
        expect([second.usdc, second.faucetPrivateKey]).toEqual([first.usdc, first.faucetPrivateKey])
      } finally {
        await second.stop()
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})
