import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import { getAddress, type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { muxed } from '../../src/chains/stellar/address.ts'
import { newId } from '../../src/platform/ids.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { rpc } from '../devnets/evm.ts'
import { metric } from '../faults/metric.ts'
import { sep5 } from '../promises/walletVectors.ts'
import { otherBusinessHeaders, withScope } from '../support/apiKeyHeaders.ts'
import { addMember, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { contractOf, fund, newPayer, type Payer } from '../support/payers.ts'
import { rowsOfTransfers } from '../support/preflight.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', 'stellar'],
    confirmations: 1,
    env: { RPC_TIMEOUT_MS: '5000', LOW_BALANCE_POLL_MS: '200', LOW_BALANCE_CHECK_MS: '3600000' },
  })
})
afterAll(() => stack?.close())

describe('wallets', () => {
  let otherBusiness: Record<string, string>

  beforeAll(async () => {
    otherBusiness = await otherBusinessHeaders(stack)
  })

  interface WalletBody {
    id: string
    chain: string
    address: string
    publicKey: string
    name: string | null
    derivationPath: string | null
    createdAt: string
    archivedAt: string | null
  }
  interface WalletList {
    wallets: WalletBody[]
    total: number
    totalPages: number
    nextCursor: string | null
  }
  interface TransferBody {
    id: string
    chain: string
    token: string
    txHash: string | null
    status: string
    reason: string | null
    walletId: string | null
  }
  interface TransferList {
    transfers: TransferBody[]
    total: number
    totalPages: number
    nextCursor: string | null
  }
  type Refused = { error: string; message: string; fields: { field: string }[] }

  const generate = (body: object, headers = {}) =>
    stack.api<Record<string, string>>('POST', '/crypto/wallets/generate', body, headers)
  const store = (body: object, headers = {}) =>
    stack.api<WalletBody>('POST', '/crypto/wallets', body, headers)
  const wallets = async (query = '', headers = {}) =>
    (await stack.api<WalletList>('GET', `/crypto/wallets${query}`, undefined, headers)).body
  const transfers = async (query = '', headers = {}) =>
    (await stack.api<TransferList>('GET', `/crypto/transfers${query}`, undefined, headers)).body
  const transfer = (body: object, headers = {}) =>
    stack.api<TransferBody>('POST', '/crypto/transfers/tokens', body, headers)
  const fieldsOf = (answer: { body: unknown }) => (answer.body as Refused).fields.map(({ field }) => field)

  /** Stores a wallet that has coin. */
  async function storedPayer(): Promise<Payer & { walletId: string }> {
    const payer = newPayer('ethereum')
    await fund(stack, payer, { native: '50' })
    const { body } = await store({ chain: 'ethereum', privateKey: payer.privateKey })
    return { ...payer, walletId: body.id }
  }

  describe('generate', () => {
    test('makes another wallet each time, and stores nothing, with any Idempotency-Key', async () => {
      const rows = async () =>
        stack.db.query(
          'select (select count(*) from wallets) as wallets, (select count(*) from idempotency_keys) as keys, (select count(*) from outbox) as outbox',
        )
      const before = await rows()
      const made = await Promise.all(
        [1, 2, 3].map(() => generate({ chain: 'ethereum' }, { 'idempotency-key': 'same' })),
      )
      for (const { status, body, headers } of made) {
        expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
        // Derived by viem, from the answer.
        expect(body.derivationPath).toBe("m/44'/60'/0'/0/0")
        expect(mnemonicToAccount(body.mnemonic ?? '').address).toBe(body.address)
        expect(privateKeyToAccount(body.privateKey as Hex).publicKey).toBe(body.publicKey)
        expect(Object.keys(body).sort()).toEqual([
          'address',
          'derivationPath',
          'mnemonic',
          'privateKey',
          'publicKey',
        ])
      }
      expect(new Set(made.map(({ body }) => body.mnemonic)).size).toBe(3)
      expect(await rows()).toEqual(before)
    })

    test('derives the wallet of a phrase, also at a path of the caller', async () => {
      const phrase = 'test test test test test test test test test test test junk'
      const derivationPath = "m/44'/60'/0'/0/7"
      expect(await generate({ chain: 'ethereum', mnemonic: phrase, derivationPath })).toMatchObject({
        status: 200,
        body: {
          address: mnemonicToAccount(phrase, { addressIndex: 7 }).address,
          mnemonic: phrase,
          derivationPath,
        },
      })
      const [vector] = sep5
      const [address, privateKey] = vector.keys[0].split(' ')
      expect((await generate({ chain: 'stellar', mnemonic: vector.phrase })).body).toMatchObject({
        address,
        privateKey,
        publicKey: address,
      })
    })

    test('gives a memo on Stellar alone, and works for chains that this deployment does not have', async () => {
      const { body } = await generate({ chain: 'stellar' })
      expect(body).toMatchObject({ memo: expect.stringMatching(/^[1-9]\d*$/), memoType: 'id' })
      expect(Keypair.fromSecret(body.privateKey ?? '').publicKey()).toBe(body.address)
      for (const chain of ['polygon', 'bsc', 'base', 'arbitrum', 'optimism', 'solana', 'tron']) {
        const made = await generate({ chain })
        expect([chain, made.status, made.body.memo]).toEqual([chain, 200, undefined])
      }
    })

    test.each([
      ['no chain', {}, ['chain']],
      ['an unknown chain', { chain: 'bitcoin' }, ['chain']],
      ['an invalid phrase', { chain: 'ethereum', mnemonic: 'one two three' }, ['mnemonic']],
      ['an invalid path', { chain: 'ethereum', derivationPath: 'nonsense' }, ['derivationPath']],
      [
        'a path that the curve does not have',
        { chain: 'stellar', derivationPath: 'm/44/148/0' },
        ['derivationPath'],
      ],
      ['an unknown field', { chain: 'ethereum', words: 24 }, ['words']],
    ])('refuses %s and names the field', async (_name, body, fields) => {
      const answer = await generate(body)
      expect([answer.status, fieldsOf(answer)]).toEqual([400, fields])
    })
  })

  describe('a stored wallet', () => {
    test('is stored by its key or by its phrase, is shown without a secret, and is not stored twice', async () => {
      const key = generatePrivateKey()
      const { address, publicKey } = privateKeyToAccount(key)
      const first = await store({ chain: 'ethereum', privateKey: key, name: 'till' })
      expect(first).toMatchObject({
        status: 201,
        body: { chain: 'ethereum', address, publicKey, name: 'till', derivationPath: null, archivedAt: null },
      })
      expect(JSON.stringify(first.body)).not.toContain(key.slice(2))
      const [vector] = sep5
      const phrase = await store({ chain: 'stellar', mnemonic: vector.phrase.toUpperCase() })
      expect(phrase).toMatchObject({
        status: 201,
        body: { address: vector.keys[0].split(' ')[0], name: null, derivationPath: "m/44'/148'/0'" },
      })
      const again = await store({ chain: 'ethereum', privateKey: key.toUpperCase().replace('0X', '0x') })
      expect(again).toMatchObject({
        status: 409,
        body: { error: 'wallet_exists', message: expect.stringContaining(first.body.id) },
      })
      expect((await store({ chain: 'stellar', privateKey: vector.keys[0].split(' ')[1] })).status).toBe(409)
      // Another business may store the same wallet, and learns nothing of the first one.
      const other = await store({ chain: 'ethereum', privateKey: key }, otherBusiness)
      expect([other.status, other.body.id === first.body.id]).toEqual([201, false])
    })

    test('is stored once by ten requests at once, with a key for them or without', async () => {
      for (const headers of [{}, { 'idempotency-key': newId() }]) {
        const privateKey = generatePrivateKey()
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => store({ chain: 'ethereum', privateKey }, headers)),
        )
        const stored = answers.filter(({ status }) => status === 201)
        expect(new Set(stored.map(({ body }) => body.id)).size).toBe(1)
        expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
        expect((await wallets(`?address=${privateKeyToAccount(privateKey).address}`)).total).toBe(1)
        if ('idempotency-key' in headers) {
          const replay = await store({ chain: 'ethereum', privateKey }, headers)
          expect([replay.status, replay.headers.get('idempotent-replayed'), replay.body]).toEqual([
            201,
            'true',
            stored[0]?.body,
          ])
          const other = await store({ chain: 'ethereum', privateKey: generatePrivateKey() }, headers)
          expect([other.status, (other.body as unknown as Refused).error]).toEqual([
            422,
            'idempotency_key_reused',
          ])
        } else expect(stored).toHaveLength(1)
      }
    })

    test.each([
      ['neither key nor phrase', { chain: 'ethereum' }, ['privateKey', 'mnemonic']],
      [
        'both',
        { chain: 'ethereum', privateKey: '1'.repeat(64), mnemonic: sep5[0].phrase },
        ['privateKey', 'mnemonic'],
      ],
      [
        'a path with a key',
        { chain: 'ethereum', privateKey: '1'.repeat(64), derivationPath: "m/44'/60'/0'/0/0" },
        ['derivationPath'],
      ],
      ['a key of another chain', { chain: 'stellar', privateKey: '1'.repeat(64) }, ['privateKey']],
      ['an invalid phrase', { chain: 'stellar', mnemonic: 'zoo' }, ['mnemonic']],
      ['an empty name', { chain: 'ethereum', privateKey: '1'.repeat(64), name: '' }, ['name']],
      ['a long name', { chain: 'ethereum', privateKey: '1'.repeat(64), name: 'x'.repeat(201) }, ['name']],
      ['a NUL in the name', { chain: 'ethereum', privateKey: '1'.repeat(64), name: 'a\u0000b' }, ['name']],
      ['an unknown field', { chain: 'ethereum', privateKey: '1'.repeat(64), label: 'x' }, ['label']],
    ])('is refused with %s, and the field is named', async (_name, body, fields) => {
      const { total } = await wallets()
      const answer = await store(body)
      expect([answer.status, fieldsOf(answer)]).toEqual([400, fields])
      expect((await wallets()).total).toBe(total)
    })

    test('is renamed, is archived once, is then left out of lists, and can be stored again', async () => {
      const privateKey = generatePrivateKey()
      const { body: first } = await store({ chain: 'ethereum', privateKey, name: 'before' })
      const path = `/crypto/wallets/${first.id}`
      expect(await stack.api('PATCH', path, { name: 'after' })).toMatchObject({
        status: 200,
        body: { ...first, name: 'after' },
      })
      expect(await stack.api('PATCH', path, { name: null })).toMatchObject({
        status: 200,
        body: { name: null },
      })
      for (const name of ['', 'x'.repeat(201), 'a\u0000b', 5]) {
        const refused = await stack.api('PATCH', path, { name })
        expect([refused.status, fieldsOf(refused)]).toEqual([400, ['name']])
      }
      expect((await stack.api('PATCH', path, {})).status).toBe(400)
      const archived = await stack.api<WalletBody>('POST', `${path}/archive`)
      expect(archived).toMatchObject({ status: 200, body: { id: first.id, archivedAt: expect.any(String) } })
      expect((await stack.api('POST', `${path}/archive`)).body).toEqual(archived.body)
      expect((await stack.api('GET', path)).body).toEqual(archived.body)
      expect((await wallets(`?address=${first.address}`)).total).toBe(0)
      expect((await wallets(`?address=${first.address}&archived=true`)).wallets).toEqual([archived.body])
      const again = await store({ chain: 'ethereum', privateKey })
      expect([again.status, again.body.id === first.id]).toEqual([201, false])
      await fund(stack, { chain: 'ethereum', privateKey, address: first.address }, { native: '1' })
      const sent = await stack.api('POST', `${path}/transfers`, {
        toAddress: newPayer('ethereum').address,
        amount: '0.1',
      })
      expect([sent.status, sent.body.error]).toEqual([409, 'wallet_archived'])
    })

    test('is found in lists by chain and by address in any of its forms, page by page and by cursor', async () => {
      const mine = await otherBusinessHeaders(stack)
      const made: WalletBody[] = []
      for (let i = 0; i < 5; i++)
        made.push(
          (
            await store(
              {
                chain: i === 4 ? 'stellar' : 'ethereum',
                privateKey: newPayer(i === 4 ? 'stellar' : 'ethereum').privateKey,
              },
              mine,
            )
          ).body,
        )
      const ids = (list: WalletList) =>
        list.wallets.map(({ id }) => made.findIndex((wallet) => wallet.id === id))
      const list = (query: string) => wallets(query, mine)
      expect(await list('')).toMatchObject({
        total: 5,
        totalPages: 1,
        nextCursor: null,
        wallets: [...made].reverse(),
      })
      expect(ids(await list('?sort=ASC&limit=2&page=2'))).toEqual([2, 3])
      const first = await list('?limit=3')
      expect(ids(first)).toEqual([4, 3, 2])
      expect(ids(await list(`?limit=3&cursor=${first.nextCursor}`))).toEqual([1, 0])
      expect(ids(await list('?chain=stellar'))).toEqual([4])
      expect(ids(await list('?archived=true'))).toEqual([])
      const address = made[1]?.address ?? ''
      for (const form of [address, address.toLowerCase(), getAddress(address)])
        expect(ids(await list(`?address=${form}`))).toEqual([1])
      expect((await list('?address=nonsense')).total).toBe(0)
      for (const query of [
        'chain=bitcoin',
        'archived=perhaps',
        'address=',
        'page=0',
        'limit=101',
        'sort=up',
        'cursor=x',
        'owner=me',
        'page=101&limit=100',
      ]) {
        const refused = await stack.api('GET', `/crypto/wallets?${query}`, undefined, mine)
        expect([query, refused.status, fieldsOf(refused)]).toEqual([query, 400, [query.split('=')[0]]])
      }
    })
  })

  describe('balances', () => {
    const balance = (body: object) =>
      stack.api<{ balances: { native: object; tokens: object[] } }>('POST', '/crypto/wallets/balance', body)

    test.each(['ethereum', 'stellar'] as const)(
      '%s: the coin and every token that Cowry knows, exactly; zero where there is no balance',
      async (chain) => {
        const payer = newPayer(chain)
        const nothing = await balance({ chain, address: payer.address })
        expect(nothing).toMatchObject({
          status: 200,
          body: { chain, address: payer.address, balances: { native: { balance: '0' } } },
        })
        await fund(stack, payer, { native: '12.0000001', USDC: '3.000001' })
        const { body } = await balance({ chain, address: payer.address })
        const [symbol, decimals] = chain === 'ethereum' ? ['ETH', 18] : ['XLM', 7]
        expect(body.balances.native).toEqual({ symbol, balance: '12.0000001', decimals })
        const { tokens } = body.balances
        const [usdc, usdt] = (['USDC', 'USDT'] as const).map((each) => contractOf(stack, chain, each))
        const units = chain === 'ethereum' ? 6 : 7
        const shown = (text: string | undefined) => (chain === 'ethereum' ? getAddress(text ?? '') : text)
        expect(tokens).toContainEqual({
          address: shown(usdc),
          symbol: 'USDC',
          balance: '3.000001',
          decimals: units,
          baseUnits: `3000001${chain === 'ethereum' ? '' : '0'}`,
        })
        expect(tokens).toContainEqual(expect.objectContaining({ address: shown(usdt), balance: '0' }))
        expect(JSON.stringify(tokens)).not.toContain('problem')
      },
    )

    test('requested tokens in their order; an invalid one is marked, and the others are still shown', async () => {
      const payer = newPayer('ethereum')
      await fund(stack, payer, { native: '1', USDC: '2' })
      const asked = [payer.address, contractOf(stack, 'ethereum', 'USDC'), stack.devnet.fakeUsdc]
      const { status, body } = await balance({
        chain: 'ethereum',
        address: payer.address.toLowerCase(),
        tokenAddresses: asked,
      })
      expect(status).toBe(200)
      expect(body.balances.tokens).toMatchObject([
        { address: payer.address, problem: 'not_a_token', balance: null },
        { symbol: 'USDC', balance: '2' },
        { address: getAddress(stack.devnet.fakeUsdc), balance: '0' },
      ])
      expect(
        (await balance({ chain: 'ethereum', address: payer.address, tokenAddresses: [] })).body.balances
          .tokens,
      ).toEqual([])
      const twoForms = [stack.devnet.usdc, getAddress(stack.devnet.usdc)]
      expect(
        (await balance({ chain: 'ethereum', address: payer.address, tokenAddresses: twoForms })).body.balances
          .tokens,
      ).toHaveLength(1)
    })

    test.each<[string, object, string, string[]]>([
      ['no address', { address: 'nonsense' }, 'invalid_address', ['address']],
      [
        'an address of another chain',
        { address: sep5[0].keys[0].split(' ')[0] },
        'wrong_chain_address',
        ['address'],
      ],
      [
        'invalid tokens',
        { tokenAddresses: [`0x${'1'.repeat(40)}`, 'x', 'USDC'] },
        'Invalid request body',
        ['tokenAddresses.1', 'tokenAddresses.2'],
      ],
      [
        'a token twice',
        { tokenAddresses: [`0x${'1'.repeat(40)}`, `0x${'1'.repeat(40)}`] },
        'Invalid request body',
        ['tokenAddresses'],
      ],
      ['an empty token', { tokenAddresses: [''] }, 'Invalid request body', ['tokenAddresses.0']],
      [
        '101 tokens',
        { tokenAddresses: Array.from({ length: 101 }, (_, i) => `0x${String(i).padStart(40, '0')}`) },
        'Invalid request body',
        ['tokenAddresses'],
      ],
      ['a chain that this deployment does not have', { chain: 'polygon' }, 'Invalid request body', ['chain']],
    ])('are refused for %s, and the field is named', async (_name, body, error, fields) => {
      const answer = await balance({ chain: 'ethereum', address: `0x${'ab'.repeat(20)}`, ...body })
      expect([answer.status, (answer.body as unknown as Refused).error, fieldsOf(answer)]).toEqual([
        400,
        error,
        fields,
      ])
    })
  })

  describe('permissions', () => {
    test('another business’s id is a 404 for every operation, and lists contain only own records', async () => {
      const payer = await storedPayer()
      const sent = await transfer({
        chain: 'ethereum',
        fromPrivateKey: payer.privateKey,
        toAddress: newPayer('ethereum').address,
        amount: '0.1',
      })
      const requested = {
        chain: 'ethereum',
        fromAddress: payer.address,
        toAddress: payer.address,
        amount: '0.1',
      }
      const { body: prepared } = await stack.api<{ id: string; payload: Hex }>(
        'POST',
        '/crypto/transfers/prepare',
        requested,
      )
      const payload = await privateKeyToAccount(payer.privateKey as Hex).signTransaction(
        parseTransaction(prepared.payload) as never,
      )
      const rows = await rowsOfTransfers(stack)
      const calls: [string, string, object?][] = [
        payer.walletId,
        newId(),
        'nonsense',
        '%00',
        "' or 1=1 --",
      ].flatMap((id): [string, string, object?][] => {
        const path = `/crypto/wallets/${encodeURIComponent(id)}`
        return [
          ['GET', path],
          ['PATCH', path, { name: 'mine' }],
          ['POST', `${path}/archive`],
          ['POST', `${path}/transfers`, { toAddress: payer.address, amount: '0.1' }],
        ]
      })
      for (const id of [sent.body.id, sent.body.txHash ?? '', newId(), 'nonsense'])
        calls.push(['GET', `/crypto/transfers/${id}`])
      for (const id of [prepared.id, sent.body.id, newId(), 'nonsense'])
        calls.push(['POST', '/crypto/transfers/submit', { id, payload }])
      for (const [method, path, body] of calls) {
        const { status, body: answer } = await stack.api(method, path, body, otherBusiness)
        expect([method, path, status, answer.error]).toEqual([method, path, 404, 'Not found'])
      }
      expect((await wallets(`?address=${payer.address}`, otherBusiness)).total).toBe(0)
      expect(await transfers('', otherBusiness)).toMatchObject({ total: 0, transfers: [] })
      expect(await transfers(`?walletId=${payer.walletId}`, otherBusiness)).toMatchObject({ total: 0 })
      expect(await rowsOfTransfers(stack)).toEqual(rows)
      expect((await stack.api<WalletBody>('GET', `/crypto/wallets/${payer.walletId}`)).body).toMatchObject({
        name: null,
        archivedAt: null,
      })
    })

    const operations: [string, string, object | undefined, 'read' | 'write'][] = [
      ['POST', '/crypto/wallets/generate', { chain: 'ethereum' }, 'write'],
      ['POST', '/crypto/wallets', { chain: 'ethereum', privateKey: '2'.repeat(64) }, 'write'],
      ['POST', '/crypto/wallets/balance', { chain: 'ethereum', address: `0x${'ab'.repeat(20)}` }, 'read'],
      ['GET', '/crypto/wallets', undefined, 'read'],
      ['GET', `/crypto/wallets/${newId()}`, undefined, 'read'],
      ['PATCH', `/crypto/wallets/${newId()}`, { name: null }, 'write'],
      ['POST', `/crypto/wallets/${newId()}/archive`, undefined, 'write'],
      ['POST', `/crypto/wallets/${newId()}/transfers`, { toAddress: 'x', amount: '1' }, 'write'],
      [
        'POST',
        '/crypto/transfers/tokens',
        { chain: 'ethereum', fromPrivateKey: '2'.repeat(64), toAddress: 'x', amount: '1' },
        'write',
      ],
      [
        'POST',
        '/crypto/transfers/estimate',
        { chain: 'ethereum', fromAddress: 'x', toAddress: 'x', amount: '1' },
        'read',
      ],
      [
        'POST',
        '/crypto/transfers/prepare',
        { chain: 'ethereum', fromAddress: 'x', toAddress: 'x', amount: '1' },
        'write',
      ],
      ['POST', '/crypto/transfers/submit', { id: newId(), payload: 'x' }, 'write'],
      ['POST', `/crypto/transfers/${newId()}/cancel`, undefined, 'write'],
      ['GET', '/crypto/transfers', undefined, 'read'],
      ['GET', `/crypto/transfers/${newId()}`, undefined, 'read'],
    ]

    test.each(operations)(
      '%s %s: refuses requests without credentials; a read key gets what its scope allows',
      async (method, path, body, scope) => {
        expect(await stack.api(method, path, body, { 'x-api-key': '' })).toMatchObject({ status: 401 })
        const { status, body: answer } = await stack.api(method, path, body, await withScope(stack, 'read'))
        if (scope === 'write') expect([status, answer.error]).toEqual([403, 'insufficient_scope'])
        else expect([200, 400, 404]).toContain(status)
      },
    )

    test('every operation refuses by name a chain that this deployment does not have', async () => {
      const payer = newPayer('polygon')
      const requested = { chain: 'polygon', toAddress: payer.address, amount: '1' }
      const answers = await Promise.all([
        transfer({ ...requested, fromPrivateKey: payer.privateKey }),
        ...['estimate', 'prepare'].map((way) =>
          stack.api('POST', `/crypto/transfers/${way}`, { ...requested, fromAddress: payer.address }),
        ),
      ])
      for (const answer of answers) expect([answer.status, fieldsOf(answer)]).toEqual([400, ['chain']])
      // A wallet on it can still be stored.
      const { body } = await store({ chain: 'polygon', privateKey: payer.privateKey })
      const sent = await stack.api('POST', `/crypto/wallets/${body.id}/transfers`, {
        toAddress: payer.address,
        amount: '1',
      })
      expect([sent.status, fieldsOf(sent)]).toEqual([400, ['chain']])
    })
  })
})

