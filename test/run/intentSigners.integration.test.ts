import { expect, test } from '@jest/globals'
import { intentPurposes } from '../../src/capabilities.ts'
import type { PlatformKeys } from '../../src/custody/platformAddresses.ts'
import type { WalletOpener } from '../../src/custody/walletKeys.ts'
import { isOwnSigner } from '../../src/txmgr/intents.ts'
import { treasurySigners } from '../../treasury/signers.ts'

const noKeys = {} as WalletOpener
const noSeed = {} as PlatformKeys

test('the treasury has each signer that a purpose of intents names, once', () => {
  const named = new Set(intentPurposes.flatMap(({ signers }) => signers).filter(isOwnSigner))
  expect(named.size).toBeGreaterThan(0)
  expect(
    treasurySigners(noKeys, noSeed)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...named].sort())
})
