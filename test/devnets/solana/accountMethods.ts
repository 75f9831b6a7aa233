import { base58 } from '@scure/base'
import type { Address, EncodedAccount } from '@solana/kit'
import { rpcErrors } from './errors.ts'
import {
  type AccountReader,
  accountsAt,
  addressOf,
  type Config,
  commitmentOf,
  configOf,
  inContext,
  type Method,
} from './params.ts'
import { readMint, readTokenAccount, tokenProgram, tokenPrograms, uiTokenAmount } from './tokens.ts'

interface AccountConfig extends Config {
  dataSlice?: { offset: number; length: number }
  filters?: readonly AccountFilter[]
  withContext?: boolean
}

type AccountFilter =
  | { dataSize: number }
  | { memcmp: { offset: number; bytes: string; encoding?: 'base58' | 'base64' } }

/**
 * The rent epoch of rent-exempt accounts, which today are all (`RENT_EXEMPT_RENT_EPOCH`): the highest u64,
 * rounded to a number.
 */
const rentEpoch = 2 ** 64
/** Longer data is not served in base58 (agave, `MAX_BASE58_BYTES`). */
const maxBase58Bytes = 128
/** (Solana docs, getMultipleAccounts) */
const maxAccounts = 100

/** An account as the node returns it, in the caller's encoding. */
export function encodeAccount(
  account: EncodedAccount,
  config: Pick<AccountConfig, 'encoding' | 'dataSlice'>,
  accounts: AccountReader,
) {
  const { dataSlice, encoding } = config
  const all = Uint8Array.from(account.data)
  const data = dataSlice ? all.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : all
  return {
    data:
      encoding === 'jsonParsed'
        ? (parsedData(account, accounts) ?? [toBase64(data), 'base64'])
        : encodeData(data, encoding),
    executable: account.executable,
    lamports: Number(account.lamports),
    owner: account.programAddress,
    rentEpoch,
    space: all.length,
  }
}

const toBase64 = (data: Uint8Array): string => Buffer.from(data).toString('base64')

