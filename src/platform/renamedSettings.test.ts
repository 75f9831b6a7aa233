import { expect, jest, test } from '@jest/globals'
import { configuredChains } from '../chains/configuration.ts'
import { readConfig } from './config.ts'

test('a renamed setting works under its old name, with one warning, and the new name wins if both are set', () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const crossCheckMs = (env: NodeJS.ProcessEnv) =>
    readConfig(['INDEXER_CROSS_CHECK_MS'], env).INDEXER_CROSS_CHECK_MS
  expect(crossCheckMs({ INDEXER_CROSS_CHECK_MS: '5', INDEXER_WITNESS_MS: '7' })).toBe(5)
  expect(crossCheckMs({})).toBe(30_000)
  expect(warn).not.toHaveBeenCalled()
  expect(crossCheckMs({ INDEXER_CROSS_CHECK_MS: '', INDEXER_WITNESS_MS: '7' })).toBe(7)
  expect(crossCheckMs({ INDEXER_WITNESS_MS: '8' })).toBe(8)
  expect(warn).toHaveBeenCalledTimes(1)
  const { chains } = configuredChains({ TRON_RPC_URLS: 'http://localhost', TRON_LEAST_CONFIRMATIONS: '3' })
  expect(chains[0]?.finality.minConfirmations).toBe(3)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(warn.mock.calls[1]?.[0]).toBe(
    'TRON_LEAST_CONFIRMATIONS is now TRON_MIN_CONFIRMATIONS; the old name works for one more version',
  )
})
