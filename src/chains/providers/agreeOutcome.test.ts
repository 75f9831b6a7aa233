import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { waitFor } from '../../../test/support/waitFor.ts'
import { ProviderError } from '../chain.ts'
import type { Outcome, SentTransaction, TokenMove } from '../sending.ts'
import { agreedOutcome, agree as agreeOf, type ReportedOutcome } from './agreeOutcome.ts'
import { createProviders } from './providers.ts'

type Standing = 'seen' | 'confirmed' | 'final'

const included = (
  standing: Standing,
  change: { blockId?: string; succeeded?: boolean; tokenMoves?: TokenMove[] | null } = {},
  head = 20,
): ReportedOutcome => ({
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
    ...(change.tokenMoves !== undefined && { tokenMoves: change.tokenMoves }),
  },
})
const unminable = (standing: Standing, reason: 'expired' | 'sequence_used' = 'expired'): ReportedOutcome => ({
  head: 20,
  outcome: { status: 'unminable', reason, standing },
})
const absent = (head = 20): ReportedOutcome => ({ head, outcome: { status: 'absent' } })
/** The agreed outcome of answers by `a`, `b` and so on. @param alone the provider that suffices */
const agree = (reported: readonly ReportedOutcome[], alone: string | null = null) =>
  agreeOf(
    reported.map((each, index) => ({ ...each, source: 'abcdefgh'[index] ?? '' })),
    alone,
  )
const standingOf = (outcome: Outcome) => (outcome.status === 'absent' ? null : outcome.standing)

