import { expect, test } from '@jest/globals'
import { ProviderError } from '../src/chains/chain.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { createContradictions } from './contradictions.ts'

const differ = () => Promise.reject(new ProviderError('the providers are on different forks'))

function setting(blockMs = 1000) {
  let at = 0
  const doubted: string[] = []
  const contradictions = createContradictions(
    {
      reader: { doubt: (source) => void doubted.push(source) },
      chain: { blockMs },
      log: createLog('test', 'silent'),
    },
    () => at,
  )
  const contradict = (source: string) =>
    expect(contradictions.during({ source }, differ)).rejects.toThrow(ProviderError)
  const pass = (ms: number) => {
    at += ms
  }
  return { contradictions, doubted, contradict, pass }
}

test('a provider whose blocks contradict the others for longer than they may take to follow is doubted, again after the same time', async () => {
  const { doubted, contradict, pass } = setting()
  await contradict('a')
  pass(9_999)
  await contradict('a')
  expect(doubted).toEqual([])
  pass(1)
  await contradict('a')
  expect(doubted).toEqual(['a'])
  await contradict('a')
  expect(doubted).toEqual(['a'])
  pass(10_000)
  await contradict('a')
  expect(doubted).toEqual(['a', 'a'])
})

test('a provider is not doubted if a block fits meanwhile, if the fork resolves, or for another provider; slow chains allow three blocks', async () => {
  const { contradictions, doubted, contradict, pass } = setting(12_000)
  await contradict('a')
  pass(35_000)
  await contradict('b')
  expect(await contradictions.during({ source: 'a' }, async () => 'gone back')).toBe('gone back')
  contradictions.fits({ source: 'a' })
  pass(1_000)
  await contradict('a')
  expect(doubted).toEqual([])
})

test('an error that is not a ProviderError is rethrown and counts against no provider', async () => {
  const { contradictions, doubted, pass } = setting()
  const ends = () => contradictions.during({ source: 'a' }, () => Promise.reject(new Error('too deep')))
  await expect(ends()).rejects.toThrow('too deep')
  pass(60_000)
  await expect(ends()).rejects.toThrow('too deep')
  expect(doubted).toEqual([])
})
