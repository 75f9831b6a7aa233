import { parseUnits } from '../money/amount.ts'
import { settingOf } from '../platform/renamedSettings.ts'
import { Secret } from '../platform/secrets.ts'
import type { Family } from './chain.ts'
import { tokenContract } from './codecs.ts'
import {
  type Asset,
  type Cctp,
  type ConfiguredChain,
  type Entry,
  internalModes,
  registry,
} from './registry.ts'

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const tokenForms: Record<Family, string> = {
  evm: 'contract address',
  solana: 'mint',
  tron: 'contract address',
  stellar: 'CODE:ISSUER',
}

/** Reads the variables of one chain and collects mistakes. */
function variablesOf(env: NodeJS.ProcessEnv, prefix: string, family: Family, mistakes: string[]) {
  const text = (variable: string) => settingOf(env, `${prefix}_${variable}`)
  const wrong = (variable: string, what: string) => void mistakes.push(`${prefix}_${variable} ${what}`)
  return {
    text,
    secret(variable: string): Secret | null {
      const given = text(variable)
      return given === undefined ? null : new Secret(given)
    },
    urls(variable: string, form: RegExp, what: string): string[] {
      const urls = list(text(variable))
      for (const url of urls)
        if (!form.test(url) || !URL.canParse(url))
          wrong(variable, `has an entry that is not a valid ${what} URL`)
      return urls
    },
    whole(variable: string, min: number): number | undefined {
      const given = text(variable)
      if (given === undefined) return undefined
      const value = Number(given)
      if (Number.isSafeInteger(value) && value >= min) return value
      wrong(variable, `must be a whole number of at least ${min}`)
      return undefined
    },
    decimal(variable: string): string | undefined {
      const given = text(variable)
      // Every token has six decimals or more.
      if (given !== undefined && parseUnits(given, 6) === null)
        wrong(variable, 'must be an amount of whole tokens, such as 100 or 99.50')
      return given
    },
    contract(variable: string, otherwise: string | null): string | null {
      const given = text(variable)
      if (given === undefined) return otherwise
      const contract = tokenContract(family, given)
      if (contract === null) wrong(variable, `is not a valid ${tokenForms[family]}`)
      return contract
    },
    units(variable: string, decimals: number): bigint | undefined {
      const given = text(variable)
      const value = given === undefined ? undefined : parseUnits(given, decimals)
      if (value === null)
        wrong(variable, `must be an amount of the native coin with at most ${decimals} decimals`)
      return value ?? undefined
    },
    /** `USDC=10000,USDT=5000`, in whole units. */
    amounts(variable: string, assets: readonly Pick<Asset, 'symbol' | 'decimals'>[]): Map<string, bigint> {
      const amounts = new Map<string, bigint>()
      for (const entry of list(text(variable))) {
        const [symbol = '', amount = '', ...more] = entry.split('=').map((part) => part.trim())
        const asset = assets.find((each) => each.symbol === symbol)
        const units = asset ? parseUnits(amount, asset.decimals) : null
        if (!asset || units === null || more.length > 0 || amounts.has(symbol))
          wrong(
            variable,
            `must be amounts of ${assets.map((each) => each.symbol).join(', ')}, each once, such as ${assets[0]?.symbol ?? ''}=10000`,
          )
        else amounts.set(symbol, units)
      }
      return amounts
    },
    oneOf<T extends string>(variable: string, choices: readonly T[]): T | undefined {
      const given = text(variable)
      const found = choices.find((choice) => choice === given)
      if (given !== undefined && found === undefined) wrong(variable, `must be one of ${choices.join(', ')}`)
      return found
    },
  }
}

/**
 * The chains with `<CHAIN>_RPC_URLS`. The other `<CHAIN>_…` variables override the registry; `.env.example`
 * lists them.
 * @returns the chains, and a message for each mistake
 */
