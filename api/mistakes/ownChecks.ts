import { usdcOf } from '../../src/bridge/burnOf.ts'
import { readAddress } from '../../src/chains/readAddress.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import { requireAmount, requirePositive } from '../../src/chains/requireAmount.ts'
import { requireChain, requireKnownChain, requireToken } from '../../src/chains/requireChain.ts'
import { isCountry, notCountry } from '../../src/platform/countries.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { requireOneAmount } from '../../src/pricing/priceRequest.ts'
import { readSwapToken } from '../../src/swaps/readSwap.ts'
import { readHolder } from '../../src/transfers/readTransfer.ts'
import { parseMnemonic } from '../../src/wallets/mnemonic.ts'
import { parsePrivateKey } from '../../src/wallets/storeWallet.ts'
import { requireEventTypes, requireUrl } from '../../src/webhooks/changeEndpoint.ts'
import type { EndpointTypesContext } from '../../src/webhooks/endpoint.ts'

// What handlers check by themselves, without the database and without a request to others. A handler stops at
// its first mistake; these find the others, once a request is refused. They decide nothing: each uses the
// function that the handler uses.

export interface OwnCheckContext
  extends Pick<EndpointTypesContext, 'eventTypes' | 'environment' | 'allowHosts'> {
  chains: readonly ConfiguredChain[]
}

type Texts = readonly string[]

export interface OwnCheck {
  /** The texts that it reads: it is left out where one is absent, or wrong by itself. A dot leads inside. */
  reads: Texts
  /** Fields that it may not read if they are wrong, and that may be absent. */
  unless?: Texts
  /** @throws ApiError 400 naming the field */
  check(ctx: OwnCheckContext, texts: Texts, body: Record<string, unknown>): void
}

const text = (texts: Texts, index: number): string => texts[index] ?? ''

const chainIn = (field = 'chain'): OwnCheck => ({
  reads: [field],
  check: (ctx, texts) => void requireChain(ctx, text(texts, 0), { field }),
})

/** For work without a node. */
const knownChainIn: OwnCheck = {
  reads: ['chain'],
  check: (_ctx, [name = '']) => void requireKnownChain(name),
}

const tokenIn = (field = 'token', chain = 'chain'): OwnCheck => ({
  reads: [chain, field],
  check(ctx, texts) {
    const symbol = text(texts, 1)
    if (symbol !== 'native') requireToken(requireChain(ctx, text(texts, 0)), symbol.toUpperCase(), field)
  },
})

const addressIn = (field: string, chain = 'chain'): OwnCheck => ({
  reads: [chain, field],
  check: (ctx, texts) => void readAddress(requireChain(ctx, text(texts, 0)), text(texts, 1), field),
})

const holderIn = (field: string, chain = 'chain'): OwnCheck => ({
  reads: [chain, field],
  check: (ctx, texts) => void readHolder(requireChain(ctx, text(texts, 0)), text(texts, 1), field),
})

const positive = (field = 'amount'): OwnCheck => ({
  reads: [field],
  check: (_ctx, texts) => requirePositive(text(texts, 0), field),
})

const amountOf = (token = 'token', chain = 'chain', field = 'amount'): OwnCheck => ({
  reads: [chain, token, field],
  check(ctx, texts) {
    const on = requireChain(ctx, text(texts, 0))
    const symbol = text(texts, 1)
    const { decimals } = symbol === 'native' ? on.native : requireToken(on, symbol.toUpperCase())
    requireAmount(text(texts, 2), decimals, field)
  },
})

const keyIn = (field: string): OwnCheck => ({
  reads: ['chain', field],
  check: (_ctx, texts) =>
    void parsePrivateKey(requireKnownChain(text(texts, 0)), new Secret(text(texts, 1)), field),
})

const mnemonicIn: OwnCheck = {
  reads: ['mnemonic'],
  check: (_ctx, texts) => void parseMnemonic(new Secret(text(texts, 0))),
}

