import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createRandom } from '../../../../test/promises/foreignBytes/mutate.ts'
import { full, howMany } from '../../../../test/support/full.ts'
import {
  answerId,
  type LightAnswer,
  lightAnswer,
  oddChanges,
  plainChanges,
  recordedLight,
} from '../../../../test/support/lightAnswers.ts'
import { bothReadings, type Form } from '../../../../test/support/lightReadings.ts'
import { oddWholeChanges, plainWholeChanges } from '../../../../test/support/wholeAnswers.ts'

const recorded = recordedLight()
const [votes, failed, withTokens] = [
  recorded.filter(({ meta }) => meta.err === null && meta.postTokenBalances.length === 0),
  recorded.filter(({ meta }) => meta.err !== null),
  recorded.filter(({ meta }) => meta.err === null && meta.postTokenBalances.length > 0),
]

/** Small: the reference takes most of the time. */
const answers: readonly LightAnswer[] = Array.from({ length: 6 }, (_, n) =>
  lightAnswer([...votes.slice(n, n + 2), ...failed.slice(n, n + 1), ...withTokens.slice(n, n + 1)]),
)

const forms = {
  accounts: { plain: plainChanges, odd: oddChanges },
  full: { plain: plainWholeChanges, odd: oddWholeChanges },
} as const

test.each<Form>(['accounts', 'full'])(
  'an answer with `transactionDetails` of `%s` that is understood reads as by JSON.parse, with any change of it',
  (form) => {
    const { plain, odd } = forms[form]
    const changes = { ...plain, ...odd }
    const input = fc.record({
      answer: fc.nat(answers.length - 1),
      change: fc.constantFrom(...Object.keys(changes)),
      seed: fc.nat(),
    })
    const counts = new Map(Object.keys(changes).map((name) => [name, { all: 0, understood: 0, other: 0 }]))
    const unchanged = answers.map((each) =>
      JSON.stringify(bothReadings(JSON.stringify(each), answerId).byParsing),
    )
    const property = fc.property(input, ({ answer, change, seed }) => {
      const changed = changes[change]?.(answers[answer] as LightAnswer, createRandom(seed)) ?? ''
      const { scanned, byParsing } = bothReadings(changed, answerId, form)
      const count = counts.get(change)
      if (!count) throw new Error('a change without a count')
      count.all++
      if (scanned === null) return
      count.understood++
      if (JSON.stringify(byParsing) !== unchanged[answer]) count.other++
      // Jest's own comparison takes most of the time.
      if (!isDeepStrictEqual(scanned, byParsing)) expect(scanned).toEqual(byParsing)
    })
    fc.assert(property, { numRuns: howMany(form === 'full' ? 2500 : 5000, 200_000) })
    // Otherwise nothing was compared, or always the same. Changes that are seldom understood may miss in the
    // short form.
    for (const name of Object.keys(plain))
      expect([name, (counts.get(name)?.understood ?? 0) > 0]).toEqual([name, true])
    for (const name of [
      'lamports',
      'fee',
      'err',
      'accounts',
      'transactions',
      ...(full ? ['value', 'known field'] : []),
    ])
      expect([name, (counts.get(name)?.other ?? 0) > 0]).toEqual([name, true])
    if (process.env.SCAN_COUNTS) process.stdout.write(`${JSON.stringify([...counts])}\n`)
  },
  1_200_000,
)