function encodeData(data: Uint8Array, encoding: string | undefined): string | [string, string] {
  if (encoding === 'base64') return [toBase64(data), 'base64']
  if (encoding !== undefined && encoding !== 'base58' && encoding !== 'binary')
    throw rpcErrors.invalidParams(`unsupported encoding: ${encoding}`)
  if (data.length > maxBase58Bytes)
    throw rpcErrors.invalidParams(
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  return encoding === 'base58' ? [base58.encode(data), 'base58'] : base58.encode(data)
}

/**
 * Parses only the token programs' accounts; others are returned as bytes, as the node does for programs it
 * does not know.
 */
function parsedData(account: EncodedAccount, accounts: AccountReader): object | null {
  const program = account.programAddress === tokenProgram ? 'spl-token' : 'spl-token-2022'
  const space = account.data.length
  const mint = readMint(account)
  if (mint) {
    const { supply, ...rest } = mint
    return {
      program,
      parsed: { type: 'mint', info: { ...rest, isInitialized: true, supply: String(supply) } },
      space,
    }
  }
  const token = readTokenAccount(account)
  if (!token) return null
  const decimals = readMint(accounts.get(token.mint))?.decimals ?? 0
  const delegation = token.delegate
    ? { delegate: token.delegate, delegatedAmount: uiTokenAmount(token.delegatedAmount, decimals) }
    : {}
  const info = {
    isNative: token.isNative,
    mint: token.mint,
    owner: token.owner,
    state: token.state,
    tokenAmount: uiTokenAmount(token.amount, decimals),
  }
  return { program, parsed: { type: 'account', info: { ...info, ...delegation } }, space }
}

function passes(account: EncodedAccount, filter: AccountFilter): boolean {
  if ('dataSize' in filter) return account.data.length === filter.dataSize
  const { offset, bytes, encoding } = filter.memcmp
  const wanted = encoding === 'base64' ? Buffer.from(bytes, 'base64') : base58.decode(bytes)
  return Buffer.from(account.data.subarray(offset, offset + wanted.length)).equals(wanted)
}

/** Accounts at the caller's commitment. */
const reader = (view: Parameters<Method>[0], config: Config) => accountsAt(view, commitmentOf(config))

export const accountMethods: Record<string, Method> = {
  getAccountInfo: (view, params) => {
    const config = configOf<AccountConfig>(params, 1)
    const accounts = reader(view, config)
    const account = accounts.get(addressOf(params[0]))
    return inContext(view, config, account && encodeAccount(account, config, accounts))
  },

  getMultipleAccounts: (view, params) => {
    const config = configOf<AccountConfig>(params, 1)
    const accounts = reader(view, config)
    const addresses = params[0] as unknown[]
    if (addresses.length > maxAccounts)
      throw rpcErrors.invalidParams(`Too many inputs provided; max ${maxAccounts}`)
    const found = addresses.map((address) => accounts.get(addressOf(address)))
    return inContext(
      view,
      config,
      found.map((account) => account && encodeAccount(account, { encoding: 'base64', ...config }, accounts)),
    )
  },

  getBalance: (view, params) => {
    const config = configOf(params, 1)
    return inContext(view, config, Number(reader(view, config).get(addressOf(params[0]))?.lamports ?? 0n))
  },

  getProgramAccounts: (view, params) => {
    const config = configOf<AccountConfig>(params, 1)
    const accounts = reader(view, config)
    const found = accounts
      .ofProgram(addressOf(params[0]))
      .filter((account) => (config.filters ?? []).every((filter) => passes(account, filter)))
      .map((account) => ({ pubkey: account.address, account: encodeAccount(account, config, accounts) }))
    return config.withContext ? inContext(view, config, found) : found
  },

  getTokenAccountsByOwner: (view, params) => {
    const config = configOf<AccountConfig>(params, 2)
    const accounts = reader(view, config)
    const owner = addressOf(params[0])
    const filter = params[1] as { mint?: string; programId?: string }
    const mint = filter.mint === undefined ? null : addressOf(filter.mint)
    if (mint && !readMint(accounts.get(mint)))
      throw rpcErrors.invalidParams('Invalid param: could not find mint')
    if (filter.programId !== undefined && !tokenPrograms.includes(filter.programId as Address))
      throw rpcErrors.invalidParams('Invalid param: unrecognized Token program id')
    const found = tokenPrograms
      .filter((program) => filter.programId === undefined || program === filter.programId)
      .flatMap((program) => accounts.ofProgram(program))
      .filter((account) => {
        const token = readTokenAccount(account)
        return token?.owner === owner && (mint === null || token.mint === mint)
      })
    return inContext(
      view,
      config,
      found.map((account) => ({
        pubkey: account.address,
        account: encodeAccount(account, config, accounts),
      })),
    )
  },

  getTokenAccountBalance: (view, params) => {
    const config = configOf(params, 1)
    const accounts = reader(view, config)
    const account = accounts.get(addressOf(params[0]))
    if (!account) throw rpcErrors.invalidParams('Invalid param: could not find account')
    const token = readTokenAccount(account)
    const mint = token && readMint(accounts.get(token.mint))
    if (!token || !mint) throw rpcErrors.invalidParams('Invalid param: not a Token account')
    return inContext(view, config, uiTokenAmount(token.amount, mint.decimals))
  },

  getTokenSupply: (view, params) => {
    const config = configOf(params, 1)
    const account = reader(view, config).get(addressOf(params[0]))
    if (!account) throw rpcErrors.invalidParams('Invalid param: could not find account')
    const mint = readMint(account)
    if (!mint) throw rpcErrors.invalidParams('Invalid param: not a Token mint')
    return inContext(view, config, uiTokenAmount(mint.supply, mint.decimals))
  },

  getMinimumBalanceForRentExemption: ({ ledger }, params) =>
    Number(ledger.svm.minimumBalanceForRentExemption(BigInt(params[0] as number))),
}