const swapTokenIn = (field: 'sellToken' | 'buyToken'): OwnCheck => ({
  reads: ['chain', field],
  check: (ctx, texts) => readSwapToken(requireChain(ctx, text(texts, 0)), text(texts, 1), field),
})

const oneAmount: OwnCheck = {
  reads: [],
  unless: ['amount', 'localAmount'],
  // The price of a quote stands for both.
  check(_ctx, _texts, body) {
    if (body.quoteId === undefined) requireOneAmount(body)
  },
}

const session = [chainIn(), tokenIn(), oneAmount, amountOf(), positive('localAmount')]
const transfer = [chainIn(), tokenIn(), amountOf(), positive(), addressIn('toAddress')]
const prepared = [...transfer, holderIn('fromAddress')]
const swap = [chainIn(), swapTokenIn('sellToken'), swapTokenIn('buyToken'), positive()]

const bridgeAmount: OwnCheck = {
  reads: ['sourceChain', 'amount'],
  check(ctx, texts) {
    const usdc = usdcOf(requireChain(ctx, text(texts, 0)))
    if (usdc) requireAmount(text(texts, 1), usdc.decimals, 'amount')
  },
}
const bridge = [
  chainIn('sourceChain'),
  chainIn('destinationChain'),
  bridgeAmount,
  positive(),
  addressIn('sourceAddress', 'sourceChain'),
  addressIn('destinationAddress', 'destinationChain'),
]

const stake = [chainIn(), keyIn('fromPrivateKey'), positive()]
const watch = [chainIn(), addressIn('address')]

const endpoint: readonly OwnCheck[] = [
  {
    reads: ['url'],
    check(ctx, texts) {
      const wrong = requireUrl(ctx, text(texts, 0))
      if (wrong.length > 0) throw invalidBody(...wrong)
    },
  },
  {
    reads: [],
    unless: ['eventTypes'],
    check(ctx, _texts, { eventTypes }) {
      if (!Array.isArray(eventTypes) || eventTypes.some((each) => typeof each !== 'string')) return
      const wrong = requireEventTypes(ctx, eventTypes as string[])
      if (wrong.length > 0) throw invalidBody(...wrong)
    },
  },
]

const collection: readonly OwnCheck[] = [
  chainIn('cryptoNetwork'),
  tokenIn('cryptoCurrency', 'cryptoNetwork'),
  addressIn('walletAddress', 'cryptoNetwork'),
  positive(),
  {
    reads: ['country'],
    check(_ctx, texts) {
      if (!isCountry(text(texts, 0)))
        throw invalidBody({ field: 'country', message: notCountry, code: 'invalid_country' })
    },
  },
]

/** By operation; the dashboard's twin of an operation has the same. */
export const ownChecks: Readonly<Record<string, readonly OwnCheck[]>> = {
  createSession: session,
  quoteSession: session,
  generateWallet: [knownChainIn, mnemonicIn],
  storeWallet: [knownChainIn, mnemonicIn, keyIn('privateKey')],
  readBalance: [chainIn(), holderIn('address')],
  createTransfer: [...transfer, keyIn('fromPrivateKey')],
  estimateTransfer: prepared,
  prepareTransfer: prepared,
  quoteSwap: swap,
  executeSwap: [...swap, keyIn('privateKey'), addressIn('toAddress')],
  createBridgeTransfer: bridge,
  estimateBridgeTransfer: bridge,
  createStake: stake,
  unstake: [chainIn(), keyIn('fromPrivateKey'), positive('amountToUnstake')],
  withdrawStake: [chainIn(), keyIn('fromPrivateKey')],
  monitorAddress: watch,
  removeMonitoredAddress: watch,
  monitorAddresses: [chainIn()],
  createWebhookEndpoint: endpoint,
  changeWebhookEndpoint: endpoint,
  createPayout: [
    chainIn('source.chain'),
    tokenIn('source.token', 'source.chain'),
    amountOf('source.token', 'source.chain'),
    positive(),
    addressIn('destination.address', 'destination.chain'),
  ],
  createPayoutDestination: [chainIn(), addressIn('address')],
  createCollection: collection,
}
