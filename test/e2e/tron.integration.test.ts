import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TronWeb, utils } from 'tronweb'
import { balanceOf } from '../../src/ledger/balance.ts'
import { baseUnits, type Purse } from '../devnets/customers/order.ts'
import { callOnTron, payOnTron, sendTrx } from '../devnets/customers/tron.ts'
import { funded, infoOf, type Network, balanceOf as sunOf, trx, usdtOf } from '../devnets/tron/harness.ts'
import type { TronDevnet } from '../devnets/tron.ts'
import { builtUntilFinal } from '../support/otherDevnets.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// The ways in which money can reach an address on Tron. Promises of all chains are in nineChains.test.ts.

let stack: Stack
let devnet: TronDevnet
const decimals = 6

beforeAll(async () => {
  stack = await createStack({ chains: ['tron'], processes: ['cowry'], finalizedTag: true })
  devnet = stack.other('tron')
  // A transaction is valid for a minute from the newest block, which is older where the start took long.
  await stack.mine()
})
afterAll(() => stack?.close())

const mineFinal = () => stack.mine(1 + builtUntilFinal.tron)
const credited = () =>
  balanceOf(stack.db, { name: 'available', businessId: stack.businessId, asset: 'tron:USDT' })
const create = (amount = '10') => stack.createSession({ token: 'USDT', amount })
const webhookOf = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () =>
    stack.receiver.about(session.id).find((event) => event.type === type),
  )
const faucet = () => utils.address.fromPrivateKey(devnet.faucetPrivateKey) || ''
const hexOf = (address: string) => utils.address.toHex(address).toLowerCase()

const address = (value: string) => ({ type: 'address', value })
const amount = (whole: string) => ({ type: 'uint256', value: baseUnits(whole, decimals).toString() })

/** A customer with TRX for fees, and this amount of USDT. */
async function customer(usdt: string): Promise<Purse & { address: string }> {
  const network: Network = {
    url: devnet.rpcUrl,
    key: devnet.faucetPrivateKey,
    usdt: devnet.usdt,
    include: () => stack.mine(),
  }
  const account = await funded(network, 1000 * trx)
  if (usdt !== '0')
    await payOnTron(devnet, { address: account.address, token: devnet.usdt, amount: usdt, decimals })
  await stack.mine()
  return { rpcUrl: devnet.rpcUrl, faucetPrivateKey: account.key, address: account.address }
}

async function expectPaid(session: SessionBody, amounts: readonly string[]): Promise<SessionBody> {
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(paid.payments.map((payment) => payment.amount)).toEqual(amounts)
  await webhookOf(session, 'session.paid')
  return paid
}

/** Waits until everything was read, and expects no payment of the session. */
async function expectNothing(session: SessionBody): Promise<void> {
  await mineFinal()
  await stack.caughtUp()
  await stack.idle()
  expect(await stack.session(session.id)).toMatchObject({
    status: 'pending',
    exception: 'none',
    amountReceived: '0',
    payments: [],
  })
  expect(stack.receiver.types(session.id)).toEqual([])
}

const explained = async (txId: string) =>
  (await stack.api<{ outcome: string }>('GET', `/chains/tron/transactions/${txId}/explain`)).body.outcome

