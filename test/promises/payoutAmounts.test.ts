import { expect, test } from '@jest/globals'
import { type Chain, type ChainName, knownChain, tokenOf } from '../../src/chains/registry.ts'
import { formatUnits, parseUnits } from '../../src/money/amount.ts'
import { splitForBank } from '../../src/outflows/splitAmount.ts'
import type { NewOutflow } from '../../src/outflows/storeOutflow.ts'
import { type AutopayoutTarget, type PaidSession, planAutomatic } from '../../src/payouts/planAutomatic.ts'
import { newId } from '../../src/platform/ids.ts'
import { type Price, priceFromAmount, priceFromLocal } from '../../src/pricing/price.ts'
import { presentQuote } from '../../src/pricing/quote.ts'
import { seeded } from '../faults/random.ts'
import { full, howMany } from '../support/full.ts'
import {
  places,
  type ShownPayout,
  wrongInBankPayout,
  wrongInQuote,
  wrongInWalletPayout,
} from './amounts/recompute.ts'
import { type Dice, one, pick } from './histories/dice.ts'

/*
 * Random quotes and payouts, computed again from what they show by `amounts/recompute.ts`, which has its own
 * arithmetic: equal to the last unit, the parts add up, and no payout is worth more than what is taken.
 */

const chains = (
  ['ethereum', 'bsc', 'stellar', 'solana', 'base'] as const satisfies readonly ChainName[]
).flatMap((name): readonly Chain[] => {
  const chain = knownChain(name)
  return chain ? [chain] : []
})
const currencies = Object.keys(places)
const digits = (dice: Dice, count: number) => Array.from({ length: count }, () => pick(dice, 10)).join('')

/** Not zero: mostly of an everyday size; sometimes very small, sometimes very large. */
function decimal(dice: Dice, maxPlaces: number): string {
  if (maxPlaces > 0 && pick(dice, 5) === 0) return `0.${digits(dice, maxPlaces - 1)}${1 + pick(dice, 9)}`
  const whole = `${1 + pick(dice, 9)}${digits(dice, one(dice, [0, 0, 1, 2, 3, 5, 9]))}`
  const fraction = digits(dice, pick(dice, maxPlaces + 1))
  return fraction ? `${whole}.${fraction}` : whole
}
const percent = (dice: Dice) =>
  one(dice, ['0', '0', '1', '1.5', '0.25', '12.345678', '0.000001', `${pick(dice, 50)}.${digits(dice, 6)}`])

interface Case {
  chain: Chain
  decimals: number
  feePercent: string
  session: PaidSession
}

/** A quote, and the session that it becomes. */
function quoted(dice: Dice, wrong: string[]): Case {
  const chain = one(dice, chains)
  const token = tokenOf(chain, 'USDC')
  if (!token) throw new Error(`${chain.name} has no USDC`)
  const terms = { feePercent: percent(dice), fxMarginPercent: percent(dice) }
  const currency = one(dice, currencies)
  const mid = { rate: decimal(dice, 12), at: new Date(), source: 'yellowcard' }
  const asked =
    pick(dice, 2) === 0
      ? { amount: decimal(dice, token.decimals) }
      : { localAmount: decimal(dice, places[currency] ?? 2) }
  const local = pick(dice, 8) === 0 ? null : { currency, mid }
  const price: Price =
    'amount' in asked
      ? priceFromAmount(token, parseUnits(asked.amount, token.decimals) ?? 0n, local, terms)
      : priceFromLocal(token, asked.localAmount, currency, mid, terms)
  const quote = presentQuote(
    { businessId: newId(), chain: chain.name, price, expiresAt: new Date() },
    token.decimals,
  )
  wrong.push(
    ...wrongInQuote(quote, asked, { tokenPlaces: token.decimals, feePercent: terms.feePercent }).map(
      (what) => `quote ${JSON.stringify({ quote, asked, terms })}: ${what}`,
    ),
  )
  const { amount: amountExpected, ...more } = price
  const session = {
    ...more,
    id: newId(),
    businessId: newId(),
    chain: chain.name,
    token: 'USDC',
    amountExpected,
    isPaidInTime: true,
  }
  return { chain, decimals: token.decimals, feePercent: terms.feePercent, session }
}

