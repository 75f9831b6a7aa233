import { expect, test } from '@jest/globals'
import { intentPurposes } from '../../src/capabilities.ts'
import type { WalletOpener } from '../../src/custody/walletKeys.ts'
import { isOurs } from '../../src/txmgr/intents.ts'
import { treasurySigners } from '../../treasury/signers.ts'

const noKeys = {} as WalletOpener

test('the treasury has each signer that a purpose of intents names, once', () => {
  const named = new Set(intentPurposes.flatMap(({ signers }) => signers).filter(isOurs))
  expect(named.size).toBeGreaterThan(0)
  expect(
    treasurySigners(noKeys)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...named].sort())
})
