import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Family } from '../../src/chains/chain.ts'
import type { DatabaseRole } from '../../src/platform/database/grants.ts'
import type { MerchantWallet } from './merchantWallets.ts'

/**
 * State that `npm start` keeps between runs in addition to the databases: keys, ports and the demo's
 * credentials.
 */
export interface DevState {
  appKey: string
  seedKey: string
  /** Seals personal data of the verification area. */
  verifyKey: string
  /** Of the demo business. */
  verificationKeys: { secret: string; publishable: string } | null
  /** Keys with which the API and the worker sign intents for the treasury. */
  intentKeys: { api: string; worker: string }
  /** Of the processes' roles in the local Postgres. */
  rolePasswords: Record<DatabaseRole, string>
  webhookSecret: string | null
  apiKey: string | null
  password: string | null
  businessId: string | null
  yellowCard: { apiKey: string; secretKey: string }
  /** Of the swap providers' stand-ins. */
  swapKeys: { zeroX: string; jupiter: string }
  /** Wallets of the demo's merchant, by family of chains. */
  merchantWallets: Partial<Record<Family, MerchantWallet>>
  /** The URL of the database whose treasury got native coin for its fees. */
  treasuryFundedFor: string | null
  /** The URL of the database that got plans of stakes, and whose staking addresses got money. */
  stakingSeededFor: string | null
  /** The URL of the database that the Stellar devnet's account was opened for. */
  stellarOpenedFor: string | null
  ports: Record<string, number>
}

export const homePath = (): string =>
  resolve(process.env.COWRY_HOME || join(import.meta.dirname, '../../.cowry'))

/** Returns `$COWRY_HOME`, and creates it if needed. */
export function cowryHome(): string {
  const home = homePath()
  mkdirSync(join(home, 'logs'), { recursive: true })
  return home
}

const key = () => randomBytes(32).toString('base64')
const password = () => randomBytes(24).toString('hex')

export function readState(home: string): DevState {
  const file = join(home, 'state.json')
  const fresh: DevState = {
    appKey: key(),
    seedKey: key(),
    verifyKey: key(),
    verificationKeys: null,
    intentKeys: { api: key(), worker: key() },
    rolePasswords: {
      api: password(),
      worker: password(),
      indexer: password(),
      treasury: password(),
      verification: password(),
    },
    webhookSecret: null,
    apiKey: null,
    password: null,
    businessId: null,
    yellowCard: { apiKey: randomBytes(16).toString('hex'), secretKey: randomBytes(32).toString('hex') },
    swapKeys: { zeroX: randomBytes(16).toString('hex'), jupiter: randomBytes(16).toString('hex') },
    merchantWallets: {},
    treasuryFundedFor: null,
    stakingSeededFor: null,
    stellarOpenedFor: null,
    ports: {},
  }
  // Add values that an older version did not have.
  if (!existsSync(file)) return fresh
  const known = JSON.parse(readFileSync(file, 'utf8')) as Partial<DevState>
  return { ...fresh, ...known, rolePasswords: { ...fresh.rolePasswords, ...known.rolePasswords } }
}

export const writePrivate = (file: string, content: object): void =>
  writePrivateText(file, `${JSON.stringify(content, null, 2)}\n`)

/** Writes a file atomically, readable by its owner only. */
export function writePrivateText(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
