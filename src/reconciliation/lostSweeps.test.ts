import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ChainDrift } from './context.ts'
import { lostSweeps } from './lostSweeps.ts'

const chain = { native: { symbol: 'ETH', decimals: 18 }, maxFee: 1000n }
const treasury = 'treasury'

/** What the chain has more than the books, by address and symbol. */
function driftOf(changes: ReadonlyMap<string, ReadonlyMap<string, bigint>>): ChainDrift[] {
  return [...changes].flatMap(([address, symbols]) =>
    [...symbols].flatMap(([symbol, change]) =>
      change === 0n ? [] : [{ address, symbol, expected: 10_000n, found: 10_000n + change }],
    ),
  )
}

/** Sweeps of any assets, with the gas that they left. */
const sweeps = fc
  .uniqueArray(
    fc.record({
      address: fc.nat(50),
      USDC: fc.nat(500),
      USDT: fc.nat(500),
      ETH: fc.nat(500),
      gas: fc.nat(99),
      fee: fc.nat(900),
    }),
    {
      selector: ({ address }) => address,
      minLength: 1,
      maxLength: 12,
    },
  )
  .filter((all) => all.every(({ USDC, USDT }) => USDC + USDT > 0))
type Swept = Parameters<typeof changesOf>[0]

function changesOf(
  all: readonly { address: number; USDC: number; USDT: number; ETH: number; gas: number; fee: number }[],
) {
  const changes = new Map<string, Map<string, bigint>>()
  const move = (address: string, symbol: string, amount: number) => {
    const of = changes.get(address) ?? new Map<string, bigint>()
    changes.set(address, of.set(symbol, (of.get(symbol) ?? 0n) + BigInt(amount)))
  }
  for (const { address, USDC, USDT, ETH, gas, fee } of all) {
    const at = `deposit ${address}`
    for (const [symbol, amount] of Object.entries({ USDC, USDT, ETH })) {
      move(at, symbol, -amount)
      move(treasury, symbol, amount)
    }
    // The treasury sent gas and its fee; a part of the gas is left.
    move(at, 'ETH', gas)
    move(treasury, 'ETH', -gas - fee)
  }
  return changes
}

const costOf = (all: Swept): bigint => BigInt(all.reduce((sum, { fee }) => sum + fee, 0))

describe('what sweeps have moved whose rows are lost', () => {
  test('is every change of the addresses, and the cost is what fees took', () => {
    fc.assert(
      fc.property(sweeps, (all) => {
        const changes = changesOf(all)
        const found = lostSweeps(chain, treasury, driftOf(changes))
        const wanted = driftOf(changes).flatMap(({ address, symbol, expected, found: at }) =>
          address === treasury ? [] : [{ address, symbol, amount: at - expected }],
        )
        expect(found).toEqual({ movements: wanted, cost: costOf(all), maxCost: 2000n * BigInt(all.length) })
      }),
    )
  })

  test('is refused where one unit of a token is not in the treasury', () => {
    fc.assert(
      fc.property(sweeps, fc.constantFrom('USDC', 'USDT'), (all, symbol) => {
        const changes = changesOf(all)
        const at = changes.get(treasury)
        fc.pre((at?.get(symbol) ?? 0n) > 0n)
        at?.set(symbol, (at.get(symbol) ?? 0n) - 1n)
        expect(lostSweeps(chain, treasury, driftOf(changes))).toBe(
          `${symbol} left deposit addresses, and the treasury does not have all of it`,
        )
      }),
    )
  })

  test('coin that was stolen shows as a cost above what fees can be', () => {
    const drift = driftOf(new Map([['deposit 1', new Map([['ETH', -5000n]])]]))
    expect(lostSweeps(chain, treasury, drift)).toMatchObject({ cost: 5000n, maxCost: 2000n })
  })

  test('does not include payments that the books missed, nor money of no address', () => {
    const drift = [
      ...driftOf(
        new Map([
          [
            'deposit 1',
            new Map([
              ['USDC', 7n],
              ['ETH', 3n],
            ]),
          ],
        ]),
      ),
      { address: null, symbol: 'USDC', expected: 4n, found: 0n },
    ]
    expect(lostSweeps(chain, treasury, drift)).toBeNull()
    const swept = driftOf(
      new Map([
        ['deposit 2', new Map([['USDC', -7n]])],
        [treasury, new Map([['USDC', 9n]])],
      ]),
    )
    expect(lostSweeps(chain, treasury, [...drift, ...swept])).toMatchObject({
      movements: [{ address: 'deposit 2', symbol: 'USDC', amount: -7n }],
    })
  })
})
