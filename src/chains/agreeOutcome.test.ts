import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { waitFor } from '../../test/support/waitFor.ts'
import { agreedOutcome, agree as agreeOf, type ReportedHeights } from './agreeOutcome.ts'
import { ProviderError } from './chain.ts'
import { createProviders } from './providers/providers.ts'
import type { Outcome, SentTransaction } from './sending.ts'

type Standing = 'seen' | 'confirmed' | 'final'

const included = (standing: Standing, change: { blockId?: string; succeeded?: boolean } = {}, head = 20): ReportedHeights => ({
  head,
  outcome: {
    status: 'included',
    txId: '0x1',
    succeeded: change.succeeded ?? true,
    reason: null,
    blockHeight: 10,
    blockId: change.blockId ?? '0xa',
    standing,
    fee: 1n,
    gasUsed: null,
  },
})
const gone = (standing: Standing, reason: 'expired' | 'sequence_used' = 'expired'): ReportedHeights => ({
  head: 20,
  outcome: { status: 'gone', reason, standing },
})
const absent = (head = 20): ReportedHeights => ({ head, outcome: { status: 'absent' } })
/** What several say, `a`, `b` and so on. @param alone the one whose word is enough */
const agree = (told: readonly ReportedHeights[], alone: string | null = null) =>
  agreeOf(
    told.map((each, index) => ({ ...each, source: 'abcdefgh'[index] ?? '' })),
    alone,
  )
const standingOf = (outcome: Outcome) => (outcome.status === 'absent' ? null : outcome.standing)

describe('a transaction in a block', () => {
  test('is as deep as two say: one could call everything final', () => {
    expect(agree([included('seen'), included('final')])).toMatchObject({ status: 'included', standing: 'seen' })
    expect(agree([included('confirmed'), included('final')])).toMatchObject({ status: 'included', standing: 'confirmed' })
    expect(agree([included('seen'), included('final'), included('final')])).toMatchObject({ status: 'included', standing: 'final' })
  })

  test('is as deep as one says where all others are silent', () => {
    expect(agree([included('final')])).toMatchObject({ status: 'included', standing: 'seen' })
    expect(agree([included('final')], 'a')).toMatchObject({ status: 'included', standing: 'final' })
    expect(agree([included('seen'), included('final')], 'a')).toMatchObject({ status: 'included', standing: 'seen' })
    expect(agree([included('seen'), included('final')], 'b')).toMatchObject({ status: 'included', standing: 'final' })
  })

  test('is not held back by who has not come so far, and is by who has and does not have it', () => {
    expect(standingOf(agree([included('final'), absent(9)], 'a'))).toBe('final')
    expect(standingOf(agree([included('final'), absent(10)], 'a'))).toBe('seen')
    expect(standingOf(agree([included('final'), included('final'), absent(10)]))).toBe('final')
  })

  test('is only seen where one provider alone says that it failed', () => {
    expect(agree([included('final', { succeeded: false }), included('final')])).toMatchObject({ standing: 'seen' })
    expect(agree([included('final', { succeeded: false }), included('final'), included('confirmed')])).toMatchObject({
      succeeded: true,
      standing: 'confirmed',
    })
  })

  test('is only seen where they name different blocks', () => {
    expect(agree([included('final'), included('final', { blockId: '0xb' })])).toMatchObject({ standing: 'seen' })
  })
})

describe('a transaction that can never come', () => {
  test('is gone where all say so, as deep as the one says that has come least far', () => {
    expect(agree([gone('final'), gone('confirmed')])).toEqual({ status: 'gone', reason: 'expired', standing: 'confirmed' })
  })

  test('is gone because its sequence was used where any of them says so', () => {
    const [used, expired] = [gone('final', 'sequence_used'), gone('final')]
    for (const told of [
      [used, expired],
      [expired, used],
    ])
      expect(agree(told)).toEqual({ status: 'gone', reason: 'sequence_used', standing: 'final' })
  })

  test('is merely absent where one alone answers, unless all others are silent: what is gone is sent again', () => {
    expect(agree([gone('final')])).toEqual({ status: 'absent' })
    expect(agree([gone('final')], 'a')).toMatchObject({ status: 'gone', standing: 'final' })
    expect(agree([gone('final'), absent()], 'a')).toEqual({ status: 'absent' })
  })

  test('is merely absent where one of them does not say so', () => {
    expect(agree([gone('final'), absent()])).toEqual({ status: 'absent' })
    expect(agree([gone('final'), gone('final'), absent(0)])).toEqual({ status: 'absent' })
  })

  test('is in a block, as far as anybody knows, where another one has it there', () => {
    expect(agree([gone('final'), included('final')])).toMatchObject({ status: 'included', standing: 'seen' })
    expect(agree([gone('final'), included('final'), included('final')])).toMatchObject({ status: 'included', standing: 'final' })
    expect(agree([gone('final'), gone('final'), included('final')])).toMatchObject({ status: 'included', standing: 'seen' })
  })
})

describe('asking', () => {
  const open = (name: string, ms: number, say: () => ReportedHeights) => () => ({
    name,
    close: async () => {},
    say: async () => {
      await delay(ms)
      return say()
    },
  })
  const observe = { called: () => {}, refused: () => {} }
  const silence = { crossCheckMs: 200, blockMs: 10 }
  const transaction = (txId: string): SentTransaction => ({ txId, expiry: null, sequence: 1n })

  test('who answers at once and stands still does not hide for ever what another one has that takes its time', async () => {
    const providers = createProviders([open('quick', 0, () => absent(9)), open('slow', 250, () => included('final'))], { observe, silence })
    const ask = (txId: string) => agreedOutcome(providers, [transaction(txId)], (endpoint) => endpoint.say())
    expect(await ask('0x1')).toEqual({ status: 'absent' })
    await delay(300)
    expect(await ask('0x2')).toEqual({ status: 'absent' })
    expect(await ask('0x1')).toMatchObject({ status: 'included', standing: 'seen' })
    await waitFor('its word alone', async () => standingOf(await ask('0x1')) === 'final')
  })

  test.each<[string, () => ReportedHeights]>([
    ['final', () => included('final')],
    ['gone', () => gone('final')],
  ])('what one alone calls %s is so when the other has not answered for a while', async (what, said) => {
    const down = () => {
      throw new ProviderError('down')
    }
    let other: () => ReportedHeights = () => said()
    const providers = createProviders([open('one', 0, said), open('other', 0, () => other())], { observe, silence })
    const ask = () => agreedOutcome(providers, [transaction('0x1')], (endpoint) => endpoint.say())
    const isSo = (outcome: Outcome) => (what === 'gone' ? outcome.status === 'gone' : standingOf(outcome) === 'final')
    expect(isSo(await ask())).toBe(true)
    other = down
    expect(isSo(await ask())).toBe(false)
    await waitFor('its word alone', async () => isSo(await ask()))
    other = () => absent()
    expect(isSo(await ask())).toBe(false)
  })
})