/** What came: mostly what was requested. */
function came(dice: Dice, { session: { amountExpected } }: Case): bigint {
  const other = [
    amountExpected / 3n + 1n,
    amountExpected * 2n,
    amountExpected + BigInt(pick(dice, 1000)),
    BigInt(1 + pick(dice, 1000)),
  ]
  return one(dice, [amountExpected, amountExpected, ...other])
}

const target = (more: Partial<AutopayoutTarget>): AutopayoutTarget => ({
  destinationId: newId(),
  kind: 'wallet',
  isArchived: false,
  ...{
    chain: null,
    address: null,
    memo: null,
    memoType: null,
    networkId: null,
    currency: null,
    feePercent: '0',
  },
  ...more,
})

/** As the API shows it, with the parts that the books post. */
function shown(
  payout: NewOutflow,
  decimals: number,
  to: { decimals: number } | { currency: string },
): ShownPayout {
  const { amount, fee = 0n, margin = 0n, rounding = 0n, wallet, bank, token } = payout
  const text = (units: bigint) => formatUnits(units, decimals)
  const parts = {
    fee: text(fee),
    margin: text(margin),
    rounding: text(rounding),
    principal: text(amount - fee - margin - rounding),
  }
  const price = bank?.price
  if ('currency' in to) {
    if (!price) throw new Error('not priced')
    const { localAmount, localFee, rate } = price
    return {
      amount: text(amount),
      parts,
      fee: localFee,
      feeCurrency: to.currency,
      rate,
      receiveAmount: `${localAmount}`,
      receiveCurrency: to.currency,
    }
  }
  const received = formatUnits(wallet?.amount ?? 0n, to.decimals)
  return {
    amount: text(amount),
    parts,
    fee: text(fee),
    feeCurrency: token,
    rate: null,
    receiveAmount: received,
    receiveCurrency: token,
  }
}

const counted = new Map<string, number>()
const count = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1)

function toWallet(dice: Dice, of: Case, wrong: string[]): void {
  const to = one(dice, chains)
  const decimals = tokenOf(to, 'USDC')?.decimals ?? 0
  const { localCurrency, fee, amountExpected } = of.session
  const amount = came(dice, of)
  // The business's fee may be another one since.
  const isPromised = localCurrency === null && amount <= amountExpected
  const feePercent = isPromised && pick(dice, 2) === 0 ? percent(dice) : of.feePercent
  const planned = planAutomatic(
    { chains },
    of.session,
    target({ chain: to.name, address: '0x1', feePercent }),
    amount,
  )
  if (typeof planned === 'string') {
    count(planned)
    return
  }
  const other = of.decimals > decimals ? 'wallet with fewer decimals' : 'wallet with more decimals'
  count(of.decimals === decimals ? 'wallet' : other)
  const payout = shown(planned, of.decimals, { decimals })
  wrong.push(
    ...wrongInWalletPayout(payout, {
      ...{ from: of.decimals, to: decimals },
      fee: isPromised
        ? { promised: fee, of: formatUnits(amountExpected, of.decimals) }
        : { percent: feePercent },
    }).map((what) => `wallet ${JSON.stringify(payout)}: ${what}`),
  )
}

function toBank(dice: Dice, of: Case, wrong: string[]): void {
  const { localCurrency: currency, fee, amountExpected, fxMarginPercent } = of.session
  if (currency === null) return
  const amount = came(dice, of)
  const planned = planAutomatic(
    { chains },
    of.session,
    target({ kind: 'bank', networkId: 'bank', currency }),
    amount,
  )
  if (amount > amountExpected) {
    // More than was requested is not paid by the session's price.
    if (typeof planned === 'string' || planned.bank?.price !== null)
      wrong.push(`priced by the session: ${amount} of ${amountExpected}`)
    count('unpriced')
    return
  }
  count(typeof planned === 'string' ? planned : `bank with ${places[currency]} decimals`)
  if (typeof planned === 'string') return
  const payout = shown(planned, of.decimals, { currency })
  const promised = { promised: fee, of: formatUnits(amountExpected, of.decimals) }
  wrong.push(
    ...wrongInBankPayout(payout, { fxMargin: fxMarginPercent, fee: promised, tokenPlaces: of.decimals }).map(
      (what) => `bank ${JSON.stringify(payout)}: ${what}`,
    ),
  )
}

