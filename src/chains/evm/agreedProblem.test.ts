import { expect, test } from '@jest/globals'
import type { MintProblem } from '../bridging.ts'
import { agreedProblem } from './agreedProblem.ts'

const refused = { refused: 'reverted' }
const by = (...problems: (MintProblem | null)[]) => problems.map((problem, i) => ({ source: `node${i}`, problem }))

test.each<[string, (MintProblem | null)[], MintProblem | null]>([
  ['that one of two providers can mint', [refused, null], null],
  ['that one of three providers can mint', [refused, 'expired', null], null],
  ['that two refuse', [refused, refused], refused],
  ['that one calls expired, and another refuses', [refused, 'expired'], 'expired'],
  ['that one calls used', [refused, 'used'], 'used'],
])('a message %s', (_what, problems, problem) => {
  expect(agreedProblem(by(...problems), null)).toEqual(problem)
})

test('one provider drops no message, unless it suffices alone', () => {
  expect(() => agreedProblem(by(refused), null)).toThrow('one provider alone refuses a mint')
  expect(() => agreedProblem(by('expired'), 'node1')).toThrow('one provider alone refuses a mint')
  expect(agreedProblem(by(refused), 'node0')).toEqual(refused)
})
