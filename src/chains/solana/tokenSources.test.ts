import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sumOf } from '../../money/amount.ts'
import { drawable, type HeldAccount, maxSources, sourcesFor } from './tokenSources.ts'

const account = (address: string, amount: bigint, rest: Partial<HeldAccount> = {}): HeldAccount => ({
  ...{ address, amount, isFrozen: false, hasDelegate: false, isAssociated: false },
  ...rest,
})

test('the associated account is drawn on first, then the largest', () => {
  const held = [
    account('b', 5n),
    account('c', 9n),
    account('a', 5n),
    account('own', 1n, { isAssociated: true }),
  ]
  expect(sourcesFor(held, 12n)).toEqual([
    { address: 'own', amount: 1n },
    { address: 'c', amount: 9n },
    { address: 'a', amount: 2n },
  ])
  expect(sourcesFor(held, 1n)).toEqual([{ address: 'own', amount: 1n }])
})

test('frozen accounts, empty ones, and others with a delegate are left out', () => {
  const own = account('own', 1n, { isAssociated: true, hasDelegate: true })
  const held = [
    account('a', 5n, { isFrozen: true }),
    account('b', 5n, { hasDelegate: true }),
    account('c', 0n),
    own,
  ]
  expect(drawable(held)).toEqual([own])
  expect(drawable([{ ...own, isFrozen: true }])).toEqual([])
})

test('no more accounts are drawn on than fit into a transaction: the smallest are left out', () => {
  const held = Array.from({ length: maxSources + 2 }, (_, index) => account(`a${index}`, BigInt(index + 1)))
  expect(drawable(held).map(({ amount }) => amount)).toEqual(
    Array.from({ length: maxSources }, (_, index) => BigInt(maxSources + 2 - index)),
  )
})

test('of any accounts, what is drawn is the amount or all that one transaction can draw, from each no more than it holds', () => {
  const flags = { isFrozen: fc.boolean(), hasDelegate: fc.boolean() }
  const one = fc.record({ amount: fc.bigInt(0n, 2n ** 64n - 1n), ...flags })
  const many = fc
    .array(one, { maxLength: 40 })
    .map((all) => all.map((each, index) => ({ ...each, address: `a${index}`, isAssociated: index === 3 })))
  fc.assert(
    fc.property(many, fc.bigInt(1n, 2n ** 64n - 1n), (held, amount) => {
      const [sources, usable] = [sourcesFor(held, amount), drawable(held)]
      const sendable = sumOf(usable)
      expect(sumOf(sources)).toBe(amount < sendable ? amount : sendable)
      expect(usable.length).toBeLessThanOrEqual(maxSources)
      expect(new Set(sources.map(({ address }) => address)).size).toBe(sources.length)
      for (const { address, amount: drawn } of sources) {
        const from = held.find((each) => each.address === address)
        expect(drawn > 0n && drawn <= (from?.amount ?? 0n) && !from?.isFrozen).toBe(true)
      }
    }),
  )
})