describe('USDT comes', () => {
  test('by its contract’s transfer, which returns false though it has moved the money', async () => {
    const before = await credited()
    const session = await create()
    expect(session.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    const txId = await stack.pay(session)
    await mineFinal()
    const paid = await expectPaid(session, ['10'])
    expect(paid.payments).toMatchObject([{ txId, from: faucet(), status: 'confirmed' }])
    expect(await credited()).toBe(before + baseUnits('10', decimals))
  })

  test('by a contract that pays several in one transaction: each session is paid by what it received, twice where it received twice', async () => {
    const before = await credited()
    const [one, two] = [await create('10'), await create('7.5')]
    const to = { type: 'address[]', value: [one.address, two.address, one.address] }
    const amounts = {
      type: 'uint256[]',
      value: ['4', '7.5', '6'].map((each) => baseUnits(each, decimals).toString()),
    }
    const txId = await callOnTron(devnet, devnet.batch, 'send(address,address[],uint256[])', [
      address(devnet.usdt),
      to,
      amounts,
    ])
    await mineFinal()
    const [first, second] = [await expectPaid(one, ['4', '6']), await expectPaid(two, ['7.5'])]
    expect(first.payments).toMatchObject([
      { txId, from: devnet.batch },
      { txId, from: devnet.batch },
    ])
    expect(second.payments).toMatchObject([{ txId, from: devnet.batch }])
    expect(await credited()).toBe(before + baseUnits('17.5', decimals))
  })

  test('by transferFrom: from the owner of the money, not from the sender of the transaction', async () => {
    const [holder, spender] = [await customer('10'), await customer('0')]
    const session = await create()
    await callOnTron(holder, devnet.usdt, 'approve(address,uint256)', [
      address(spender.address),
      amount('10'),
    ])
    await stack.mine()
    const args = [address(holder.address), address(session.address), amount('10')]
    const txId = await callOnTron(spender, devnet.usdt, 'transferFrom(address,address,uint256)', args)
    await mineFinal()
    expect((await expectPaid(session, ['10'])).payments).toMatchObject([{ txId, from: holder.address }])
  })

  test('less the fee that the contract can be configured to keep: the received amount counts', async () => {
    // `setParams` of TetherToken: hundredths of a per cent, and the maximum in whole tokens.
    const setFee = (rate: string, max: string) =>
      callOnTron(devnet, devnet.usdt, 'setParams(uint256,uint256)', [
        { type: 'uint256', value: rate },
        { type: 'uint256', value: max },
      ])
    const payer = await customer('100')
    await setFee('10', '1')
    await stack.mine()
    const session = await create('99.9')
    await payOnTron(payer, { address: session.address, token: devnet.usdt, amount: '100', decimals })
    await mineFinal()
    await setFee('0', '0')
    await stack.mine()
    await expectPaid(session, ['99.9'])
  })
})

describe('TRX is not the token that the session expects', () => {
  async function expectWrongToken(session: SessionBody, txId: string): Promise<void> {
    await mineFinal()
    const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_token')
    expect(wrong).toMatchObject({
      amountReceived: '0',
      payments: [{ txId, token: 'TRX', amount: '2.5', exception: 'wrong_token' }],
    })
    const about = {
      chain: 'tron',
      symbol: 'TRX',
      amount: '2.5',
      txId,
      address: session.address,
      exception: 'wrong_token',
    }
    expect((await webhookOf(session, 'transaction.confirmed')).data).toMatchObject(about)
  }
  const sun = 2.5 * trx
  const forward = (method: 'pay' | 'payOrFail' | 'vanish', session: SessionBody) =>
    callOnTron(devnet, devnet.forwarder, `${method}(address)`, [address(session.address)], { callValue: sun })

  test('sent as such', async () => {
    const session = await create()
    await expectWrongToken(session, await sendTrx(devnet, session.address, sun))
  })

  test('by a contract’s internal transaction', async () => {
    const session = await create()
    await expectWrongToken(session, await forward('pay', session))
  })

  test('by a contract that destroys itself in favour of the address', async () => {
    const session = await create()
    await expectWrongToken(session, await forward('vanish', session))
  })

  test('by a reverted internal transaction: nothing, though its transaction succeeded', async () => {
    const session = await create()
    const txId = await forward('payOrFail', session)
    await expectNothing(session)
    expect((await infoOf(devnet.rpcUrl, txId)).receipt.result).toBe('SUCCESS')
  })
})

describe('not a payment', () => {
  test('a TRC-10 token is neither TRX nor USDT', async () => {
    const session = await create()
    const tronWeb = new TronWeb({ fullHost: devnet.rpcUrl, privateKey: devnet.faucetPrivateKey })
    expect(
      await tronWeb.trx.sendToken(session.address, baseUnits('10', decimals) as never, '1000001'),
    ).toMatchObject({ result: true })
    await expectNothing(session)
  })

  test('a fake USDT of another contract', async () => {
    const session = await create()
    await payOnTron(devnet, { address: session.address, token: devnet.fakeUsdt, amount: '10', decimals })
    await expectNothing(session)
    expect(await usdtOf(devnet.rpcUrl, devnet.fakeUsdt, session.address)).toBe(baseUnits('10', decimals))
  })

  test('a transfer of more than the balance: REVERT', async () => {
    const [session, payer] = [await create(), await customer('9.999999')]
    const txId = await payOnTron(payer, {
      address: session.address,
      token: devnet.usdt,
      amount: '10',
      decimals,
    })
    await expectNothing(session)
    expect(await infoOf(devnet.rpcUrl, txId)).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'REVERT' },
    })
    expect(await explained(txId)).toBe('failed')
  })

  test('a transfer whose fee limit is too low: OUT_OF_ENERGY', async () => {
    const [session, payer] = [await create(), await customer('10')]
    const args = [address(session.address), amount('10')]
    const txId = await callOnTron(payer, devnet.usdt, 'transfer(address,uint256)', args, {
      feeLimit: trx / 2,
    })
    await expectNothing(session)
    expect((await infoOf(devnet.rpcUrl, txId)).receipt.result).toBe('OUT_OF_ENERGY')
    expect(await explained(txId)).toBe('failed')
  })

  test('several transfers of which the last fails: nothing is credited', async () => {
    const session = await create()
    const to = { type: 'address[]', value: [session.address, session.address] }
    const amounts = {
      type: 'uint256[]',
      value: [baseUnits('10', decimals).toString(), (10n ** 18n).toString()],
    }
    await callOnTron(devnet, devnet.batch, 'send(address,address[],uint256[])', [
      address(devnet.usdt),
      to,
      amounts,
    ])
    await expectNothing(session)
    expect(await sunOf(devnet.rpcUrl, session.address)).toBe(0)
  })
})

