import { signersOf } from '../src/chains/action.ts'
import type { Family } from '../src/chains/chain.ts'
import { registeredChain } from '../src/chains/registry.ts'
import type { PlatformKeys } from '../src/custody/platformAddresses.ts'
import type { Tx } from '../src/platform/database/db.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { Intent } from '../src/txmgr/intents.ts'
import type { IntentSigner } from '../src/txmgr/signingPolicy.ts'

/**
 * The signers of the platform's own addresses. `treasury`: the treasury's key, with those of deposit
 * addresses that cosign. `deposit`: the key of one deposit address. `staking`: the key of the staking
 * address. Keys are derived from the seed: a row only has the index to try.
 */
export const platformSigners = (keys: PlatformKeys): readonly IntentSigner[] =>
  (['deposit', 'treasury', 'staking'] as const).map((name) => ({
    name,
    refusal: (tx, row) => refusalOf(tx, keys, row, name),
    async open(tx, row) {
      const opened: Secret[] = []
      for (const address of signersOf(row.action))
        opened.push(await openKey(tx, keys, familyOf(row), address))
      return opened
    },
  }))

const familyOf = ({ chain }: Pick<Intent, 'chain'>): Family => registeredChain(chain).family

async function refusalOf(
  tx: Tx,
  keys: PlatformKeys,
  row: Intent,
  name: 'deposit' | 'treasury' | 'staking',
): Promise<string | null> {
  if (row.businessId !== null || row.walletId !== null) return "the platform's keys sign for no business"
  const family = familyOf(row)
  const [from, ...cosigners] = signersOf(row.action)
  if (name === 'staking')
    return from === keys.staking(family) && cosigners.length === 0
      ? null
      : 'it is not from the staking address alone'
  if (name === 'treasury' && from !== keys.treasury(family)) return "it is not from the treasury's address"
  for (const address of name === 'treasury' ? cosigners : [from, ...cosigners]) {
    if (address === undefined || (await keys.depositKey(tx, family, address)) === null)
      return `${address} is not a deposit address of this seed`
  }
  return null
}

async function openKey(tx: Tx, keys: PlatformKeys, family: Family, address: string): Promise<Secret> {
  if (address === keys.treasury(family)) return keys.treasuryKey(family)
  if (address === keys.staking(family)) return keys.stakingKey(family)
  const key = await keys.depositKey(tx, family, address)
  if (!key) throw new Error(`${address} is not an address of this seed`)
  return key
}
