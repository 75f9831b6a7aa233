import { expect, test } from '@jest/globals'
import {
  balanceOf,
  infoOf,
  newAccount,
  pay,
  payUsdt,
  trx,
  usdtOf,
} from '../../../test/devnets/tron/harness.ts'
import { builder, one, tronSuite } from '../../../test/support/tronSuite.ts'
import { Secret } from '../../platform/secrets.ts'
import type { SweepItem } from '../sweeping.ts'
import { tronSweepActions } from './sweepActions.ts'

const { suite, mine, usdt } = tronSuite()
const actions = tronSweepActions()
const noPrice = { gasPrice: null, gasLimit: null }

type Account = ReturnType<typeof newAccount>
const item = ({ hex }: Account, token: SweepItem['token'], amount: bigint): SweepItem => ({
  address: hex,
  token,
  amount,
  authorization: null,
})

async function carryOut(owner: Account, swept: SweepItem, treasury: string) {
  const action = actions.action([swept], treasury, noPrice)
  const plan = await suite.tron.sender.plan(action)
  expect(plan.shortages).toEqual([])
  const transaction = builder.sign(action, plan.terms, null, [new Secret(owner.key)])
  expect(await suite.tron.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
  await mine()
  const info = await infoOf(suite.network.url, transaction.txId)
  return {
    plan,
    info,
    outcome: await suite.tron.sender.outcome(owner.hex, [{ ...transaction, nonce: null }]),
  }
}

const reader = () => {
  const { sweeps } = suite.tron
  if (!sweeps) throw new Error('tron has no reader of sweeps')
  return sweeps
}

test('an address that only ever got USDT is funded by what its plan lacks, and its USDT leaves whole', async () => {
  const [owner, treasury] = [newAccount(), newAccount()]
  await pay(suite.network, suite.network.key, treasury.address, 100 * trx)
  await payUsdt(suite.network, suite.network.key, owner.address, 20n * one)
  const swept = item(owner, usdt(), 20n * one)
  const { shortages } = await suite.tron.sender.plan(actions.action([swept], treasury.hex, noPrice))
  const [short] = shortages
  expect(shortages).toMatchObject([{ kind: 'native', available: 0n }])
  await pay(suite.network, treasury.key, owner.address, Number(short?.required))
  const { info, outcome, plan } = await carryOut(owner, swept, treasury.hex)
  expect(info.receipt.result).toBe('SUCCESS')
  expect(outcome).toMatchObject({ succeeded: true, fee: BigInt(info.fee ?? 0) })
  expect(await usdtOf(suite.network.url, suite.devnet.usdt, owner.address)).toBe(0n)
  expect(await usdtOf(suite.network.url, suite.devnet.usdt, treasury.address)).toBe(20n * one)
  expect(plan.fee.max).toBeGreaterThan(outcome.status === 'included' ? (outcome.fee ?? 0n) : 0n)
  expect(await reader().cost(usdt(), 'deposit')).toBeGreaterThanOrEqual(BigInt(info.fee ?? 0))
})

test('TRX leaves whole: with free bandwidth at no cost, without it less exactly what its bytes cost', async () => {
  const [owner, treasury] = [newAccount(), newAccount()]
  await pay(suite.network, suite.network.key, treasury.address, 5 * trx)
  await pay(suite.network, suite.network.key, owner.address, 3 * trx)
  const free = await reader().wholeNative(owner.hex, treasury.hex, 3n * one)
  expect(free).toEqual({ amount: 3n * one, gasPrice: null, gasLimit: null })
  await carryOut(owner, item(owner, null, 3n * one), treasury.hex)
  expect(await balanceOf(suite.network.url, owner.address)).toBe(0)
  await pay(suite.network, suite.network.key, owner.address, 2 * trx)
  // The second within a day leaves less than the bytes of a third.
  await carryOut(owner, item(owner, null, 1n), treasury.hex)
  const whole = await reader().wholeNative(owner.hex, treasury.hex, 2n * one - 1n)
  const paid = 2n * one - 1n - (whole?.amount ?? 0n)
  expect(paid).toBeGreaterThan(0n)
  const { info } = await carryOut(owner, item(owner, null, whole?.amount ?? 0n), treasury.hex)
  expect(BigInt(info.fee ?? 0)).toBe(paid)
  expect(await balanceOf(suite.network.url, owner.address)).toBe(0)
  expect(await reader().cost(null, 'deposit')).toBeGreaterThanOrEqual(paid)
})

test('TRX that its own fee would take is not swept', async () => {
  const [owner, treasury] = [newAccount(), newAccount()]
  await pay(suite.network, suite.network.key, owner.address, trx)
  // The treasury's account would have to be opened: more than there is.
  expect(await reader().wholeNative(owner.hex, treasury.hex, one)).toBeNull()
})

test('one transaction carries one address', () => {
  const [one, other] = [item(newAccount(), null, 1n), item(newAccount(), null, 1n)]
  expect(() => actions.action([one, other], newAccount().hex, noPrice)).toThrow('by itself')
})