test('an address that carries the chain’s prefix into a call: where the contract refuses it nothing arrived, and explain names the intended recipient', async () => {
  const session = await create()
  const tronWeb = new TronWeb({ fullHost: devnet.rpcUrl, privateKey: devnet.faucetPrivateKey })
  // 41 in front of the twenty bytes. The devnet's contracts check their arguments (Solidity 0.8); mainnet's
  // TetherToken, of 0.4, truncates them.
  const rawParameter =
    hexOf(session.address).padStart(64, '0') + baseUnits('10', decimals).toString(16).padStart(64, '0')
  const options = { feeLimit: 100 * trx, rawParameter }
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    devnet.usdt,
    'transfer(address,uint256)',
    options,
    [],
  )
  const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction))
  await expectNothing(session)
  expect((await infoOf(devnet.rpcUrl, txid)).receipt.result).toBe('REVERT')
  const answer = await stack.api<{ outcome: string; movements: object[] }>(
    'GET',
    `/chains/tron/transactions/${txid}/explain`,
  )
  expect(answer.body).toMatchObject({
    outcome: 'failed',
    movements: [{ token: 'USDT', amount: '10', session: { id: session.id } }],
  })
})

test('deliveries are found by the address, in base58 and in hex', async () => {
  const session = await create()
  await stack.pay(session)
  await mineFinal()
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  for (const form of [session.address, hexOf(session.address), hexOf(session.address).toUpperCase()]) {
    const listed = await stack.api<{
      total: number
      webhooks: { type: string; address: string; status: string }[]
    }>('GET', `/webhooks?type=transaction.*&address=${form}`)
    expect(listed.body.webhooks.map(({ type }) => type).sort()).toEqual([
      'transaction.confirmed',
      'transaction.detected',
    ])
    for (const webhook of listed.body.webhooks)
      expect(webhook).toMatchObject({ address: session.address, status: 'delivered' })
  }
})

test('every delivery was signed and came once', async () => {
  await stack.idle()
  expect(stack.receiver.forged).toEqual([])
  expect(new Set(stack.receiver.received.map(({ id }) => id)).size).toBe(stack.receiver.received.length)
})
