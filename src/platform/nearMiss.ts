/**
 * Other names for what Cowry calls by one: tickers, and the words of other payment APIs. A name may stand for
 * several; the first that is possible in the place is taken.
 */
const aliases: Record<string, readonly string[]> = {
  eth: ['ethereum'],
  mainnet: ['ethereum'],
  homestead: ['ethereum'],
  erc20: ['ethereum'],
  matic: ['polygon'],
  pol: ['polygon'],
  bnb: ['bsc'],
  bep20: ['bsc'],
  binance: ['bsc'],
  binancesmartchain: ['bsc'],
  arb: ['arbitrum'],
  arbitrumone: ['arbitrum'],
  op: ['optimism'],
  opmainnet: ['optimism'],
  sol: ['solana'],
  trx: ['tron'],
  trc20: ['tron'],
  xlm: ['stellar'],
  usdce: ['USDC', 'usdc'],
  usdcoin: ['USDC', 'usdc'],
  tether: ['USDT', 'usdt'],
  usd: ['USDC', 'usdc'],
  network: ['chain', 'cryptoNetwork'],
  blockchain: ['chain', 'cryptoNetwork'],
  coin: ['token', 'cryptoCurrency'],
  asset: ['token', 'cryptoCurrency'],
  currency: ['localCurrency', 'cryptoCurrency'],
  symbol: ['token'],
  to: ['toAddress', 'destinationAddress'],
  recipient: ['toAddress', 'destinationAddress'],
  destination: ['toAddress', 'destinationAddress'],
  from: ['fromAddress', 'sourceAddress', 'since'],
  start: ['since'],
  end: ['until'],
  createdafter: ['since'],
  createdbefore: ['until'],
  value: ['amount'],
  sum: ['amount'],
  price: ['amount'],
  key: ['privateKey', 'fromPrivateKey'],
  privatekey: ['fromPrivateKey'],
  secretkey: ['privateKey', 'fromPrivateKey'],
  seed: ['mnemonic'],
  phrase: ['mnemonic'],
  slippage: ['slippageBps'],
  plan: ['planId'],
  stake: ['stakeId'],
  state: ['status'],
  tokens: ['tokenAddresses'],
  events: ['eventTypes'],
  types: ['eventTypes'],
  expiresin: ['expirySeconds'],
  expiry: ['expirySeconds'],
  ttl: ['expirySeconds'],
  orderid: ['reference'],
  externalid: ['reference'],
  description: ['label'],
  callbackurl: ['url'],
  order: ['sort'],
  perpage: ['limit'],
  pagesize: ['limit'],
  offset: ['page'],
  newest: ['DESC'],
  oldest: ['ASC'],
}

/** Longer texts are no misspelt names. */
const maxLength = 40

/** What was probably meant by a text among these; null: nothing is near. */
export function nearMiss(text: string, among: readonly string[]): string | null {
  if (text.length > maxLength) return null
  const plain = plainOf(text)
  if (plain === '') return null
  const same = among.find((each) => plainOf(each) === plain)
  if (same !== undefined) return same
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain]?.find((each) => among.includes(each)) : null
  if (alias) return alias
  const near = among
    .map((each) => ({ each, steps: editDistance(plain, plainOf(each)) }))
    .filter(({ each, steps }) => steps <= allowedSteps(Math.min(plain.length, plainOf(each).length)))
    .sort((a, b) => a.steps - b.steps)
  return near[0]?.each ?? null
}

/** A sentence's end that has the near miss. */
export function hintOf(text: unknown, among: readonly string[]): string {
  const meant = typeof text === 'string' ? nearMiss(text, among) : null
  return meant === null ? '' : `; did you mean ${meant}?`
}

const plainOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Short words are near to each other by chance. */
function allowedSteps(length: number): number {
  if (length < 4) return 0
  return length < 7 ? 1 : 2
}

/** Levenshtein's, where two neighbours that changed places count as one step. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const at = (back: number, left: number) => rows[i - back]?.[j - left] ?? 0
      let steps = Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, at(1, 1) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, at(2, 2) + 1)
      row.push(steps)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