/** One that a person makes: at today's rate, with the fee in percent. */
function direct(dice: Dice, of: Case, wrong: string[]): void {
  const [currency, rate, amount] = [one(dice, currencies), decimal(dice, 12), came(dice, of)]
  const { fxMarginPercent } = of.session
  const split = splitForBank(amount, of.decimals, {
    rate,
    currency,
    fxMarginPercent,
    fee: { percent: of.feePercent },
  })
  count(split ? 'direct' : 'too_small')
  if (!split) return
  const { localAmount, localFee, ...parts } = split
  const price = { localAmount, localFee, rate, rateAt: null, rateSource: null }
  const outflow = {
    kind: 'payout',
    businessId: null,
    status: 'pending',
    chain: of.chain.name,
    token: 'USDC',
    amount,
    ...parts,
    wallet: null,
  } as const
  const payout = shown(
    { ...outflow, bank: { partner: 'yellowcard', networkId: 'bank', currency, price } },
    of.decimals,
    { currency },
  )
  wrong.push(
    ...wrongInBankPayout(payout, {
      fxMargin: fxMarginPercent,
      fee: { percent: of.feePercent },
      tokenPlaces: of.decimals,
    }).map((what) => `direct ${JSON.stringify(payout)}: ${what}`),
  )
}

test(
  'quotes and payouts are what other arithmetic makes of what they show, to the last unit',
  () => {
    const wrong: string[] = []
    const dice = seeded(Number(process.env.COWRY_SEED ?? 1))
    for (let i = 0; i < howMany(1000, 20_000); i++) {
      const of = quoted(dice, wrong)
      toWallet(dice, of, wrong)
      toBank(dice, of, wrong)
      direct(dice, of, wrong)
    }
    expect(wrong).toEqual([])
    const kinds = [
      'wallet',
      'wallet with fewer decimals',
      'wallet with more decimals',
      'direct',
      'too_small',
      'unpriced',
      ...[0, 2, 3, 4].map((n) => `bank with ${n} decimals`),
    ]
    expect(kinds.filter((kind) => (counted.get(kind) ?? 0) < 5)).toEqual([])
  },
  full ? 120_000 : 30_000,
)

test.each([
  [
    'receiveAmount',
    (payout: ShownPayout) => ({ ...payout, receiveAmount: `${BigInt(payout.receiveAmount) + 1n}` }),
  ],
  ['fee', (payout: ShownPayout) => ({ ...payout, fee: '250.01' })],
  ['margin', (payout: ShownPayout) => ({ ...payout, parts: { ...payout.parts, margin: '0.236467' } })],
  ['the sum of the parts', (payout: ShownPayout) => ({ ...payout, amount: '15.764416' })],
])('a payout that is wrong by one unit in %s is found', (what, change) => {
  const amount = 15_764_417n
  const split = splitForBank(amount, 6, {
    rate: '1610',
    currency: 'NGN',
    fxMarginPercent: '1.5',
    fee: { local: '250', of: amount },
  })
  if (!split) throw new Error('nothing is left')
  const { localAmount, localFee, fee, margin, rounding } = split
  const text = (units: bigint) => formatUnits(units, 6)
  const right: ShownPayout = {
    amount: text(amount),
    parts: {
      fee: text(fee),
      margin: text(margin),
      rounding: text(rounding),
      principal: text(amount - fee - margin - rounding),
    },
    ...{
      fee: localFee,
      feeCurrency: 'NGN',
      rate: '1610',
      receiveAmount: `${localAmount}`,
      receiveCurrency: 'NGN',
    },
  }
  const rules = { fxMargin: '1.5', fee: { promised: '250', of: '15.764417' }, tokenPlaces: 6 }
  expect(wrongInBankPayout(right, rules)).toEqual([])
  expect(wrongInBankPayout(change(right), rules)).toContain(what)
})