describe('calls of transfers', () => {
  // Transfers as callers of the API see them: repeated requests, webhooks, lists. Other suites test what
  // moves on the chains.

  type Chain = 'ethereum' | 'stellar'
  const chains: readonly Chain[] = ['ethereum', 'stellar']

  const payers = new Map<Chain, Payer & { walletId: string; to: string }>()

  beforeAll(async () => {
    for (const chain of chains) {
      const [payer, recipient] = [newPayer(chain), newPayer(chain)]
      await fund(stack, payer, { native: '500', USDC: '500' })
      await fund(stack, recipient, { native: '10', USDC: '0' })
      const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
        chain,
        privateKey: payer.privateKey,
      })
      payers.set(chain, { ...payer, walletId: body.id, to: recipient.address })
    }
  })

  interface TransferBody {
    id: string
    chain: Chain
    txHash: string | null
    status: string
    walletId: string | null
    blockHeight: number | null
  }
  interface TransferList {
    transfers: TransferBody[]
    total: number
    page: number
    totalPages: number
    nextCursor: string | null
  }
  type Headers = Record<string, string>

  const of = (chain: Chain) => {
    const payer = payers.get(chain)
    if (!payer) throw new Error(`no sender on ${chain}`)
    return payer
  }
  const get = async (name: string) => (await stack.api<TransferBody>('GET', `/crypto/transfers/${name}`)).body
  const list = async (query: string, headers: Headers) =>
    (await stack.api<TransferList>('GET', `/crypto/transfers?${query}`, undefined, headers)).body
  const errorOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { error?: string }).error,
  ]

  /** By a key in the request, and by a stored wallet. */
  const ways = ['tokens', 'wallet'] as const
  function send(way: (typeof ways)[number], chain: Chain, headers: Headers = {}, amount = '1.25') {
    const { privateKey, walletId, to } = of(chain)
    const requested = {
      toAddress: to,
      amount,
      token: 'usdc',
      ...(chain === 'stellar' && { memo: '7', memoType: 'id' }),
    }
    return way === 'tokens'
      ? stack.api<TransferBody>(
          'POST',
          '/crypto/transfers/tokens',
          { chain, fromPrivateKey: privateKey, ...requested },
          headers,
        )
      : stack.api<TransferBody>('POST', `/crypto/wallets/${walletId}/transfers`, requested, headers)
  }

  /** The recipient's USDC in base units, by the chain's own node. */
  async function usdcOf(chain: Chain): Promise<bigint> {
    const { to } = of(chain)
    if (chain === 'ethereum') {
      const data = `0x70a08231${to.slice(2).toLowerCase().padStart(64, '0')}`
      return BigInt(
        String(await rpc(stack.devnet.rpcUrl, 'eth_call', [{ to: stack.devnet.usdc, data }, 'latest'])),
      )
    }
    const account = await (await fetch(`${stack.other('stellar').horizonUrl}/accounts/${to}`)).json()
    const { balances } = account as { balances: { asset_code?: string; balance: string }[] }
    return BigInt((balances.find((each) => each.asset_code === 'USDC')?.balance ?? '0').replace('.', ''))
  }
  const oneAndAQuarter: Record<Chain, bigint> = { ethereum: 1_250_000n, stellar: 12_500_000n }

  /**
   * It moved once, is found by id and hash, and was published once, in a signed webhook equal to the API's
   * answer.
   */
  async function expectOnce({ id }: TransferBody, chain: Chain, before: bigint): Promise<void> {
    const done = await waitFor('a confirmed transfer', async () => {
      await stack.mine(1, chain)
      const transfer = await get(id)
      return transfer.status === 'confirmed' ? transfer : null
    })
    expect((await usdcOf(chain)) - before).toBe(oneAndAQuarter[chain])
    expect(await get(done.txHash ?? '')).toMatchObject({ id })
    expect(await get((done.txHash ?? '').toUpperCase().replace('0X', '0x'))).toMatchObject({ id })
    await waitFor('the event', async () => stack.receiver.types(id).length > 0)
    await stack.idle()
    expect(stack.receiver.types(id)).toEqual(['transfer.confirmed'])
    const { updatedAt: _, ...shown } = done as TransferBody & { updatedAt: string }
    expect(stack.receiver.about(id)[0]?.data).toMatchObject(shown)
  }

  const parallel = createParallelTests()

  describe.each(chains.flatMap((chain) => ways.map((way) => [chain, way] as const)))(
    'on %s (%s)',
    (chain, way) => {
      const taken = way === 'tokens' ? 201 : 202

      parallel.test(
        chain,
        'the same Idempotency-Key is one transfer and the same answer, even much later; with another body it is refused',
        async () => {
          const [before, rows, key] = [
            await usdcOf(chain),
            await rowsOfTransfers(stack, chain),
            { 'idempotency-key': newId() },
          ]
          const first = await send(way, chain, key)
          expect(first).toMatchObject({
            status: taken,
            body: {
              status: 'pending',
              blockHeight: null,
              walletId: way === 'wallet' ? of(chain).walletId : null,
            },
          })
          const again = await send(way, chain, key)
          expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([
            taken,
            'true',
            first.body,
          ])
          expect(errorOf(await send(way, chain, key, '2'))).toEqual([422, 'idempotency_key_reused'])
          expect(errorOf(await send(way === 'tokens' ? 'wallet' : 'tokens', chain, key))).toEqual([
            422,
            'idempotency_key_reused',
          ])
          expect((await rowsOfTransfers(stack, chain)).intents).toBe((rows.intents ?? 0) + 1)
          await expectOnce(first.body, chain, before)
          expect((await send(way, chain, key)).body).toEqual(first.body)
        },
      )

      parallel.test(
        chain,
        'ten at once with one Idempotency-Key are one transfer; early repeats are refused for now',
        async () => {
          const [before, key] = [await usdcOf(chain), { 'idempotency-key': newId() }]
          const answers = await Promise.all(Array.from({ length: 10 }, () => send(way, chain, key)))
          const carriedOut = answers.filter(({ status }) => status === taken)
          expect(new Set(carriedOut.map(({ body }) => body.id)).size).toBe(1)
          for (const answer of answers.filter(({ status }) => status !== taken)) {
            expect([...errorOf(answer), answer.headers.get('retry-after')]).toEqual([
              409,
              'request_in_progress',
              '1',
            ])
          }
          const [first] = carriedOut
          if (!first) throw new Error('no request was answered')
          await expectOnce(first.body, chain, before)
        },
      )

      parallel.test(chain, 'an Idempotency-Key is not used up by a refused request', async () => {
        const [before, key] = [await usdcOf(chain), { 'idempotency-key': newId() }]
        expect((await send(way, chain, key, '1000000')).status).toBe(422)
        const answer = await send(way, chain, key)
        expect(answer.status).toBe(taken)
        await expectOnce(answer.body, chain, before)
      })
    },
  )

  test('on Stellar limits of a destination include its memo: at an exchange the memo names the recipient', async () => {
    const owner = await addMember(stack, stack.businessId, 'owner')
    const { headers } = await sessionOf(stack, owner)
    const [payer, { to }] = [newPayer('stellar'), of('stellar')]
    await fund(stack, payer, { native: '50', USDC: '50' })
    const { id } = (
      await stack.api<{ id: string }>('POST', '/crypto/wallets', {
        chain: 'stellar',
        privateKey: payer.privateKey,
      })
    ).body
    const set = (destination: object) =>
      dashboard<{ destinations: object[]; fields?: { field: string }[] }>(
        stack,
        'PUT',
        `/businesses/${stack.businessId}/wallets/${id}/send-limits`,
        { amounts: null, destinations: [{ chain: 'stellar', address: to, ...destination }] },
        headers,
      )
    expect((await set({ memo: 'x', memoType: 'id' })).body.fields?.[0]?.field).toBe('destinations.0.memo')
    expect((await set({ memo: '42', memoType: 'id' })).body.destinations).toEqual([
      { chain: 'stellar', address: to, memo: '42', memoType: 'id' },
    ])
    const sent = async (more: object) => {
      const requested = { toAddress: to, amount: '1', token: 'usdc', ...more }
      const { status, body } = await stack.api<{ error?: string; fields?: { field: string }[] }>(
        'POST',
        `/crypto/wallets/${id}/transfers`,
        requested,
      )
      return status === 202 ? 'sent' : [body.error, body.fields?.[0]?.field]
    }
    expect(await sent({ memo: '43', memoType: 'id' })).toEqual(['limit_exceeded', 'memo'])
    expect(await sent({ memo: '42', memoType: 'text' })).toEqual(['limit_exceeded', 'memo'])
    expect(await sent({ token: 'native' })).toEqual(['limit_exceeded', 'memo'])
    // The same account and another customer, written as a muxed address.
    expect(await sent({ toAddress: muxed(to, 43n) })).toEqual(['limit_exceeded', 'toAddress'])
    expect(await sent({ memo: '42', memoType: 'id' })).toBe('sent')
  })

  test('a transfer of a stored wallet has a deadline if requested, and can be cancelled; one with a key of the request has no deadline', async () => {
    const { privateKey, walletId, to } = of('ethereum')
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    const sent = (validUntil: string) =>
      stack.api('POST', `/crypto/wallets/${walletId}/transfers`, { toAddress: to, amount: '0.1', validUntil })
    const withKey = {
      chain: 'ethereum',
      fromPrivateKey: privateKey,
      toAddress: to,
      amount: '0.1',
      validUntil: inMs(60_000),
    }
    for (const refused of [
      sent(inMs(-1000)),
      sent(inMs(31 * 24 * 3_600_000)),
      sent('soon'),
      stack.api('POST', '/crypto/transfers/tokens', withKey),
    ])
      expect(await refused).toMatchObject({ status: 400, body: { fields: [{ field: 'validUntil' }] } })
    const validUntil = inMs(3_600_000)
    const { status, body } = await sent(validUntil)
    expect([status, body]).toMatchObject([202, { status: 'pending', validUntil }])
    const cancel = (id: unknown, headers: Headers = {}) =>
      stack.api<TransferBody>('POST', `/crypto/transfers/${id}/cancel`, undefined, headers)
    expect(errorOf(await cancel(body.id, await otherBusinessHeaders(stack)))).toEqual([404, 'Not found'])
    expect(errorOf(await cancel('x'))).toEqual([404, 'Not found'])
    expect(await cancel(body.id)).toMatchObject({
      status: 200,
      body: { id: body.id, reason: expect.stringMatching(/^cancell/) },
    })
    expect((await cancel(body.id)).status).toBe(200)
    await waitFor('its end', async () => {
      await stack.mine(1, 'ethereum')
      return (await get(String(body.id))).status !== 'pending'
    })
    const ours = await send('tokens', 'ethereum')
    expect(errorOf(await cancel(ours.body.id))).toEqual([409, 'transfer_not_ours'])
  })

  test('transfers are listed by chain, token, state and wallet, page by page and by cursor', async () => {
    const mine = await otherBusinessHeaders(stack)
    const { to } = of('ethereum')
    const from = newPayer('ethereum')
    await fund(stack, from, { native: '10', USDC: '10' })
    const wallet = (
      await stack.api<{ id: string }>(
        'POST',
        '/crypto/wallets',
        { chain: 'ethereum', privateKey: from.privateKey },
        mine,
      )
    ).body.id
    const made: string[] = []
    for (const token of ['native', 'usdc', 'native']) {
      const body = { chain: 'ethereum', fromPrivateKey: from.privateKey, toAddress: to, amount: '0.5', token }
      made.push((await stack.api<TransferBody>('POST', '/crypto/transfers/tokens', body, mine)).body.id)
    }
    made.push(
      (
        await stack.api<TransferBody>(
          'POST',
          `/crypto/wallets/${wallet}/transfers`,
          { toAddress: to, amount: '0.5' },
          mine,
        )
      ).body.id,
    )
    const ids = ({ transfers }: TransferList) => transfers.map(({ id }) => made.indexOf(id))
    const all = await list('', mine)
    expect([ids(all), all.total, all.totalPages, all.page, all.nextCursor]).toEqual([
      [3, 2, 1, 0],
      4,
      1,
      1,
      null,
    ])
    expect(ids(await list('sort=ASC&limit=3&page=2', mine))).toEqual([3])
    const first = await list('limit=3', mine)
    expect(ids(await list(`limit=3&cursor=${first.nextCursor}`, mine))).toEqual([0])
    expect(ids(await list('token=usdc', mine))).toEqual([1])
    expect(ids(await list('token=native&sort=ASC', mine))).toEqual([0, 2, 3])
    expect(ids(await list(`walletId=${wallet}`, mine))).toEqual([3])
    expect(ids(await list('chain=stellar', mine))).toEqual([])
    expect(ids(await list('status=pending', mine))).toEqual([3, 2, 1, 0])
    await waitFor('all confirmed', async () => {
      await stack.mine(1, 'ethereum')
      return (await list('status=confirmed', mine)).total === 4
    })
    expect(ids(await list('status=failed', mine))).toEqual([])
    for (const query of [
      'chain=bitcoin',
      'token=dai',
      'status=unknown',
      'walletId=x',
      'page=0',
      'limit=101',
      'cursor=x',
      'from=x',
      'page=101&limit=100',
    ]) {
      const refused = await stack.api<{ fields: { field: string }[] }>(
        'GET',
        `/crypto/transfers?${query}`,
        undefined,
        mine,
      )
      expect([query, refused.status, refused.body.fields.map(({ field }) => field)]).toEqual([
        query,
        400,
        [query.split('=')[0]],
      ])
    }
  })

  test('every delivery was signed', () => {
    expect(stack.receiver.received.length).toBeGreaterThanOrEqual(12)
    expect(stack.receiver.forged).toEqual([])
  })
})

