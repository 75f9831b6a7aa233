import type { Canary } from './canaries.ts'

/** One request as sent over the wire. */
export interface Call {
  method: string
  path: string
  body?: string
  headers?: Record<string, string>
}

/** Data that calls are made from. */
export interface CallData {
  /** Sent in place of keys, and in wrong places. */
  plain: readonly Canary[]
  /** Sent as names of fields and parameters. */
  named: readonly Canary[]
  requestIds: readonly Canary[]
  idempotencyKeys: readonly Canary[]
  /** Canaries of `plain` with funds, by chain. */
  payers: readonly { canary: Canary; chain: string; address: string; walletId: string }[]
  /** An address on each chain. */
  recipients: Record<string, string>
  /** A prepared transfer. */
  preparedId: string
}

type Dice = () => number
const pick = <T>(dice: Dice, from: readonly T[]): T => {
  const one = from[Math.floor(dice() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
const chains = ['ethereum', 'solana', 'stellar'] as const
const post = (path: string, body: unknown, headers?: Record<string, string>): Call => ({
  method: 'POST',
  path: `/crypto${path}`,
  body: JSON.stringify(body),
  ...(headers && { headers }),
})

/** The next call: valid or invalid, always with a secret in it. */
export function nextCall(world: CallData, dice: Dice): Call {
  const draw = dice()
  const recipe = recipes.find(([share]) => draw < share)?.[1] ?? chaos
  return recipe(world, dice)
}

type Recipe = (world: CallData, dice: Dice) => Call

const generate: Recipe = ({ plain }, dice) => {
  const phrase = pick(
    dice,
    plain.filter(({ kind }) => kind === 'phrase'),
  )
  return post('/wallets/generate', {
    chain: pick(dice, [...chains, 'tron', 'base']),
    mnemonic: pick(dice, phrase.written.slice(0, 3)),
  })
}

const store: Recipe = ({ plain }, dice) => {
  const canary = pick(dice, plain)
  const [written = ''] = canary.written
  if (canary.kind === 'phrase')
    return post('/wallets', {
      chain: pick(dice, chains),
      mnemonic: written,
      derivationPath: `m/44'/${Math.floor(dice() * 1000)}'/0'`,
    })
  // Often for a chain other than its own.
  return post('/wallets', {
    chain: dice() < 0.6 ? canary.kind : pick(dice, chains),
    privateKey: pick(dice, canary.written),
  })
}

/** Rarely the same twice. */
const small = (dice: Dice) => `0.00${Math.floor(1000 + dice() * 9000)}`
const transfer: Recipe = ({ payers, recipients }, dice) => {
  const { canary, chain } = pick(dice, payers)
  const [key = ''] = canary.written
  const good = { chain, fromPrivateKey: key, toAddress: recipients[chain], amount: small(dice) }
  if (dice() < 0.4) return post('/transfers/tokens', good)
  return post('/transfers/tokens', {
    ...good,
    amount: pick(dice, [small(dice), small(dice), '1000000', '1000001', 'x']),
    token: pick(dice, ['native', 'usdc', 'usdt', 'dai']),
    ...(dice() < 0.3 && { toAddress: pick(dice, [...Object.values(recipients), 'x', key]) }),
    ...(dice() < 0.3 && { chain: pick(dice, [...chains, 'polygon', 'tron']) }),
    ...(dice() < 0.3 && { fromPrivateKey: pick(dice, canary.written) }),
  })
}

const fromWallet: Recipe = ({ payers, recipients }, dice) => {
  const { chain, walletId } = pick(dice, payers)
  return post(`/wallets/${walletId}/transfers`, {
    toAddress: recipients[chain],
    amount: pick(dice, [small(dice), '1000000']),
  })
}

/** A secret in a field meant for other data. */
const misplaced: Recipe = ({ plain, payers, recipients, preparedId }, dice) => {
  const secret = pick(dice, pick(dice, plain).written)
  const { chain, address, walletId } = pick(dice, payers)
  const valid = { chain, fromAddress: address, toAddress: recipients[chain], amount: '0.001' }
  const field = pick(dice, [
    'chain',
    'fromAddress',
    'toAddress',
    'amount',
    'token',
    'memo',
    'memoType',
    'gasPrice',
    'gasLimit',
  ])
  return pick(dice, [
    post(`/transfers/${pick(dice, ['estimate', 'prepare'])}`, { ...valid, [field]: secret }),
    post('/transfers/tokens', { ...valid, fromPrivateKey: secret }),
    post(`/wallets/${walletId}/transfers`, { toAddress: secret, amount: '1' }),
    post(`/wallets/${walletId}/transfers`, { toAddress: recipients[chain], amount: '1', memo: secret }),
    post('/wallets', { chain, privateKey: secret, mnemonic: secret }),
    post('/wallets', { chain, privateKey: { of: secret } }),
    post('/wallets', { chain, privateKey: [secret], mnemonic: [secret] }),
    post('/wallets', { chain, mnemonic: secret, derivationPath: secret }),
    post('/wallets/generate', { chain, derivationPath: secret }),
    post('/wallets/generate', { chain: secret, mnemonic: secret }),
    post('/wallets/balance', { chain, address: secret }),
    post('/wallets/balance', { chain, address, tokenAddresses: [secret, `${secret}1`] }),
    post('/transfers/submit', { id: preparedId, payload: secret }),
    post('/transfers/submit', {
      id: preparedId,
      payload: JSON.stringify({ signature: [secret], privateKey: secret }),
    }),
    post('/transfers/submit', { id: secret.slice(0, 100), payload: secret }),
  ])
}

/**
 * A secret as a name or in a payment's data, in an otherwise valid call: only the check of the text itself
 * keeps it from being stored. Misspelt secrets are excluded, as they have no valid checksum. So are hex keys
 * in payments, which have the form of hashes.
 */
const labelled: Recipe = ({ plain, payers }, dice) => {
  const sound = plain.filter(({ name }) => !name.endsWith('misspelt'))
  const { kind, written } = pick(dice, sound)
  const secret = pick(dice, written)
  const phrase = pick(
    dice,
    sound.filter((each) => each.kind === 'phrase'),
  )
  const chain = pick(dice, chains)
  const stored = {
    chain,
    mnemonic: phrase.written[0],
    derivationPath: `m/44'/${Math.floor(dice() * 1000)}'/1'`,
  }
  const session = { chain, token: 'USDC', amount: '1' }
  const known =
    kind === 'phrase'
      ? secret
      : pick(
          dice,
          sound.filter((each) => each.kind === 'stellar'),
        ).written[0]
  return pick(dice, [
    post('/wallets', { ...stored, name: secret }),
    {
      method: 'PATCH',
      path: `/crypto/wallets/${pick(dice, payers).walletId}`,
      body: JSON.stringify({ name: secret }),
    },
    {
      method: 'POST',
      path: '/webhook-endpoints',
      body: JSON.stringify({
        url: 'https://receiver.example.com/',
        eventTypes: ['session.reversed'],
        description: secret,
      }),
    },
    {
      method: 'POST',
      path: '/pos/sessions',
      body: JSON.stringify({ ...session, [pick(dice, ['label', 'reference'])]: known }),
    },
    {
      method: 'POST',
      path: '/pos/sessions',
      body: JSON.stringify({ ...session, metadata: { notes: ['kept here', known] } }),
    },
    {
      method: 'POST',
      path: '/pos/sessions',
      body: JSON.stringify({ ...session, metadata: { [String(known)]: true } }),
    },
  ])
}

const wrong: Recipe = ({ plain }, dice) => {
  const { kind, written } = pick(
    dice,
    plain.filter(({ name }) => name.endsWith('misspelt')),
  )
  const [secret] = written
  const chain = kind === 'phrase' ? pick(dice, chains) : kind
  return pick(dice, [
    post('/wallets', { chain, [kind === 'phrase' ? 'mnemonic' : 'privateKey']: secret }),
    post('/wallets/generate', { chain, mnemonic: secret }),
    post('/transfers/tokens', { chain, fromPrivateKey: secret, toAddress: 'x', amount: '1' }),
  ])
}

const paths: Recipe = ({ plain }, dice) => {
  const secret = encodeURIComponent(pick(dice, pick(dice, plain).written))
  const path = pick(dice, [
    '/wallets/{}',
    '/transfers/{}',
    '/{}',
    '/wallets/{}/nothing',
    '/wallets/{}/archive',
    '/wallets/{}/transfers',
    '/transfers/{}/{}',
  ])
  return {
    method: pick(dice, ['GET', 'POST', 'PATCH', 'DELETE']),
    path: `/crypto${path.replaceAll('{}', secret)}`,
  }
}

const queries: Recipe = ({ plain }, dice) => {
  const secret = encodeURIComponent(pick(dice, pick(dice, plain).written))
  const [path, parameters] = pick(dice, [
    ['/wallets', ['chain', 'address', 'archived', 'cursor', 'page', 'sort']],
    ['/transfers', ['chain', 'token', 'status', 'walletId', 'cursor', 'limit']],
  ] as const)
  return { method: 'GET', path: `/crypto${path}?${pick(dice, parameters)}=${secret}` }
}

/** Malformed bodies. */
const broken: Recipe = ({ plain }, dice) => {
  const secret = pick(dice, pick(dice, plain).written)
  const body = JSON.stringify({ chain: 'ethereum', privateKey: secret, mnemonic: secret })
  const path = `/crypto${pick(dice, ['/wallets', '/wallets/generate', '/transfers/tokens', '/transfers/submit'])}`
  return pick(dice, [
    { method: 'POST', path, body: body.slice(0, -2) },
    { method: 'POST', path, body: body.slice(0, body.length / 2) },
    { method: 'POST', path, body: secret },
    { method: 'POST', path, body: JSON.stringify(secret) },
    { method: 'POST', path, body: `[${body}]` },
    { method: 'POST', path, body: `${body}${secret}` },
    { method: 'POST', path, body, headers: { 'content-type': 'text/plain' } },
    {
      method: 'POST',
      path,
      body,
      headers: { 'content-type': `application/json; key=${encodeURIComponent(secret)}` },
    },
    {
      method: 'POST',
      path,
      body: `privateKey=${encodeURIComponent(secret)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { method: 'POST', path, body, headers: { accept: 'application/problem+json' } },
  ])
}

const headers: Recipe = ({ plain }, dice) => {
  const secret = encodeURIComponent(pick(dice, pick(dice, plain).written))
  const name = pick(dice, [
    'x-api-key',
    'x-api-key',
    'authorization',
    'cookie',
    'user-agent',
    'referer',
    'x-forwarded-for',
    'accept',
    'x-business-id',
    'traceparent',
  ])
  return {
    method: 'GET',
    path: pick(dice, ['/crypto/wallets', '/crypto/transfers', '/crypto/wallets/x']),
    headers: { [name]: name === 'authorization' ? `Bearer ${secret}` : secret },
  }
}

/** A secret as the name of an unknown field or parameter. */
const named: Recipe = ({ named: canaries, payers, recipients }, dice) => {
  const secret = pick(dice, pick(dice, canaries).written)
  const { chain, address, walletId } = pick(dice, payers)
  return pick<Call>(dice, [
    post('/wallets', { chain, [secret]: secret }),
    post('/wallets/generate', { chain, [secret]: '' }),
    post('/wallets/balance', { chain, address, [secret]: 1 }),
    post('/transfers/tokens', { chain, toAddress: recipients[chain], amount: '1', [secret]: true }),
    post('/transfers/estimate', {
      chain,
      fromAddress: address,
      toAddress: recipients[chain],
      amount: '1',
      [secret]: null,
    }),
    post(`/wallets/${walletId}/archive`, { [secret]: 1 }),
    { method: 'GET', path: `/crypto/wallets?${encodeURIComponent(secret)}=1` },
    { method: 'GET', path: `/crypto/transfers?${encodeURIComponent(secret)}` },
  ])
}

/** Headers that identify requests, with encoded secrets. */
const naming: Recipe = ({ requestIds, idempotencyKeys, payers, recipients }, dice) => {
  const secretOf = (canaries: readonly Canary[]) =>
    encodeURIComponent(pick(dice, pick(dice, canaries).written)).slice(0, 250)
  if (dice() < 0.5)
    return {
      method: 'GET',
      path: pick(dice, ['/crypto/wallets', '/crypto/wallets/x']),
      headers: { 'x-request-id': secretOf(requestIds) },
    }
  const { chain, address } = pick(dice, payers)
  const estimate = {
    chain,
    fromAddress: address,
    toAddress: recipients[chain],
    amount: pick(dice, ['0.001', 'x']),
  }
  return post('/transfers/estimate', estimate, { 'idempotency-key': secretOf(idempotencyKeys) })
}

/** All other cases. */
const chaos: Recipe = ({ plain }, dice) => {
  const secret = pick(dice, pick(dice, plain).written)
  return post(pick(dice, ['/wallets', '/wallets/balance', '/transfers/prepare', '/transfers/submit']), {
    chain: secret,
    address: secret,
    privateKey: secret,
    id: secret,
    payload: secret,
  })
}

/** The cumulative share of each recipe. */
const swap: Recipe = ({ payers, recipients }, dice) => {
  const { canary, chain } = pick(dice, payers)
  return post('/swaps/execute', {
    chain,
    sellToken: pick(dice, ['native', ...Object.values(recipients)]),
    buyToken: pick(dice, [...Object.values(recipients), 'native', canary.written[0]]),
    amount: small(dice),
    privateKey: pick(dice, canary.written),
    ...(dice() < 0.7 && { toAddress: pick(dice, [...Object.values(recipients), 'x', canary.written[0]]) }),
  })
}

const recipes: readonly [number, Recipe][] = [
  [0.08, generate],
  [0.18, store],
  [0.3, transfer],
  [0.33, fromWallet],
  [0.37, swap],
  [0.5, misplaced],
  [0.56, labelled],
  [0.64, wrong],
  [0.72, paths],
  [0.79, queries],
  [0.86, broken],
  [0.9, headers],
  [0.95, named],
  [0.98, naming],
]
