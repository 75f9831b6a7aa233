import { describe, expect, test } from '@jest/globals'
import { ProviderError } from '../src/chains/chain.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { type BlockCheckContext, providerWithBlock } from './providerWithBlock.ts'

const block = { height: 7, id: 'ours' }
type Answer = 'ours' | 'theirs' | 'nothing' | 'fails'

/** Providers with these answers about the block; named ones also answer with their tips in time. */
function setting(answers: Record<string, Answer>, heads: Record<string, number>): BlockCheckContext {
  const reader = {
    sources: Object.keys(answers),
    tips: async () => Object.entries(heads).map(([source, head]) => ({ source, head, finalized: null })),
    header: async (height: number, source = '') => {
      const answer = answers[source]
      if (answer === 'fails') throw new ProviderError(`${source}: throttled`)
      return answer === 'nothing' || answer === undefined
        ? null
        : { height, id: answer, parentId: '', time: new Date(0) }
    },
  }
  return { reader, chain: { blockMs: 1 }, crossCheckMs: 200 }
}
const noProviderLeft = (ctx: BlockCheckContext) =>
  waitFor('that it is silent', async () => (await providerWithBlock(ctx, block)) === null, 5000)

describe('a provider that still has a block', () => {
  test('is found by its name, also if its tip comes too late', async () => {
    expect(await providerWithBlock(setting({ liar: 'theirs', honest: 'ours' }, { liar: 9 }), block)).toBe(
      'honest',
    )
    expect(
      await providerWithBlock(setting({ liar: 'theirs', behind: 'nothing' }, { liar: 9, behind: 6 }), block),
    ).toBeNull()
  })

  test('may exist while one cannot answer: that one is waited for until it is silent', async () => {
    const ctx = setting({ liar: 'theirs', honest: 'fails' }, { liar: 9 })
    await expect(providerWithBlock(ctx, block)).rejects.toThrow('honest cannot say')
    await noProviderLeft(ctx)
  })

  test('does not count if it stalls below the others', async () => {
    const heads = { liar: 9, halted: 8 }
    const ctx = setting({ liar: 'theirs', halted: 'ours' }, heads)
    expect(await providerWithBlock(ctx, block)).toBe('halted')
    expect(await providerWithBlock(ctx, block)).toBe('halted')
    await noProviderLeft(ctx)
    heads.halted = 9
    expect(await providerWithBlock(ctx, block)).toBe('halted')
  })
})