describe('a recipient on Stellar that cannot hold the token', () => {
  const amount = '1.25'
  const memo = { memo: '7', memoType: 'id' }
  let sender: Payer & { walletId: string }

  beforeAll(async () => {
    const payer = newPayer('stellar')
    await fund(stack, payer, { native: '50', USDC: '50' })
    const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain: 'stellar',
      privateKey: payer.privateKey,
    })
    sender = { ...payer, walletId: body.id }
  })

  interface TransferBody {
    id: string
    status: string
    reason: string | null
    txHash: string | null
    waitUntil?: string
    claimableBalanceId?: string
    error?: string
    fields?: { field: string }[]
  }
  const send = (toAddress: string, body: object) =>
    stack.api<TransferBody>('POST', `/crypto/wallets/${sender.walletId}/transfers`, {
      toAddress,
      amount,
      token: 'usdc',
      ...memo,
      ...body,
    })
  const get = async (id: string) => (await stack.api<TransferBody>('GET', `/crypto/transfers/${id}`)).body
  const until = (id: string, is: (transfer: TransferBody) => boolean) =>
    waitFor(`the transfer ${id}`, async () => {
      await stack.mine(1, 'stellar')
      const transfer = await get(id)
      return is(transfer) ? transfer : null
    })
  const ended = async (id: string) => (await until(id, ({ status }) => status !== 'pending')).status
  async function bare(): Promise<Payer> {
    const payer = newPayer('stellar')
    await fund(stack, payer, { native: '10' })
    return payer
  }
  const does = async (payer: Payer, ...operations: Parameters<typeof sendOnStellar>[1]) => {
    await sendOnStellar({ ...stack.other('stellar'), faucetPrivateKey: payer.privateKey }, operations)
    await stack.mine(1, 'stellar')
  }
  const trust = (payer: Payer) =>
    does(payer, Operation.changeTrust({ asset: assetOf(stack.other('stellar').usdc) }))
  const horizon = async (path: string) => (await fetch(`${stack.other('stellar').horizonUrl}/${path}`)).json()
  async function usdcOf({ address }: Payer): Promise<string | undefined> {
    const { balances } = (await horizon(`accounts/${address}`)) as {
      balances: { asset_code?: string; balance: string }[]
    }
    return balances.find((each) => each.asset_code === 'USDC')?.balance
  }

  test('is refused as ever unless the transfer has another choice, and `ifNoTrustline` is only for tokens on Stellar', async () => {
    const { address } = await bare()
    const wrong = async (to: string, body: object) => {
      const { status, body: answer } = await send(to, body)
      return [status, answer.error, answer.fields?.[0]?.field]
    }
    expect(await wrong(address, {})).toEqual([422, 'recipient_without_trustline', 'toAddress'])
    expect(await wrong(newPayer('stellar').address, {})).toEqual([422, 'recipient_not_found', 'toAddress'])
    const invalid = (field: string) => [400, 'Invalid request body', field]
    for (const ifNoTrustline of ['wait', 'claimable']) {
      expect(await wrong(address, { ifNoTrustline, token: 'native' })).toEqual(invalid('ifNoTrustline'))
      const { privateKey } = newPayer('ethereum')
      const { id } = (
        await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain: 'ethereum', privateKey })
      ).body
      const requested = { toAddress: newPayer('ethereum').address, amount, token: 'usdc', ifNoTrustline }
      const { status, body } = await stack.api<TransferBody>(
        'POST',
        `/crypto/wallets/${id}/transfers`,
        requested,
      )
      expect([status, body.fields?.[0]?.field]).toEqual([400, 'ifNoTrustline'])
    }
    // Its id would be lost.
    const to = muxed(address, 43n)
    expect(await wrong(to, { ifNoTrustline: 'claimable', memo: undefined, memoType: undefined })).toEqual(
      invalid('ifNoTrustline'),
    )
    expect(await wrong(address, { waitSeconds: 60 })).toEqual(invalid('waitSeconds'))
    expect(await wrong(address, { ifNoTrustline: 'claimable', waitSeconds: 60 })).toEqual(
      invalid('waitSeconds'),
    )
    expect((await wrong(address, { ifNoTrustline: 'wait', waitSeconds: 604_801 }))[0]).toBe(400)
    // All the rest is checked at once.
    expect(await wrong(address, { ifNoTrustline: 'wait', amount: '1000' })).toEqual([
      422,
      'insufficient_balance',
      undefined,
    ])
    expect(await wrong(stack.other('stellar').usdc.slice(5), { ifNoTrustline: 'wait' })).toEqual([
      422,
      'recipient_is_token',
      'toAddress',
    ])
  })

  test('gets a waiting transfer once it has a trustline; without one the transfer ends', async () => {
    const [late, never] = [await bare(), newPayer('stellar')]
    const before = Date.now()
    const waiting = await send(late.address, { ifNoTrustline: 'wait' })
    const hopeless = await send(never.address, { ifNoTrustline: 'wait', waitSeconds: 3600 })
    expect([waiting.status, hopeless.status]).toEqual([202, 202])
    expect(waiting.body).toMatchObject({ status: 'pending', ifNoTrustline: 'wait' })
    const seconds = ({ waitUntil = '' }: TransferBody) =>
      Math.round((Date.parse(waitUntil) - before) / 60_000) * 60
    expect([seconds(waiting.body), seconds(hopeless.body)]).toEqual([604_800, 3600])
    for (const { id } of [waiting.body, hopeless.body]) {
      const shown = await until(id, ({ reason }) => reason !== null)
      expect(shown).toMatchObject({ status: 'pending', reason: 'waiting_for_trustline', txHash: null })
    }
    await trust(late)
    expect(await ended(waiting.body.id)).toBe('confirmed')
    expect(await usdcOf(late)).toBe('1.2500000')
    await stack.db.query("update intents set wait_until = now() - interval '1 s' where id = $1", [
      hopeless.body.id,
    ])
    expect(await until(hopeless.body.id, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'failed',
      reason: 'recipient_without_trustline',
    })
    await stack.idle()
    expect([stack.receiver.types(waiting.body.id), stack.receiver.types(hopeless.body.id)]).toEqual([
      ['transfer.confirmed'],
      ['transfer.failed'],
    ])
  })

  test('gets a claimable balance, which it claims, and the sender after seven days', async () => {
    const recipient = await bare()
    const { status, body } = await send(recipient.address, { ifNoTrustline: 'claimable' })
    expect([status, body.claimableBalanceId]).toEqual([202, undefined])
    const done = await until(body.id, (transfer) => transfer.status !== 'pending')
    expect(done).toMatchObject({
      status: 'confirmed',
      ifNoTrustline: 'claimable',
      claimableBalanceId: expect.stringMatching(/^0{8}[0-9a-f]{64}$/),
    })
    const balanceId = done.claimableBalanceId ?? ''
    const { claimants, amount: held } = (await horizon(`claimable_balances/${balanceId}`)) as {
      amount: string
      claimants: {
        destination: string
        predicate: { unconditional?: boolean; not?: { abs_before_epoch: string } }
      }[]
    }
    const { created_at: createdAt } = (await horizon(`transactions/${done.txHash}`)) as { created_at: string }
    expect([held, claimants]).toEqual([
      '1.2500000',
      [
        { destination: recipient.address, predicate: { unconditional: true } },
        {
          destination: sender.address,
          predicate: {
            not: expect.objectContaining({ abs_before_epoch: `${Date.parse(createdAt) / 1000 + 604_800}` }),
          },
        },
      ],
    ])
    await trust(recipient)
    await does(recipient, Operation.claimClaimableBalance({ balanceId }))
    expect(await usdcOf(recipient)).toBe('1.2500000')
    // With a trustline it is a payment.
    const paid = await send(recipient.address, { ifNoTrustline: 'claimable' })
    expect(await ended(paid.body.id)).toBe('confirmed')
    expect([await usdcOf(recipient), (await get(paid.body.id)).claimableBalanceId]).toEqual([
      '2.5000000',
      undefined,
    ])
  })
})