export function configuredChains(env: NodeJS.ProcessEnv): { chains: ConfiguredChain[]; mistakes: string[] } {
  const mistakes: string[] = []
  const chains = registry.flatMap((entry) => {
    const read = variablesOf(env, entry.name.toUpperCase(), entry.family, mistakes)
    const rpcUrls = read.urls('RPC_URLS', /^https?:\/\//, 'http')
    return rpcUrls.length === 0 ? [] : [configured(entry, rpcUrls, read)]
  })
  return { chains, mistakes }
}

function configured(
  entry: Entry,
  rpcUrls: readonly string[],
  read: ReturnType<typeof variablesOf>,
): ConfiguredChain {
  // For example POLYGON_CONFIRMATIONS; without it, the registry's number of confirmations.
  const confirmations = read.whole('CONFIRMATIONS', 1)
  const finalizedDepth = entry.saysFinalized ? undefined : read.whole('FINALIZED_DEPTH', 1)
  const finalizedByDepth =
    !entry.saysFinalized && read.oneOf('FINALIZED_BY_DEPTH', ['true', 'false']) === 'true'
  return {
    ...entry,
    ...ofFamily[entry.family](read),
    network:
      (entry.family === 'evm' ? read.whole('CHAIN_ID', 1)?.toString() : read.text('NETWORK')) ??
      entry.network,
    confirmations: confirmations ?? entry.confirmations,
    byFinalizedTag: confirmations === undefined && entry.byFinalizedTag,
    finalizedDepth: Math.max(confirmations ?? 0, finalizedDepth ?? entry.finalizedDepth),
    finalizedByDepth,
    blockMs: read.whole('BLOCK_MS', 1) ?? entry.blockMs,
    maxFee: read.units('MAX_FEE', entry.native.decimals) ?? entry.maxFee,
    lowBalance: read.units('LOW_BALANCE', entry.native.decimals) ?? entry.lowBalance,
    feeBudget: read.units('FEE_BUDGET', entry.native.decimals) ?? null,
    gasBudget: read.units('GAS_BUDGET', entry.native.decimals) ?? 20n * entry.maxFee,
    dailyLimits: read.amounts('DAILY_LIMITS', [...entry.tokens, ...entry.lookalikes, entry.native]),
    reorgLimit: read.whole('REORG_LIMIT', 0) ?? entry.reorgLimit,
    tokens: entry.tokens.flatMap((token) => {
      const contract = read.contract(token.symbol, token.contract)
      return contract === null ? [] : [{ ...token, contract }]
    }),
    lookalikes: entry.lookalikes.map((asset) => ({
      ...asset,
      contract: read.contract(`${asset.symbol.slice(0, 4)}_BRIDGED`, asset.contract) ?? asset.contract,
    })),
    ...(entry.cctp && {
      cctp: { ...cctpOf(entry.cctp, read), ...(entry.family === 'solana' && lookupTableOf(read)) },
    }),
    rpcUrls,
    startBlock: read.whole('START_BLOCK', 0),
    finality: {
      minConfirmations: read.whole('MIN_CONFIRMATIONS', 1) ?? 1,
      earlyUpTo: read.decimal('EARLY_UP_TO') ?? '100',
      largeFrom: read.decimal('LARGE_FROM') ?? null,
    },
  }
}

/** Test networks have other contracts. The domain is of the chain, on every network. */
const cctpOf = (
  { domain, tokenMessenger, messageTransmitter }: Cctp,
  read: ReturnType<typeof variablesOf>,
): Cctp => ({
  domain,
  tokenMessenger: read.contract('CCTP_TOKEN_MESSENGER', tokenMessenger) ?? tokenMessenger,
  messageTransmitter: read.contract('CCTP_MESSAGE_TRANSMITTER', messageTransmitter) ?? messageTransmitter,
})

/** Solana: a mint does not fit into a transaction without the operator's table. */
function lookupTableOf(read: ReturnType<typeof variablesOf>): Pick<Cctp, 'lookupTable'> {
  const lookupTable = read.contract('CCTP_LOOKUP_TABLE', null)
  return lookupTable === null ? {} : { lookupTable }
}

type OfFamily = Pick<ConfiguredChain, 'wsUrls' | 'trusted' | 'internalTransfers' | 'horizonUrls' | 'apiKey'>

const nothingOfItsOwn: OfFamily = {
  wsUrls: [],
  trusted: false,
  internalTransfers: 'auto',
  horizonUrls: [],
  apiKey: null,
}

/** Variables of one family only; not read for the others. */
const ofFamily: Record<Family, (read: ReturnType<typeof variablesOf>) => OfFamily> = {
  evm: (read) => ({
    ...nothingOfItsOwn,
    wsUrls: read.urls('WS_URLS', /^wss?:\/\//, 'ws'),
    trusted: read.oneOf('TRUSTED', ['true', 'false']) === 'true',
    internalTransfers: read.oneOf('INTERNAL_TRANSFERS', internalModes) ?? 'auto',
  }),
  solana: (read) => ({ ...nothingOfItsOwn, wsUrls: read.urls('WS_URLS', /^wss?:\/\//, 'ws') }),
  tron: (read) => ({ ...nothingOfItsOwn, apiKey: read.secret('API_KEY') }),
  stellar: (read) => ({
    ...nothingOfItsOwn,
    trusted: read.oneOf('TRUSTED', ['true', 'false']) === 'true',
    horizonUrls: read.urls('HORIZON_URLS', /^https?:\/\//, 'http'),
  }),
}
