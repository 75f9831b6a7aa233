// Requests with typical mistakes of newcomers, and what the answer to each must name.

/** The credential that a request is sent with; default: a key that works. */
export type Credential =
  | 'key'
  | 'none'
  | 'keyAsBearer'
  | 'tokenAsKey'
  | 'keyWithoutScheme'
  | 'basic'
  | 'wrongKey'

export interface Mistake {
  name: string
  /** `POST /pos/sessions`; a path with `//` first is not below `/api/v1`. */
  request: string
  body?: unknown
  with?: Credential
  status?: number
  error?: string
  /** Field and code of each mistake, in any order. */
  fields?: Record<string, string>
  /** Each is in the answer: what is right. */
  words?: readonly (string | RegExp)[]
}

const evm = '0x52908400098527886E0F7030069857D2E4169EE7'
const solana = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const stellar = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'
const key = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'

const session = { chain: 'ethereum', token: 'USDC', amount: '10' }
const collection = {
  amount: '5000',
  currency: 'NGN',
  country: 'NG',
  walletAddress: evm,
  cryptoCurrency: 'USDC',
  cryptoNetwork: 'ethereum',
  source: { accountNumber: '0123456789', networkId: 'x' },
}
const transfer = { chain: 'ethereum', fromPrivateKey: key, toAddress: evm, amount: '1', token: 'usdc' }
const bridge = {
  sourceChain: 'ethereum',
  destinationChain: 'base',
  amount: '5',
  sourceAddress: evm,
  destinationAddress: evm,
}
const swap = {
  chain: 'ethereum',
  sellToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  buyToken: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  amount: '5',
}

