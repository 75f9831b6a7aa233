import { expect, test } from '@jest/globals'
import type { MintProblem } from '../bridging.ts'
import { agreedProblem } from './agreedProblem.ts'

const refused = { refused: 'reverted' }
const by = (...problems: (MintProblem | null)[]) =>
  problems.map((problem, i) => ({ source: `node${i}`, problem }))

test.each<[string, (MintProblem | null)[], MintProblem | null]>([
  ['that one of two providers can mint, and the other refuses', [refused, null], null],
  ['that two of three can mint', ['expired', null, null], null],
  ['that two refuse', [refused, refused], refused],
  ['that one calls expired, and another refuses', [refused, 'expired'], 'expired'],
  ['that two cannot mint, and one that lags can', [refused, 'expired', null], 'expired'],
  ['that two call used', ['used', 'used', null], 'used'],
  ['that one calls used, and two can mint', ['used', null, null], null],
])('a message %s', (_what, problems, problem) => {
  expect(agreedProblem(by(...problems), null)).toEqual(problem)
})

test('one provider drops no message, unless it suffices alone', () => {
  const few = 'too few providers agree on a mint'
  expect(() => agreedProblem(by(refused), null)).toThrow(few)
  expect(() => agreedProblem(by('expired'), 'node1')).toThrow(few)
  expect(() => agreedProblem(by('used', refused), null)).toThrow(few)
  expect(() => agreedProblem(by('expired', null), null)).toThrow(few)
  expect(() => agreedProblem(by(null, null, 'expired', 'expired'), null)).toThrow(few)
  expect(() => agreedProblem([], null)).toThrow(few)
  expect(agreedProblem(by(refused), 'node0')).toEqual(refused)
  expect(agreedProblem(by('used'), 'node0')).toBe('used')
})
