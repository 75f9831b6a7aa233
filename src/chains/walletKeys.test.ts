import { expect, test } from '@jest/globals'
import { Secret } from '../platform/secrets.ts'
import type { Family } from './chain.ts'
import { walletKeys } from './walletKeys.ts'

const seed = Buffer.alloc(64, 9)

test.each<Family>(['evm', 'solana', 'tron', 'stellar'])(
  'a key of %s is taken with space around it',
  (family) => {
    const keys = walletKeys(family)
    const { privateKey, address } = keys.derive(seed, keys.defaultPath)
    for (const text of [privateKey.reveal(), ` ${privateKey.reveal()}`, `${privateKey.reveal()}\r\n`])
      expect(keys.parse(new Secret(text))?.address).toBe(address)
    expect(
      keys.parse(new Secret(`${privateKey.reveal().slice(0, 20)} ${privateKey.reveal().slice(20)}`)),
    ).toBeNull()
  },
)
