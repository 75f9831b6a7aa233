import { expect, test } from '@jest/globals'
import { ProviderError } from '../src/chains/chain.ts'
import { createLog } from '../src/platform/log.ts'
import { createMisfit } from './misfit.ts'

const differ = () => Promise.reject(new ProviderError('the providers are on different forks'))

function setting(blockMs = 1000) {
  let at = 0
  const doubted: string[] = []
  const misfit = createMisfit(
    { reader: { doubt: (source) => void doubted.push(source) }, chain: { blockMs }, log: createLog('test', 'silent') },
    () => at,
  )
  const tell = (source: string) => expect(misfit.during({ source }, differ)).rejects.toThrow(ProviderError)
  const pass = (ms: number) => {
    at += ms
  }
  return { misfit, doubted, tell, pass }
}

test('a provider whose blocks do not fit for as long as the others may take to follow is doubted, again after as long', async () => {
  const { doubted, tell, pass } = setting()
  await tell('a')
  pass(9_999)
  await tell('a')
  expect(doubted).toEqual([])
  pass(1)
  await tell('a')
  expect(doubted).toEqual(['a'])
  await tell('a')
  expect(doubted).toEqual(['a'])
  pass(10_000)
  await tell('a')
  expect(doubted).toEqual(['a', 'a'])
})

test('one whose block fits meanwhile is not, nor is another one, nor one that a fork is looked into with success; slow chains are given three blocks', async () => {
  const { misfit, doubted, tell, pass } = setting(12_000)
  await tell('a')
  pass(35_000)
  await tell('b')
  expect(await misfit.during({ source: 'a' }, async () => 'gone back')).toBe('gone back')
  misfit.fits({ source: 'a' })
  pass(1_000)
  await tell('a')
  expect(doubted).toEqual([])
})

test('what is no word of a provider is thrown on and counts against none', async () => {
  const { misfit, doubted, pass } = setting()
  const ends = () => misfit.during({ source: 'a' }, () => Promise.reject(new Error('too deep')))
  await expect(ends()).rejects.toThrow('too deep')
  pass(60_000)
  await expect(ends()).rejects.toThrow('too deep')
  expect(doubted).toEqual([])
})