describe('a transaction in a block', () => {
  test('has the standing that two report: a single one could call everything final', () => {
    expect(agree([included('seen'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(agree([included('confirmed'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'confirmed',
    })
    expect(agree([included('seen'), included('final'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'final',
    })
  })

  test('has the standing that one reports if all others are silent', () => {
    expect(agree([included('final')])).toMatchObject({ status: 'included', standing: 'seen' })
    expect(agree([included('final')], 'a')).toMatchObject({ status: 'included', standing: 'final' })
    expect(agree([included('seen'), included('final')], 'a')).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(agree([included('seen'), included('final')], 'b')).toMatchObject({
      status: 'included',
      standing: 'final',
    })
  })

  test('is not affected by a provider below its height, but by one that has the height and lacks the transaction', () => {
    expect(standingOf(agree([included('final'), absent(9)], 'a'))).toBe('final')
    expect(standingOf(agree([included('final'), absent(10)], 'a'))).toBe('seen')
    expect(standingOf(agree([included('final'), included('final'), absent(10)]))).toBe('final')
  })

  test('is only seen if a single provider reports that it failed', () => {
    expect(agree([included('final', { succeeded: false }), included('final')])).toMatchObject({
      standing: 'seen',
    })
    expect(
      agree([included('final', { succeeded: false }), included('final'), included('confirmed')]),
    ).toMatchObject({
      succeeded: true,
      standing: 'confirmed',
    })
  })

  test('is only seen if they name different blocks', () => {
    expect(agree([included('final'), included('final', { blockId: '0xb' })])).toMatchObject({
      standing: 'seen',
    })
  })

  describe('and the tokens that it moved', () => {
    const moving = (amount: bigint | null, standing: Standing = 'final', head = 20) =>
      included(standing, { tokenMoves: amount === null ? null : [{ contract: 'c', to: 'b', amount }] }, head)
    const [whole, short, later] = [moving(10n), moving(9n), moving(null)]

    test('are as two report them', () => {
      expect(agree([whole, whole])).toMatchObject({ standing: 'final', tokenMoves: [{ amount: 10n }] })
      expect(agree([later, whole, whole])).toMatchObject({ standing: 'final', tokenMoves: [{ amount: 10n }] })
      expect(agree([short, whole, whole])).toMatchObject({ standing: 'final', tokenMoves: [{ amount: 10n }] })
    })

    test('are not known by a single report: a node without one agrees about the block alone', () => {
      expect(agree([later, whole])).toMatchObject({ standing: 'final', tokenMoves: null })
      expect(agree([later, later, short])).toMatchObject({ standing: 'final', tokenMoves: null })
      expect(agree([later, later])).toMatchObject({ standing: 'final', tokenMoves: null })
    })

    test('are those of one report if all others are silent', () => {
      expect(agree([whole], 'a')).toMatchObject({ standing: 'final', tokenMoves: [{ amount: 10n }] })
      expect(agree([later, whole], 'b')).toMatchObject({ standing: 'final', tokenMoves: [{ amount: 10n }] })
      expect(agree([later, whole], 'a')).toMatchObject({ standing: 'final', tokenMoves: null })
    })

    test.each([
      [[whole, short]],
      [[later, whole, short]],
      [[whole, later, short]],
      [[later, short, whole]],
      [[later, later, short, whole]],
      [[whole, whole, short, short]],
    ])('leave it only seen where reports differ, in any order (%#)', (reported) => {
      expect(agree(reported)).toMatchObject({ standing: 'seen', tokenMoves: null })
    })

    test('have the standing of those that report them, and of those without a report', () => {
      expect(agree([short, moving(10n, 'confirmed'), moving(10n, 'seen')])).toMatchObject({
        standing: 'seen',
        tokenMoves: [{ amount: 10n }],
      })
      expect(agree([moving(10n, 'confirmed'), moving(10n, 'seen'), later])).toMatchObject({
        standing: 'confirmed',
        tokenMoves: [{ amount: 10n }],
      })
    })

    test('are absent where all arrives by rule', () => {
      const outcome = agree([included('final'), included('final')])
      expect(outcome.status === 'included' && 'tokenMoves' in outcome).toBe(false)
    })
  })
})

describe('an unminable transaction', () => {
  test('needs all answers, and has the lowest standing among them', () => {
    expect(agree([unminable('final'), unminable('confirmed')])).toEqual({
      status: 'unminable',
      reason: 'expired',
      standing: 'confirmed',
    })
  })

  test('has the reason that its nonce was used if any of them reports that', () => {
    const [used, expired] = [unminable('final', 'sequence_used'), unminable('final')]
    for (const reported of [
      [used, expired],
      [expired, used],
    ])
      expect(agree(reported)).toEqual({ status: 'unminable', reason: 'sequence_used', standing: 'final' })
  })

  test('is only absent if a single provider answers, unless all others are silent: unminable transactions are sent again', () => {
    expect(agree([unminable('final')])).toEqual({ status: 'absent' })
    expect(agree([unminable('final')], 'a')).toMatchObject({ status: 'unminable', standing: 'final' })
    expect(agree([unminable('final'), absent()], 'a')).toEqual({ status: 'absent' })
  })

  test('is only absent if one of them disagrees', () => {
    expect(agree([unminable('final'), absent()])).toEqual({ status: 'absent' })
    expect(agree([unminable('final'), unminable('final'), absent(0)])).toEqual({ status: 'absent' })
  })

  test('is in a block if another provider has it there', () => {
    expect(agree([unminable('final'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(agree([unminable('final'), included('final'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'final',
    })
    expect(agree([unminable('final'), unminable('final'), included('final')])).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
  })
})

describe('asking', () => {
  const open = (name: string, ms: number, say: () => ReportedOutcome) => () => ({
    name,
    close: async () => {},
    say: async () => {
      await delay(ms)
      return say()
    },
  })
  const observe = { called: () => {}, refused: () => {} }
  const silence = { crossCheckMs: 200, blockMs: 10 }
  const transaction = (txId: string): SentTransaction => ({ txId, expiry: null, nonce: 1n })

  test('a fast provider that lags does not permanently hide what a slower one has', async () => {
    const providers = createProviders(
      [open('quick', 0, () => absent(9)), open('slow', 250, () => included('final'))],
      { observe, silence },
    )
    const ask = (txId: string) => agreedOutcome(providers, [transaction(txId)], (endpoint) => endpoint.say())
    expect(await ask('0x1')).toEqual({ status: 'absent' })
    await delay(300)
    expect(await ask('0x2')).toEqual({ status: 'absent' })
    expect(await ask('0x1')).toMatchObject({ status: 'included', standing: 'seen' })
    await waitFor('its report alone', async () => standingOf(await ask('0x1')) === 'final')
  })

  test.each<[string, () => ReportedOutcome]>([
    ['final', () => included('final')],
    ['gone', () => unminable('final')],
  ])(
    'the answer of a single provider, %s, holds once the other has not answered for a while',
    async (what, said) => {
      const down = () => {
        throw new ProviderError('down')
      }
      let other: () => ReportedOutcome = () => said()
      const providers = createProviders([open('one', 0, said), open('other', 0, () => other())], {
        observe,
        silence,
      })
      const ask = () => agreedOutcome(providers, [transaction('0x1')], (endpoint) => endpoint.say())
      const isSo = (outcome: Outcome) =>
        what === 'gone' ? outcome.status === 'unminable' : standingOf(outcome) === 'final'
      expect(isSo(await ask())).toBe(true)
      other = down
      expect(isSo(await ask())).toBe(false)
      await waitFor('its report alone', async () => isSo(await ask()))
      other = () => absent()
      expect(isSo(await ask())).toBe(false)
    },
  )
})
