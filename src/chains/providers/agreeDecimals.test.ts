import { describe, expect, test } from '@jest/globals'
import { ProviderError } from '../chain.ts'
import { agreedDecimals } from './agreeDecimals.ts'
import type { Gate } from './providers.ts'
import { createProviders } from './providers.ts'

type Answer = (number | null)[] | null

/** @param answers of each node, by token; null: it fails */
function agreedBy(...answers: Answer[]): Promise<(number | null)[]> {
  const open = answers.map((answer, index) => (gate: Gate) => ({
    name: `node${index}`,
    read: () =>
      gate('read', async () => {
        if (answer === null) throw new ProviderError('down')
        return answer
      }),
    close: async () => {},
  }))
  return agreedDecimals(createProviders(open, { observe: { called: () => {}, refused: () => {} } }), (each) =>
    each.read(),
  )
}

describe('decimals are agreed', () => {
  test.each<[string, Answer[], (number | null)[]]>([
    ['by the only node', [[6, null]], [6, null]],
    [
      'by two that are equal',
      [
        [6, 18],
        [6, 18],
      ],
      [6, 18],
    ],
    [
      'by two of three, with the wrong one in any place',
      [
        [9, 18],
        [6, 18],
        [6, null],
      ],
      [6, 18],
    ],
    ['by two, while a third fails', [null, [6], [6]], [6]],
  ])('%s', async (_, answers, expected) => {
    expect(await agreedBy(...answers)).toEqual(expected)
  })
  test.each<[string, Answer[], string]>([
    ['by two that differ', [[9], [6]], 'disagree'],
    ['where one does not know the token', [[9], [null]], 'disagree'],
    ['by one of two, while the other fails', [[9], null], 'down'],
    ['by two against two', [[9], [9], [6], [6]], 'disagree'],
    ['by nodes that all fail', [null, null], 'down'],
  ])('not %s', async (_, answers, message) => {
    await expect(agreedBy(...answers)).rejects.toThrow(message)
  })
})
