import { expect, test } from '@jest/globals'
import { isNewerAnswer, notAhead } from './partnerTime.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000)
const answer = (updated: number, asked: number) => ({ updatedAt: at(updated), askedAt: at(asked) })
const century = 100 * 365 * 1440

test("within ten minutes the partner's time orders answers, and of one time the later request", () => {
  expect(isNewerAnswer(answer(1, 5), answer(2, 6))).toBe(true)
  expect(isNewerAnswer(answer(2, 6), answer(1, 7))).toBe(false)
  expect(isNewerAnswer(answer(2, 7), answer(3, 6))).toBe(true)
  expect(isNewerAnswer(answer(2, 6), answer(2, 7))).toBe(true)
  expect(isNewerAnswer(answer(2, 6), answer(2, 6))).toBe(false)
})

test('an answer that was requested more than ten minutes later is newer, and one from before older, whatever time it names', () => {
  expect(isNewerAnswer(answer(century, 0), answer(-1, 11))).toBe(true)
  expect(isNewerAnswer(answer(-1, 11), answer(century, 0))).toBe(false)
  expect(isNewerAnswer(answer(5, 5), answer(1, 16))).toBe(true)
})

test('a time from the future counts as that of its request: a later change is seen at once', () => {
  expect(notAhead(answer(century, 3))).toEqual(at(3))
  expect(notAhead(answer(2, 3))).toEqual(at(2))
  expect(isNewerAnswer(answer(century, 0), answer(1, 2))).toBe(true)
  expect(isNewerAnswer(answer(century, 0), answer(century, 1))).toBe(true)
  expect(isNewerAnswer(answer(century, 0), answer(century + 1, 0))).toBe(true)
})