export const mistakes: readonly Mistake[] = [
  // Payment sessions.
  {
    name: 'a session whose customer chooses how to pay',
    request: 'POST /pos/sessions',
    body: { amount: '10', accept: [{ chain: 'base', token: 'USDC' }] },
    fields: { accept: 'unknown_field', chain: 'required', token: 'required' },
    words: ['POST /payment-links', 'maxSessions: 1'],
  },
  {
    name: 'five mistakes at once',
    request: 'POST /pos/sessions',
    body: { chain: 'eth', token: 'DAI', amount: '-1', colour: 'red', expirySeconds: 0 },
    fields: {
      chain: 'unknown_chain',
      token: 'unknown_token',
      amount: 'invalid_amount',
      colour: 'unknown_field',
      expirySeconds: 'too_small',
    },
    words: ['ethereum', 'USDC', 'without sign'],
  },
  {
    name: 'an empty object',
    request: 'POST /pos/sessions',
    body: {},
    fields: { chain: 'required', token: 'required', amount: 'required', localAmount: 'required' },
  },
  {
    name: 'a chain with a capital letter',
    request: 'POST /pos/sessions',
    body: { ...session, chain: 'Ethereum' },
    fields: { chain: 'unknown_chain' },
    words: ['did you mean ethereum?'],
  },
  {
    name: 'a chain by its ticker, a token in small letters',
    request: 'POST /pos/sessions',
    body: { chain: 'matic', token: 'usdc', amount: '10' },
    fields: { chain: 'unknown_chain', token: 'unknown_token' },
    words: ['did you mean polygon?', 'did you mean USDC?'],
  },
  {
    name: 'a chain that is not here, and no decimal',
    request: 'POST /pos/sessions',
    body: { chain: 'polygon', token: 'USDC', amount: '1,5' },
    fields: { chain: 'unavailable_chain', amount: 'invalid_amount' },
    words: ['this deployment has ethereum, base', 'such as 25.5'],
  },
  {
    name: 'a number in place of a string',
    request: 'POST /pos/sessions',
    body: { ...session, amount: 10 },
    fields: { amount: 'wrong_type' },
    words: ['must be a string', '"10"'],
  },
  {
    name: 'snake case',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', local_amount: '10', local_currency: 'NGN' },
    fields: {
      local_amount: 'unknown_field',
      local_currency: 'unknown_field',
      amount: 'required',
      localAmount: 'required',
    },
    words: ['did you mean localAmount?', 'did you mean localCurrency?'],
  },
  {
    name: 'both amounts',
    request: 'POST /pos/sessions',
    body: { ...session, localAmount: '10', localCurrency: 'NGN' },
    fields: { amount: 'not_both', localAmount: 'not_both' },
  },
  {
    name: 'no amount',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC' },
    fields: { amount: 'required', localAmount: 'required' },
  },
  {
    name: 'zero',
    request: 'POST /pos/sessions',
    body: { ...session, amount: '0' },
    fields: { amount: 'too_small' },
    words: ['more than zero'],
  },
  {
    name: 'too many decimals',
    request: 'POST /pos/sessions',
    body: { ...session, amount: '1.1234567', expirySeconds: 604_800 },
    fields: { amount: 'too_many_decimals' },
    words: ['6 decimals'],
  },
  {
    name: 'a currency that has no rate',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', localAmount: '10', localCurrency: 'EUR' },
    fields: { localCurrency: 'unknown_currency' },
    words: ['NGN'],
  },
  {
    name: 'a currency in small letters',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', localAmount: '10', localCurrency: 'ngn' },
    fields: { localCurrency: 'invalid_currency' },
    words: ['did you mean NGN?'],
  },
  {
    name: 'a currency with a space',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', localAmount: '10', localCurrency: 'NGN ' },
    fields: { localCurrency: 'invalid_currency' },
    words: [/did you mean NGN\?/],
  },
  {
    name: 'a currency by its name',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', localAmount: '10', localCurrency: 'naira' },
    fields: { localCurrency: 'invalid_currency' },
    words: [/did you mean NGN\?/],
  },
  {
    name: 'a currency that is one letter off',
    request: 'POST /pos/sessions',
    body: { chain: 'ethereum', token: 'USDC', localAmount: '10', localCurrency: 'NGM' },
    fields: { localCurrency: 'unknown_currency' },
    words: [/did you mean NGN\?/],
  },
  {
    name: 'metadata that is a list, a label that is a number',
    request: 'POST /pos/sessions',
    body: { ...session, metadata: ['a'], label: 7 },
    fields: { metadata: 'wrong_type', label: 'wrong_type' },
    words: ['must be an object'],
  },
  {
    name: 'a label of 300 characters',
    request: 'POST /pos/sessions',
    body: { ...session, label: 'x'.repeat(300) },
    fields: { label: 'too_long' },
    words: ['characters at most'],
  },
  {
    name: 'a list in place of an object',
    request: 'POST /pos/sessions',
    body: [session],
    fields: { body: 'wrong_type' },
    words: ['must be an object'],
  },
  {
    name: 'a quote in wrong words',
    request: 'POST /pos/sessions/quote',
    body: { network: 'ethereum', currency: 'USDC', amount: '10' },
    fields: { network: 'unknown_field', currency: 'unknown_field', chain: 'required', token: 'required' },
    words: ['did you mean chain?'],
  },
  {
    name: 'a resolution that does not exist',
    request: `POST /pos/sessions/${id}/resolve`,
    body: { resolution: 'accepted' },
    fields: { resolution: 'unknown_value' },
    words: ['accept, leave'],
  },
  // Lists.
  {
    name: 'a state that does not exist, a page of zero',
    request: 'GET /pos/sessions?status=done&page=0',
    fields: { status: 'unknown_value', page: 'too_small' },
    words: ['paid_out'],
  },
  {
    name: 'an unknown parameter beside a wrong limit',
    request: 'GET /pos/sessions?state=paid&limit=1000',
    fields: { state: 'unknown_field', limit: 'too_large' },
    words: ['at most 100', 'did you mean status?'],
  },
  {
    name: 'a time in words, a sort in words',
    request: 'GET /pos/sessions?since=yesterday&sort=newest',
    fields: { since: 'invalid_time', sort: 'unknown_value' },
    words: ['2026-11-28'],
  },
  {
    name: 'a state made up, and an end before the start',
    request: 'GET /pos/sessions?status=paid&status=foo&since=2026-11-30&until=2026-11-28',
    fields: { status: 'unknown_value', until: 'invalid_range' },
    words: ['paid_out', 'since'],
  },
  {
    name: 'a day that does not exist',
    request: 'GET /pos/sessions?since=2026-02-30&until=2026-13-01',
    fields: { since: 'invalid_time', until: 'invalid_time' },
  },
  {
    name: 'an empty parameter, and a cursor made up',
    request: 'GET /pos/sessions?status=&cursor=abc',
    fields: { status: 'empty', cursor: 'invalid_cursor' },
  },
  {
    name: 'a limit in words',
    request: 'GET /payouts?limit=ten&status=sent',
    fields: { limit: 'wrong_type', status: 'unknown_value' },
    words: ['whole number'],
  },
  {
    name: 'a chain in a filter',
    request: 'GET /webhooks?chain=eth&status=ok',
    fields: { chain: 'unknown_chain', status: 'unknown_value' },
    words: ['did you mean ethereum?', 'delivered'],
  },
  {
    name: 'an id that is no UUID, in a filter',
    request: 'GET /webhooks?endpointId=7&since=28.11.2026',
    fields: { endpointId: 'invalid_uuid', since: 'invalid_time' },
    words: ['UUID'],
  },
  {
    name: 'a type of events that is not of the form',
    request: 'GET /events?type=SessionPaid&limit=0',
    fields: { type: 'invalid_form', limit: 'too_small' },
    words: ['session.paid'],
  },
  {
    name: 'sort of collections',
    request: 'GET /fiat-collections?sort=newest&limt=5',
    fields: { sort: 'unknown_value', limt: 'unknown_field' },
    words: ['did you mean limit?', 'ASC'],
  },
  {
    name: 'a month in words',
    request: 'GET /ledger/statement?month=November',
    fields: { month: 'invalid_form' },
    words: ['2026-11'],
  },
  {
    name: 'a path id that is no UUID',
    request: 'GET /payouts/7',
    status: 404,
    error: 'Not found',
  },
  // Wallets and transfers.
  {
    name: 'a wallet of an unknown chain, a wrong phrase',
    request: 'POST /crypto/wallets/generate',
    body: { chain: 'bitcoin', mnemonic: 'one two three' },
    fields: { chain: 'unknown_chain', mnemonic: 'invalid_mnemonic' },
    words: ['solana'],
  },
  {
    name: 'a balance of an address of another chain',
    request: 'POST /crypto/wallets/balance',
    body: { chain: 'ethereum', address: solana },
    error: 'wrong_chain_address',
    fields: { address: 'wrong_chain_address' },
    words: ['solana'],
  },
  {
    name: 'a balance, the address mistyped',
    request: 'POST /crypto/wallets/balance',
    body: { chain: 'ethereum', address: `${evm.slice(0, -1)}`, tokens: [] },
    fields: { address: 'invalid_address', tokens: 'unknown_field' },
    words: ['did you mean tokenAddresses?'],
  },
  {
    name: 'a transfer to an address of solana, amount zero, a token in capitals',
    request: 'POST /crypto/transfers/tokens',
    body: { ...transfer, toAddress: solana, amount: '0', token: 'USDC' },
    fields: { toAddress: 'wrong_chain_address', amount: 'too_small', token: 'unknown_token' },
    words: ['did you mean usdc?', 'solana'],
  },
  {
    name: 'a transfer to an address of tron with too many decimals',
    request: 'POST /crypto/transfers/tokens',
    body: { ...transfer, toAddress: tron, amount: '1.12345678' },
    fields: { toAddress: 'wrong_chain_address', amount: 'too_many_decimals' },
  },
  {
    name: 'a transfer with a wrong key and a wrong address',
    request: 'POST /crypto/transfers/tokens',
    body: { ...transfer, fromPrivateKey: 'abc', toAddress: '0x123' },
    fields: { fromPrivateKey: 'invalid_private_key', toAddress: 'invalid_address' },
  },
  {
    name: 'a transfer in the words of others',
    request: 'POST /crypto/transfers/tokens',
    body: { chain: 'ethereum', privateKey: key, to: evm, value: '1' },
    fields: {
      privateKey: 'unknown_field',
      to: 'unknown_field',
      value: 'unknown_field',
      fromPrivateKey: 'required',
      toAddress: 'required',
      amount: 'required',
    },
    words: ['did you mean fromPrivateKey?', 'did you mean toAddress?', 'did you mean amount?'],
  },
  {
    name: 'an estimate with wrong gas',
    request: 'POST /crypto/transfers/estimate',
    body: { chain: 'ethereum', fromAddress: stellar, toAddress: 'me', amount: '1', gasLimit: '1e6' },
    fields: { fromAddress: 'wrong_chain_address', toAddress: 'invalid_address', gasLimit: 'invalid_form' },
    words: ['digits'],
  },
  {
    name: 'a name of a wallet that is empty, and no key',
    request: 'POST /crypto/wallets',
    body: { chain: 'ETH', name: '' },
    fields: { chain: 'unknown_chain', name: 'too_short' },
    words: ['did you mean ethereum?'],
  },
  // Swaps, bridge, staking.
  {
    name: 'a swap of a symbol',
    request: 'POST /crypto/swaps/quote',
    body: { ...swap, sellToken: 'USDC', amount: '-5', slippageBps: 20_000 },
    fields: { sellToken: 'invalid_address', amount: 'invalid_amount', slippageBps: 'too_large' },
  },
  {
    name: 'a swap of a token for itself, slippage as text',
    request: 'POST /crypto/swaps/quote',
    body: { ...swap, slippageBps: '50', slippage: 1 },
    fields: { slippageBps: 'wrong_type', slippage: 'unknown_field' },
    words: ['did you mean slippageBps?'],
  },
  {
    name: 'a bridge between wrong chains',
    request: 'POST /bridge/transfer',
    body: { ...bridge, sourceChain: 'Ethereum', destinationChain: 'arb', amount: 'five' },
    fields: { sourceChain: 'unknown_chain', destinationChain: 'unknown_chain', amount: 'invalid_amount' },
    words: ['did you mean ethereum?', 'did you mean arbitrum?'],
  },
  {
    name: 'a bridge with wrong addresses',
    request: 'POST /bridge/estimate',
    body: { ...bridge, sourceAddress: solana, destinationAddress: 'abc', fast: true },
    fields: {
      sourceAddress: 'wrong_chain_address',
      destinationAddress: 'invalid_address',
      fast: 'unknown_field',
    },
  },
  {
    name: 'a stake without a plan',
    request: 'POST /staking/stake',
    body: { chain: 'ethereum', plan: id, amount: '1e3', fromPrivateKey: key },
    fields: { plan: 'unknown_field', planId: 'required', amount: 'invalid_amount' },
    words: ['did you mean planId?'],
  },
  {
    name: 'a stake of nothing with a wrong key',
    request: 'POST /staking/stake',
    body: { chain: 'ethereum', planId: 'gold', amount: '0', fromPrivateKey: 'x' },
    status: 400,
    fields: { amount: 'too_small', fromPrivateKey: 'invalid_private_key' },
  },
  // Monitoring and webhooks.
  {
    name: 'a watch of an address of another chain',
    request: 'POST /monitoring/addresses',
    body: { chain: 'ethereum', address: tron, tokens: ['usdc'] },
    fields: { address: 'wrong_chain_address', tokens: 'wrong_type' },
    words: ['tron'],
  },
  {
    name: 'two wrong addresses of three',
    request: 'POST /monitoring/addresses/bulk',
    body: { chain: 'Ethereum', addresses: [{ address: evm }, { address: '0x12' }, { adress: evm }] },
    fields: {
      chain: 'unknown_chain',
      'addresses.2.adress': 'unknown_field',
      'addresses.2.address': 'required',
    },
    words: ['did you mean address?'],
  },
  {
    name: 'an endpoint by http with unknown types',
    request: 'POST /webhook-endpoints',
    body: { url: 'shop.example/hook', eventTypes: ['session.payed'], events: ['*'] },
    fields: { url: 'invalid_url', 'eventTypes.0': 'unknown_value', events: 'unknown_field' },
    words: ['session.paid', 'https://', 'did you mean eventTypes?'],
  },
  {
    name: 'a replay since a number',
    request: 'POST /webhooks/replay',
    body: { since: 1_760_000_000, endpointId: 'a' },
    fields: { since: 'wrong_type', endpointId: 'invalid_uuid' },
  },
  // Payouts and collections.
  {
    name: 'a payout with a number and without a destination',
    request: 'POST /payouts',
    body: { amount: 100, source: { chain: 'eth', token: 'usd' } },
    fields: {
      amount: 'wrong_type',
      destination: 'required',
      'source.chain': 'unknown_chain',
      'source.token': 'unknown_token',
    },
    words: ['did you mean ethereum?'],
  },
  {
    name: 'a destination of another chain',
    request: 'POST /payout-destinations',
    body: { name: '', chain: 'ethereum', address: stellar },
    fields: { name: 'too_short', address: 'wrong_chain_address' },
    words: ['stellar'],
  },
  {
    name: 'a collection by country names',
    request: 'POST /fiat-collections',
    body: { ...collection, currency: 'Naira', country: 'Nigeria' },
    fields: {
      currency: 'invalid_currency',
      country: 'invalid_country',
      'source.accountType': 'required',
    },
    words: [/did you mean NGN\?/, 'NG'],
  },
  {
    name: 'a collection to an address of another chain',
    request: 'POST /fiat-collections',
    body: { ...collection, walletAddress: solana, cryptoCurrency: 'usdt', amount: '0' },
    fields: {
      walletAddress: 'wrong_chain_address',
      cryptoCurrency: 'unknown_token',
      amount: 'too_small',
      'source.accountType': 'required',
    },
    words: ['did you mean USDT?'],
  },
  // Credentials and paths.
  {
    name: 'no credential',
    request: 'GET /payouts',
    with: 'none',
    status: 401,
    error: 'Missing or invalid Authorization header',
    words: ['X-API-Key'],
  },
  {
    name: 'an API key as Bearer',
    request: 'GET /payouts',
    with: 'keyAsBearer',
    status: 401,
    error: 'Missing or invalid Authorization header',
    words: ['X-API-Key', 'API key'],
  },
  {
    name: 'an access token as key',
    request: 'GET /payouts',
    with: 'tokenAsKey',
    status: 401,
    error: 'Invalid API key',
    words: ['Authorization: Bearer'],
  },
  {
    name: 'an API key without a scheme',
    request: 'GET /payouts',
    with: 'keyWithoutScheme',
    status: 401,
    error: 'Missing or invalid Authorization header',
    words: ['X-API-Key'],
  },
  {
    name: 'user and password',
    request: 'GET /payouts',
    with: 'basic',
    status: 401,
    error: 'Missing or invalid Authorization header',
    words: ['POST /api/v1/auth/login'],
  },
  {
    name: 'a key with a letter too few',
    request: 'GET /payouts',
    with: 'wrongKey',
    status: 401,
    error: 'Invalid API key',
    words: ['copy'],
  },
  {
    name: 'the root',
    request: 'GET //',
    status: 404,
    error: 'Not found',
    words: ['/openapi.json', '/api/v1'],
  },
  {
    name: 'the base of the API',
    request: 'GET //api/v1',
    status: 404,
    error: 'Not found',
    words: ['/openapi.json'],
  },
  {
    name: 'a path without the base',
    request: 'POST //pos/sessions',
    body: session,
    status: 404,
    error: 'Not found',
    words: ['/api/v1/pos/sessions', '/openapi.json'],
  },
  {
    name: 'a path that is nearly right',
    request: 'POST /pos/session',
    body: session,
    status: 404,
    error: 'Not found',
    words: ['did you mean /api/v1/pos/sessions?'],
  },
  {
    name: 'a method that the path has not',
    request: 'DELETE /pos/sessions',
    status: 405,
    error: 'Method not allowed',
    words: ['GET', 'POST'],
  },
  {
    name: 'text that is no JSON',
    request: 'POST /pos/sessions',
    body: '{"chain": "ethereum",}',
    status: 400,
    error: 'Invalid request body',
    words: ['JSON'],
  },
]
