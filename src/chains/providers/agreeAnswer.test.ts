import { describe, expect, test } from '@jest/globals'
import { ProviderError } from '../chain.ts'
import { agreedAnswer, agreedAnswers } from './agreeAnswer.ts'

/** Providers with these answers; null: it is down. */
function providersWith(answers: readonly unknown[]) {
  const names = answers.map((_, index) => `node ${index}`)
  const ask = async <T>(
    read: (endpoint: { name: string; close(): Promise<void> }) => Promise<T | null>,
    only?: (name: string) => boolean,
  ) => {
    const name = names.find((each) => only?.(each)) ?? ''
    if (answers[names.indexOf(name)] === null) throw new ProviderError(`${name} is down`)
    return read({ name, close: async () => {} })
  }
  return { names, ask }
}

function providersOf(answers: readonly (number | null)[]) {
  const providers = providersWith(answers)
  const read = async ({ name }: { name: string }) => ({ value: answers[providers.names.indexOf(name)], name })
  return agreedAnswer(providers, 'a fact', read, ({ value }) => String(value))
}

describe('an answer of several providers', () => {
  test('is that on which two agree, and more than disagree', async () => {
    expect(await providersOf([1, 2, 1])).toMatchObject({ value: 1 })
    expect(await providersOf([null, 3, 3])).toMatchObject({ value: 3 })
  })

  test('of a single provider counts', async () => {
    expect(await providersOf([5])).toMatchObject({ value: 5 })
  })

  test.each([[[1, 2]], [[1, 1, 2, 2]], [[1, 2, 3]]])(
    'is refused while they disagree: %j',
    async (answers) => {
      await expect(providersOf(answers)).rejects.toThrow('providers disagree about a fact')
    },
  )

  test('is refused while too few answer', async () => {
    await expect(providersOf([1, null])).rejects.toThrow('node 1 is down')
    await expect(providersOf([null])).rejects.toThrow('node 0 is down')
  })
})

test('of many facts, only those on which providers disagree are refused', async () => {
  const answers = [[1, 2, 3], null, [1, 5, 3]]
  const providers = providersWith(answers)
  const read = async ({ name }: { name: string }) =>
    (answers[providers.names.indexOf(name)] ?? []).map((value) => ({ value }))
  const agreed = await agreedAnswers(providers, 'a fact', read, ({ value }) => String(value))
  expect(agreed).toEqual([{ value: 1 }, new ProviderError('providers disagree about a fact'), { value: 3 }])
})
