import { randomBytes } from 'node:crypto'
import type { Family, MemoType } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import { invalidBody } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { newMnemonic, parseMnemonic, seedOf } from './mnemonic.ts'

export interface GeneratedWallet {
  /** As it is shown. */
  address: string
  /** In the form that the chain's own wallets import. */
  privateKey: Secret
  publicKey: string
  /** In lower case, one space between words. */
  mnemonic: Secret
  derivationPath: string
  /** To tell deposits of one account apart by. On Stellar only. */
  memo?: string
  memoType?: MemoType
}

/**
 * Makes a wallet and keeps nothing of it.
 * @param options a phrase that the caller has already, and where under it; else a new one, and where the chain's wallets look first
 * @throws ApiError 400 that names the field and quotes none of it
 */
export async function generateWallet(
  chain: { family: Family },
  options: { mnemonic?: Secret; derivationPath?: string } = {},
): Promise<GeneratedWallet> {
  const keys = walletKeys(chain.family)
  const derivationPath = options.derivationPath ?? keys.defaultPath
  const refused = keys.refusePath(derivationPath)
  if (refused !== null) throw invalidBody({ field: 'derivationPath', message: refused })
  const mnemonic = options.mnemonic ? parseMnemonic(options.mnemonic) : newMnemonic()
  if (!(mnemonic instanceof Secret)) throw invalidBody({ field: 'mnemonic', message: mnemonic.refused })
  const { address, privateKey, publicKey } = keys.derive((await seedOf(mnemonic)).reveal(), derivationPath)
  return {
    address: addressCodec(chain.family).display(address),
    privateKey,
    publicKey,
    mnemonic,
    derivationPath,
    ...(chain.family === 'stellar' && { memo: randomId(), memoType: 'id' }),
  }
}

/** Of 63 bits, which whatever reads signed numbers reads too, and not zero, which wallets read as none. */
function randomId(): string {
  const id = randomBytes(8).readBigUInt64BE() >> 1n
  return id === 0n ? randomId() : id.toString()
}
