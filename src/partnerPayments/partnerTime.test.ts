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

test('an answer that was requested more than ten minutes later is newer, and one from before older, with any time that it names', () => {
  expect(isNewerAnswer(answer(century, 0), answer(-1, 11))).toBe(true)
  expect(isNewerAnswer(answer(-1, 11), answer(century, 0))).toBe(false)
  expect(isNewerAnswer(answer(5, 5), answer(1, 16))).toBe(true)
})

test('a time far in the future counts as ten minutes after its request', () => {
  expect(notAhead(answer(century, 3))).toEqual(at(13))
  expect(notAhead(answer(2, 3))).toEqual(at(2))
  // Clocks differ.
  expect(notAhead(answer(4, 3))).toEqual(at(4))
  expect(isNewerAnswer(answer(century, 0), answer(1, 2))).toBe(false)
  expect(isNewerAnswer(answer(century, 0), answer(11, 2))).toBe(true)
  expect(isNewerAnswer(answer(century, 0), answer(century, 1))).toBe(true)
})