describe.each([
  ['ethereum', { native: '0.05', usual: '0.042' }, '0.01', 'ETH'],
  ['stellar', { native: '4', usual: '2.5' }, '1', 'XLM'],
] as const)('a stored wallet on %s that runs low', (chain, { native, usual }, threshold, symbol) => {
  test('is announced by a signed webhook and a metric after the transfer that left it low; and again when it was topped up and is low again', async () => {
    const [payer, to] = [newPayer(chain), newPayer(chain)]
    await fund(stack, payer, { native })
    await fund(stack, to, { native: '2' })
    const { id: walletId } = (
      await stack.api<{ id: string }>('POST', '/crypto/wallets', {
        chain,
        privateKey: payer.privateKey,
        name: 'till',
      })
    ).body
    const announced = () => {
      const about = stack.receiver.received.filter(
        ({ type, data }) => type === 'wallet.low_balance' && data.walletId === walletId,
      )
      return [...new Map(about.map((event) => [event.id, event.data])).values()]
    }
    const low = () => metric(stack.processes.get('worker'), 'cowry_wallets_low_balance', `chain="${chain}"`)
    async function sends(amount: string) {
      const { status, body } = await stack.api<{ id: string }>(
        'POST',
        `/crypto/wallets/${walletId}/transfers`,
        { toAddress: to.address, amount },
      )
      expect(status).toBe(202)
      await waitFor('a confirmed transfer', async () => {
        await stack.mine(1, chain)
        return (
          (await stack.api<{ status: string }>('GET', `/crypto/transfers/${body.id}`)).body.status ===
          'confirmed'
        )
      })
    }
    const before = await low()
    await sends(usual)
    await waitFor('the event', async () => announced().length === 1)
    expect(announced()).toEqual([
      {
        walletId,
        name: 'till',
        chain,
        address: payer.address,
        balance: expect.stringMatching(/^0\.\d+$/),
        threshold,
        symbol,
      },
    ])
    expect(await low()).toBe(before + 1)
    await fund(stack, payer, { native })
    await stack.db.query('update wallet_balances set check_at = now() where wallet_id = $1', [walletId])
    await waitFor('the end of the shortage', async () => (await low()) === before)
    await sends(native)
    await waitFor('another event', async () => announced().length === 2)
  })
})
