import { expect, test } from '@jest/globals'
import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { keyDerivers } from '../chains/keyDerivers.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import type { Queryable } from '../platform/database/db.ts'
import { Secret } from '../platform/secrets.ts'
import { isOwnDeposit } from './platformAddresses.ts'
import { openPlatformKeys } from './platformKeys.ts'

const seed = new Secret<Uint8Array>(Buffer.alloc(64, 5))
const keys = openPlatformKeys(seed)
const families = Object.keys(keyDerivers) as Family[]

/** A pool that has these addresses under these indexes. */
const pool = (rows: Record<string, number>): Queryable =>
  ({
    query: async (_text: string, [, address]: string[]) =>
      rows[address ?? ''] === undefined ? [] : [{ index: String(rows[address ?? '']) }],
  }) as unknown as Queryable

test.each(families)(
  '%s: the key of a deposit is that of its address, and of no address under another index',
  async (family) => {
    const [own, other] = [keys.deposit(family, 7), keys.deposit(family, 8)]
    const account = addressCodec(family).account?.(own) ?? own
    const key = await keys.depositKey(pool({ [account]: 7 }), family, account)
    expect(key && walletKeys(family).parse(key)?.address).toBe(account)
    expect(await keys.depositKey(pool({}), family, own)).toBeNull()
    expect([
      await isOwnDeposit(pool({ [own]: 7 }), keys, family, own),
      await isOwnDeposit(pool({ [own]: 8 }), keys, family, own),
      await isOwnDeposit(pool({ [other]: 7 }), keys, family, other),
    ]).toEqual([true, false, false])
    if (family !== 'stellar') expect(await keys.depositKey(pool({ [own]: 8 }), family, own)).toBeNull()
  },
)

test.each(families)(
  '%s: the treasury is the first account of the seed, and no deposit; on stellar the account of deposits',
  (family) => {
    const wallets = walletKeys(family)
    const deposits = Array.from({ length: 20 }, (_, index) => keys.deposit(family, index))
    expect(wallets.parse(keys.treasuryKey(family))?.address).toBe(keys.treasury(family))
    if (family === 'stellar')
      expect(keys.treasury(family)).toBe(addressCodec(family).account?.(deposits[0] ?? ''))
    else expect(keys.treasury(family)).toBe(wallets.derive(seed.reveal(), wallets.defaultPath).address)
    expect(deposits).not.toContain(keys.treasury(family))
  },
)
