import { randomBytes } from 'node:crypto'
import type { Family, MemoType } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { walletKeys } from '../chains/walletKeys.ts'
import { invalidBody } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { newMnemonic, parseMnemonic, seedOf } from './mnemonic.ts'

export interface GeneratedWallet {
  /** In display form. */
  address: string
  /** In the form that the chain's own wallets import. */
  privateKey: Secret
  publicKey: string
  /** In lower case, one space between words. */
  mnemonic: Secret
  derivationPath: string
  /** Identifies deposits of one shared account. On Stellar only. */
  memo?: string
  memoType?: MemoType
}

/**
 * Generates a wallet and stores nothing of it.
 * @param options the caller's own phrase and path; defaults: a new phrase, and the default path of the
 * chain's wallets
 * @throws ApiError 400 that names the field and quotes nothing of it
 */
export async function generateWallet(
  chain: { family: Family },
  options: { mnemonic?: Secret; derivationPath?: string } = {},
): Promise<GeneratedWallet> {
  const keys = walletKeys(chain.family)
  const derivationPath = options.derivationPath ?? keys.defaultPath
  const refused = keys.refusePath(derivationPath)
  if (refused !== null) throw invalidBody({ field: 'derivationPath', message: refused, code: 'invalid_form' })
  const mnemonic = options.mnemonic ? parseMnemonic(options.mnemonic) : newMnemonic()
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

/** 63 bits, for readers of signed numbers; not zero, which wallets read as no memo. */
function randomId(): string {
  const id = randomBytes(8).readBigUInt64BE() >> 1n
  return id === 0n ? randomId() : id.toString()
}
