import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type MovementState, movementNews, type ReportedHeights, toldOf } from './movementNews.ts'

test.each<[string, MovementState, ReportedHeights | null, string]>([
  ['is there', { status: 'seen', generation: 1 }, null, 'detected'],
  ['was confirmed before anybody asked', { status: 'confirmed', generation: 1 }, null, 'detected confirmed'],
  ['came and went before anybody asked', { status: 'reverted', generation: 1 }, null, ''],
  ['is confirmed since', { status: 'confirmed', generation: 1 }, { told: 'detected', generation: 1 }, 'confirmed'],
  ['is as it was told', { status: 'confirmed', generation: 1 }, { told: 'confirmed', generation: 1 }, ''],
  ['was taken back', { status: 'reverted', generation: 1 }, { told: 'confirmed', generation: 1 }, 'reverted'],
  ['was taken back, which is told already', { status: 'reverted', generation: 1 }, { told: 'reverted', generation: 1 }, ''],
  ['came back', { status: 'seen', generation: 2 }, { told: 'reverted', generation: 1 }, 'detected'],
  ['went and came back since', { status: 'confirmed', generation: 2 }, { told: 'confirmed', generation: 1 }, 'reverted detected confirmed'],
  ['went, came back and went', { status: 'reverted', generation: 2 }, { told: 'detected', generation: 1 }, 'reverted'],
])('of a movement that %s', (_what, now, last, news) => {
  expect(
    movementNews(now, last)
      .map((type) => type.replace('transaction.', ''))
      .join(' '),
  ).toBe(news)
})

const steps = fc.array(fc.record({ to: fc.constantFrom('confirm' as const, 'revert' as const, 'revive' as const), ask: fc.boolean() }), {
  maxLength: 40,
})

test('whatever happens between two questions: what is told is a legal word, and its last letter is the truth', () => {
  fc.assert(
    fc.property(steps, (history) => {
      let now: MovementState = { status: 'seen', generation: 1 }
      let last: ReportedHeights | null = null
      let word = ''
      const ask = () => {
        const news = movementNews(now, last)
        if (news.length > 0) last = toldOf(now)
        word += news.map((type) => type.replace('transaction.', '').charAt(0)).join('')
      }
      for (const { to, ask: asks } of history) {
        if (to === 'confirm' && now.status === 'seen') now = { ...now, status: 'confirmed' }
        if (to === 'revert') now = { ...now, status: 'reverted' }
        if (to === 'revive' && now.status === 'reverted') now = { status: 'seen', generation: now.generation + 1 }
        if (asks) ask()
      }
      ask()
      ask()
      expect(word).toMatch(/^(dc?r)*(dc?)?$/)
      expect(word.at(-1) ?? 'r').toBe({ seen: 'd', confirmed: 'c', reverted: 'r' }[now.status])
    }),
  )
})
