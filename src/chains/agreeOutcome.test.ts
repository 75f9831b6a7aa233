import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { agree, agreedOutcome, type Told } from './agreeOutcome.ts'
import { createProviders } from './providers/providers.ts'
import type { Outcome, SentTransaction } from './sending.ts'

type Standing = 'seen' | 'confirmed' | 'final'

const included = (standing: Standing, change: { blockId?: string; succeeded?: boolean } = {}, head = 20): Told => ({
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
const gone = (standing: Standing): Told => ({ head: 20, outcome: { status: 'gone', reason: 'expired', standing } })
const absent = (head = 20): Told => ({ head, outcome: { status: 'absent' } })
const standingOf = (outcome: Outcome) => (outcome.status === 'absent' ? null : outcome.standing)

describe('a transaction in a block', () => {
  test('is as deep as who sees it deepest says', () => {
    expect(agree([included('seen'), included('final')])).toMatchObject({ status: 'included', standing: 'final' })
  })

  test('is not held back by who has not come so far, and is by who has and does not have it', () => {
    expect(standingOf(agree([included('final'), absent(9)]))).toBe('final')
    expect(standingOf(agree([included('final'), absent(10)]))).toBe('seen')
    expect(standingOf(agree([included('final'), included('final'), absent(10)]))).toBe('final')
  })

  test('is only seen where one provider alone says that it failed', () => {
    expect(agree([included('final', { succeeded: false }), included('final')])).toMatchObject({ standing: 'seen' })
    expect(agree([included('final', { succeeded: false }), included('final'), included('confirmed')])).toMatchObject({
      succeeded: true,
      standing: 'final',
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
  const open = (name: string, ms: number, say: () => Told) => () => ({
    name,
    close: async () => {},
    say: async () => {
      await delay(ms)
      return say()
    },
  })
  const observe = { called: () => {}, refused: () => {} }
  const transaction = (txId: string): SentTransaction => ({ txId, expiry: null, sequence: 1n })

  test('who answers at once and stands still does not hide for ever what another one has that takes its time', async () => {
    const providers = createProviders([open('quick', 0, () => absent(9)), open('slow', 250, () => included('final'))], { observe })
    const ask = (txId: string) => agreedOutcome(providers, [transaction(txId)], (endpoint) => endpoint.say())
    expect(await ask('0x1')).toEqual({ status: 'absent' })
    await delay(300)
    expect(await ask('0x2')).toEqual({ status: 'absent' })
    expect(await ask('0x1')).toMatchObject({ status: 'included', standing: 'final' })
  })
})
