import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { callOnTron } from '../../test/devnets/customers/tron.ts'
import { tronNode } from '../../test/support/familyNodes.ts'
import { startFamilySweeping } from '../../test/support/familySweeping.ts'

/** Sweeps on Tron, step by step, with the rights of worker and treasury. */

const start = async () => startFamilySweeping(await tronNode())
let sweeping: Awaited<ReturnType<typeof start>>
const trx = 1_000_000n

beforeAll(async () => {
  sweeping = await start()
  await sweeping.fund('TRX', 1000n * trx)
  await sweeping.enable('USDT')
})
afterAll(() => sweeping?.close())

test('an address without TRX is funded, its USDT reaches the treasury exactly, and what is left of its gas stays in the books', async () => {
  const before = await sweeping.held(sweeping.treasuryAddress, 'TRX')
  const { address } = await sweeping.deposit({ symbol: 'USDT', amount: 20_000_000n })
  await sweeping.run()
  expect((await sweeping.rows()).map(({ symbol, status }) => [symbol, status])).toEqual([
    ['USDT', 'done'],
    // TRX is not swept: its own fee would take more than the share that a sweep may cost.
  ])
  const intents = await sweeping.intents()
  expect(intents.map(({ purpose, signer, status }) => [purpose, signer, status])).toEqual([
    ['gas', 'treasury', 'confirmed'],
    ['sweep', 'deposit', 'confirmed'],
  ])
  const [gas, sweep] = intents
  expect([
    await sweeping.held(address, 'USDT'),
    await sweeping.held(sweeping.treasuryAddress, 'USDT'),
  ]).toEqual([0n, 20_000_000n])
  const sent = gas?.action.kind === 'transfer' ? gas.action.amount : 0n
  // One TRX and its bandwidth for the new account, as part of the fee.
  expect(gas?.fee).toBe(1_100_000n)
  expect(await sweeping.held(sweeping.treasuryAddress, 'TRX')).toBe(before - sent - (gas?.fee ?? 0n))
  const left = await sweeping.held(address, 'TRX')
  expect(left).toBe(sent - (sweep?.fee ?? 0n))
  expect(await sweeping.books('deposits:tron', 'TRX')).toBe(left)
  expect(await sweeping.books('treasury:tron', 'TRX')).toBe(before - sent - (gas?.fee ?? 0n))
  expect(await sweeping.books('network_costs', 'TRX')).toBe((gas?.fee ?? 0n) + (sweep?.fee ?? 0n))
  expect([
    await sweeping.books('deposits:tron', 'USDT'),
    await sweeping.books('treasury:tron', 'USDT'),
  ]).toEqual([0n, 20_000_000n])
})

test('an address with TRX of its own pays for its USDT, and then its TRX leaves whole', async () => {
  const costs = await sweeping.books('network_costs', 'TRX')
  const [before, usdt] = [
    await sweeping.held(sweeping.treasuryAddress, 'TRX'),
    await sweeping.held(sweeping.treasuryAddress, 'USDT'),
  ]
  const { address } = await sweeping.deposit(
    { symbol: 'TRX', amount: 300n * trx },
    { symbol: 'USDT', amount: 9_000_000n },
  )
  await sweeping.run()
  const intents = (await sweeping.intents()).filter(({ action }) => action.from === address)
  expect(intents.map(({ symbol, status }) => [symbol, status])).toEqual([
    ['USDT', 'confirmed'],
    ['TRX', 'confirmed'],
  ])
  expect([await sweeping.held(address, 'USDT'), await sweeping.held(address, 'TRX')]).toEqual([0n, 0n])
  const fees = intents.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDT')).toBe(usdt + 9_000_000n)
  expect(await sweeping.held(sweeping.treasuryAddress, 'TRX')).toBe(before + 300n * trx - fees)
  expect(await sweeping.books('network_costs', 'TRX')).toBe(costs + fees)
  expect(await sweeping.books('treasury:tron', 'TRX')).toBe(before + 300n * trx - fees)
})

test('a fee that Tether switches on after the sweep was signed: the books have what arrived, as the chain does', async () => {
  const setFee = async (rate: string) => {
    const args = ['uint256', 'uint256'].map((type, index) => ({ type, value: index === 0 ? rate : '19' }))
    await callOnTron(sweeping.node.devnet, sweeping.node.devnet.usdt, 'setParams(uint256,uint256)', args)
    await sweeping.node.mine()
  }
  const [treasury, costs] = [
    await sweeping.held(sweeping.treasuryAddress, 'USDT'),
    await sweeping.books('network_costs', 'USDT'),
  ]
  const { sender } = sweeping.node.accounts
  const plan = sender.plan.bind(sender)
  // The fee takes energy as well: without more than usual, the transaction would fail.
  sender.plan = async (action) => {
    const planned = await plan(action)
    return action.kind === 'transfer' && action.token
      ? { ...planned, terms: { ...planned.terms, feeLimit: '60000000' } }
      : planned
  }
  const { address } = await sweeping.deposit(
    { symbol: 'TRX', amount: 300n * trx },
    { symbol: 'USDT', amount: 40_000_000n },
  )
  const sweep = async () =>
    (await sweeping.intents()).find(({ symbol, action }) => symbol === 'USDT' && action.from === address)
  for (let round = 0; round < 20 && (await sweep())?.status !== 'signed'; round++) {
    await sweeping.reconcile()
    await sweeping.node.finish()
    await sweeping.reconcile()
    await sweeping.work()
    await sweeping.reconcile()
    await sweeping.sign()
  }
  await setFee('10')
  await sweeping.run()
  await setFee('0')
  expect(await sweep()).toMatchObject({
    status: 'confirmed',
    tokenKept: [{ address: sweeping.treasuryAddress, amount: 40_000n }],
  })
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDT')).toBe(treasury + 39_960_000n)
  expect(await sweeping.books('treasury:tron', 'USDT')).toBe(treasury + 39_960_000n)
  expect(await sweeping.books('network_costs', 'USDT')).toBe(costs + 40_000n)
  expect(await sweeping.books('deposits:tron', 'USDT')).toBe(0n)
})
