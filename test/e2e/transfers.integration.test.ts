import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransferCheckedInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { Account, MuxedAccount, Operation, Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import {
  type Address,
  createWalletClient,
  erc20Abi,
  formatUnits,
  type Hex,
  http,
  parseGwei,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainName, chainNames, knownChain } from '../../src/chains/registry.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { send as sendOnSolana } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { payOnTron } from '../devnets/customers/tron.ts'
import { devnetChain } from '../devnets/evm.ts'
import { otherBusinessHeaders } from '../support/apiKeyHeaders.ts'
import {
  type Asset,
  assetsOf,
  contractOfAsset,
  heldOn,
  horizonOf,
  sentFrom,
  solanaOf,
  tokenAccountOf,
  transactionOn,
} from '../support/chainBooks.ts'
import { full } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { decimalsOf, fund, type Holdings, newPayer, type Payer } from '../support/payers.ts'
import { type Way as Asked, ask, type Body, holdingsOn, rowsOfTransfers, ways } from '../support/preflight.ts'
import { byFamily, tokensAsRecipients } from '../support/refusedByChain.ts'
import {
  badAddresses,
  badAmounts,
  badKeys,
  badTokens,
  hasUsdc,
  hasUsdt,
  type Place,
  tokenBody,
  tokenOf,
} from '../support/refusedRequests.ts'
import { type Change, signPrepared } from '../support/signPrepared.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import {
  becomes,
  carryOut as carryOutBy,
  estimate,
  getTransfer,
  prepare,
  type RequestedTransfer,
  sendFromWallet,
  sendWithKey,
  submit,
  type TransferBody,
  type Way,
} from '../support/transfers.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  // No indexer: the worker reconciles outgoing transfers.
  stack = await createStack({
    chains: [...chainNames],
    processes: ['treasury', 'api', 'worker'],
    env: { RPC_TIMEOUT_MS: '5000' },
  })
  // The API loads a chain's reader with the first request that needs it.
  const balance = (chain: ChainName) =>
    stack.api('POST', '/crypto/wallets/balance', { chain, address: newPayer(chain).address })
  for (const chain of chainNames)
    await waitFor(`${chain} is read`, async () => (await balance(chain)).status === 200)
}, 180_000)
afterAll(() => stack?.close())

describe('before signing', () => {
  // Refusals before signing: on every chain, by every operation that sends or estimates.

  const places = new Map<ChainName, Place & { payer: Stored; poor: Stored }>()
  let before: unknown

  interface Stored extends Payer {
    walletId: string
  }

  const tokens = '50'

  beforeAll(async () => {
    await Promise.all(chainNames.map(open))
    before = await holdings()
  }, 180_000)

  async function open(chain: ChainName): Promise<void> {
    const held = { ...(hasUsdc(chain) && { USDC: tokens }), ...(hasUsdt(chain) && { USDT: tokens }) }
    const payer = await stored(chain, { native: '100', ...held })
    // On Stellar an account that holds no token has no trustline either.
    const poor = await stored(chain, { native: chain === 'stellar' ? '4' : '2' })
    const recipient = await fundedPayer(
      chain,
      chain === 'stellar' ? { native: '10', USDC: '0', USDT: '0' } : { native: '1' },
    )
    const place = { stack, chain, payer, poor, recipient: recipient.address, bare: '', shop: '' }
    places.set(chain, chain === 'stellar' ? { ...place, ...(await placesOnStellar()) } : place)
  }

  async function fundedPayer(chain: ChainName, holdings: Holdings): Promise<Payer> {
    const payer = newPayer(chain)
    await fund(stack, payer, holdings)
    return payer
  }

  async function stored(chain: ChainName, holdings: Holdings): Promise<Stored> {
    const payer = await fundedPayer(chain, holdings)
    const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain,
      privateKey: payer.privateKey,
    })
    if (status !== 201) throw new Error(`the wallet of ${chain} was not stored: ${JSON.stringify(body)}`)
    return { ...payer, walletId: body.id }
  }

  async function placesOnStellar() {
    const [bare, shop] = [
      await fundedPayer('stellar', { native: '10' }),
      await fundedPayer('stellar', { native: '10' }),
    ]
    const purse = { ...stack.other('stellar'), faucetPrivateKey: shop.privateKey }
    await sendOnStellar(purse, [Operation.manageData({ name: 'config.memo_required', value: '1' })])
    await stack.mine(1, 'stellar')
    return { bare: bare.address, shop: shop.address }
  }

  const at = (chain: ChainName) => {
    const place = places.get(chain)
    if (!place) throw new Error(`nothing on ${chain}`)
    return place
  }

  /** Balances of all senders, by the chains' own nodes. */
  const holdings = () =>
    Promise.all(
      [...places].flatMap(([chain, { payer, poor }]) =>
        [payer, poor].map(({ address }) => holdingsOn(stack, chain, address)),
      ),
    )

  interface Refused {
    error: string
    message: string
    fields?: { field: string; message: string }[]
  }
  interface Estimate {
    missing: { symbol: string; missing: string; required: string; available: string }[]
  }

  /**
   * One chain of each family is tested in all ways, each other EVM chain in one, in turn. A full run tests
   * all chains in all ways.
   */
  const waysOf = (chain: ChainName, index: number, all: readonly Asked[]): readonly Asked[] => {
    const at = chainNames.indexOf(chain)
    const isFirst =
      chainNames.findIndex((each) => knownChain(each)?.family === knownChain(chain)?.family) === at
    return full || isFirst ? all : all.filter((_, i) => i === (index + at) % all.length)
  }

  /** The chains run at the same time. */
  const parallel = createParallelTests()

  describe.each(chainNames.map((chain) => [chain] as const))('%s', (chain) => {
    const usual = chain === 'stellar' ? '2' : '0.5'
    const call = <T = Refused>(
      way: Asked,
      body: Body,
      from: Payer & { walletId?: string } = at(chain).payer,
    ) => ask<T>(stack, way, from, { toAddress: at(chain).recipient, amount: usual, ...body })

    parallel.test(chain, 'would carry out a valid transfer of coin and one of a token', async () => {
      for (const body of [{}, tokenBody(chain)]) {
        expect(await call('estimate', body)).toMatchObject({
          status: 200,
          body: { chain, sufficient: true, missing: [] },
        })
      }
    })

    const decimals: Partial<Record<typeof chain, number>> = { bsc: 18, stellar: 7 }
    const table = [
      ...badKeys(chain),
      ...badAddresses(chain),
      ...badAmounts(chain, decimals[chain] ?? 6),
      ...badTokens(chain),
      ...tokensAsRecipients(chain),
      ...byFamily(chain),
    ]
    for (const [index, refusal] of table.entries())
      parallel.test(
        chain,
        `refuses ${refusal.name}, with a reason and the field, and does nothing`,
        async () => {
          const rows = await rowsOfTransfers(stack, chain)
          for (const way of waysOf(chain, index, refusal.ways ?? ways)) {
            const { status, body } = await call(way, refusal.body(at(chain)))
            expect({ way, status, error: body.error }).toEqual({
              way,
              status: refusal.status ?? 400,
              error: refusal.error,
            })
            expect([way, body.fields?.map(({ field }) => field)]).toEqual([way, refusal.fields])
            expect(body.message).not.toBe('')
            if (refusal.namesChain) expect(body.message).toContain(chain)
          }
          expect(await rowsOfTransfers(stack, chain)).toEqual(rows)
        },
      )

    /** The same shortage in each operation's own form. */
    function expectShort(way: Asked, answer: ApiAnswer<unknown>, error: string, missing: object): void {
      if (way === 'estimate')
        expect(answer).toMatchObject({ status: 200, body: { sufficient: false, missing: [missing] } })
      else
        expect([way, answer.status, answer.body]).toEqual([
          way,
          422,
          expect.objectContaining({ error, missing }),
        ])
    }

    parallel.test(
      chain,
      'refuses more tokens than the balance, with the exact number that is missing',
      async () => {
        const rows = await rowsOfTransfers(stack, chain)
        const min = formatUnits(1n, decimalsOf(stack, chain).token)
        const required = `${tokens}${min.slice(1)}`
        const missing = { symbol: tokenOf(chain).toUpperCase(), missing: min, required, available: tokens }
        for (const way of ways)
          expectShort(
            way,
            await call(way, { ...tokenBody(chain), amount: required }),
            'insufficient_balance',
            missing,
          )
        expect(await call('estimate', { ...tokenBody(chain), amount: tokens })).toMatchObject({
          body: { sufficient: true },
        })
        expect(await rowsOfTransfers(stack, chain)).toEqual(rows)
      },
    )

    parallel.test(
      chain,
      'refuses if the coin does not cover amount and fee, with what is missing',
      async () => {
        const rows = await rowsOfTransfers(stack, chain)
        const { poor } = at(chain)
        const [shortage] = (await call<Estimate>('estimate', { amount: '3' }, poor)).body.missing
        expect(shortage).toMatchObject({ symbol: knownChain(chain)?.native.symbol })
        for (const way of ways)
          expectShort(way, await call(way, { amount: '3' }, poor), 'insufficient_native_balance', {
            ...shortage,
          })
        expect(await rowsOfTransfers(stack, chain)).toEqual(rows)
      },
    )

    parallel.test(
      chain,
      'reports the missing amount exactly: one base unit less would be refused, all of it would not',
      async () => {
        const from = newPayer(chain)
        const estimate = async () => (await call<Estimate>('estimate', { amount: '3' }, from)).body
        const [all] = (await estimate()).missing
        // An address that the chain has never seen.
        expect(all).toMatchObject({ available: '0', missing: all?.required })
        const { native: decimals } = decimalsOf(stack, chain)
        await fund(stack, from, { native: '2' })
        const [rest] = (await estimate()).missing
        const min = formatUnits(1n, decimals)
        await fund(stack, from, {
          native: formatUnits(parseUnits(rest?.missing ?? '', decimals) - 1n, decimals),
        })
        expect(await estimate()).toMatchObject({ sufficient: false, missing: [{ missing: min }] })
        await fund(stack, from, { native: min })
        expect(await estimate()).toMatchObject({ sufficient: true, missing: [] })
      },
    )
  })

  test('after all of that nothing was sent on any chain', async () => {
    await Promise.all(chainNames.map((chain) => stack.mine(1, chain)))
    expect(await holdings()).toEqual(before)
  })

  /** The API of a process that reaches no node. */
  const offlineApi: Pick<Stack, 'api'> = {
    async api<T>(method: string, path: string, body?: unknown) {
      const url = `http://127.0.0.1:${stack.processes.get('offline')?.port()}/api/v1${path}`
      const headers = { 'x-api-key': stack.apiKey, 'content-type': 'application/json' }
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as T, headers: response.headers }
    },
  }

  describe('while no node answers', () => {
    beforeAll(async () => {
      // Nothing listens at port 1.
      const nowhere = Object.fromEntries(
        chainNames.map((name) => [`${name.toUpperCase()}_RPC_URLS`, 'http://127.0.0.1:1']),
      )
      await stack.start('api', { ...nowhere, STELLAR_HORIZON_URLS: 'http://127.0.0.1:1' }, { as: 'offline' })
    })

    test.each(chainNames)(
      '%s: a 503 reports that the chain cannot be reached and when to retry, and nothing is stored',
      async (chain) => {
        const rows = await rowsOfTransfers(stack)
        const { payer, recipient: toAddress } = at(chain)
        for (const { status, body, headers } of await Promise.all(
          ways.map((way) => ask<Refused>(offlineApi, way, payer, { toAddress, amount: '2' })),
        )) {
          expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'chain_unavailable', '5'])
          expect(JSON.stringify(body)).not.toContain('127.0.0.1')
        }
        const balance = await offlineApi.api<Refused>('POST', '/crypto/wallets/balance', {
          chain,
          address: toAddress,
        })
        expect([balance.status, balance.body.error]).toEqual([503, 'chain_unavailable'])
        expect(await rowsOfTransfers(stack)).toEqual(rows)
      },
    )
  })
})

describe('transfers', () => {
  // Intent transfers, checked by each chain's own public library: it reads balances, fees and transactions,
  // and makes the signatures of customers who sign themselves.

  const payers = new Map<ChainName, Payer>()
  /** The event that each transfer here must have published, once. */
  const ended = new Map<string, 'transfer.confirmed' | 'transfer.failed'>()

  /** One chain of each family, for behaviour that the family determines. */
  const families = ['ethereum', 'solana', 'tron', 'stellar'] as const
  const isEvm = (chain: ChainName) => knownChain(chain)?.family === 'evm'

  beforeAll(async () => {
    await Promise.all(
      chainNames.map(async (chain) => {
        const payer = newPayer(chain)
        payers.set(chain, payer)
        await fund(stack, payer, { native: '200', ...everyToken(chain, '500') })
      }),
    )
  }, 180_000)

  const everyToken = (chain: ChainName, amount: string) => ({
    ...(assetsOf(chain).includes('usdc') && { USDC: amount }),
    ...(assetsOf(chain).includes('usdt') && { USDT: amount }),
  })

  function payerOn(chain: ChainName): Payer {
    const payer = payers.get(chain)
    if (!payer) throw new Error(`no payer on ${chain}`)
    return payer
  }

  /** An amount with one base unit of the token. */
  function finest(chain: ChainName, token: Asset): string {
    const { native, token: ofToken } = decimalsOf(stack, chain)
    return `2.${'0'.repeat((token === 'native' ? native : ofToken) - 1)}1`
  }

  /** A new recipient: an account that exists only where the chain requires that. */
  async function recipientOf(chain: ChainName, token: Asset): Promise<string> {
    const recipient = newPayer(chain)
    if (chain === 'stellar' && token !== 'native')
      await fund(stack, recipient, { native: '10', [token.toUpperCase()]: '0' })
    return recipient.address
  }

  /** A transfer of two whole tokens and one base unit, with a memo where one is needed. */
  async function requestOn(
    chain: ChainName,
    token: Asset,
    more: Partial<RequestedTransfer> = {},
  ): Promise<RequestedTransfer> {
    const memo = chain === 'stellar' && token !== 'native' ? { memo: '77', memoType: 'id' } : {}
    return {
      from: payerOn(chain),
      to: await recipientOf(chain, token),
      token,
      amount: finest(chain, token),
      ...memo,
      ...more,
    }
  }

  async function carryOut(
    requested: RequestedTransfer,
    way: Way = withKey,
    options: Parameters<typeof carryOutBy>[3] = {},
  ) {
    const done = await carryOutBy(stack, requested, way, options)
    ended.set(done.transfer.id, 'transfer.confirmed')
    return done
  }
  const withKey: Way = (requested) => sendWithKey(stack, requested)
  /** Prepared, signed by the chain's own library, submitted. */
  const signedOutside: Way = async (requested) => {
    const { status, body } = await prepare(stack, requested)
    expect([status, body]).toMatchObject([201, { fromAddress: requested.from.address }])
    return submit(stack, body.id, await signPrepared(stack, requested.from, body.payload))
  }

  const assets = chainNames.flatMap((chain) => assetsOf(chain).map((token) => ({ chain, token })))

  test('there are twenty-five: the coin of nine chains, USDC on eight, USDT on eight', () =>
    expect(assets).toHaveLength(25))

  /** The chains run at the same time. */
  const parallel = createParallelTests()

  describe('with a key in the request', () => {
    for (const { chain, token } of assets)
      parallel.test(
        chain,
        `${token} on ${chain}: exact to the last unit, one transaction, at the estimated fee`,
        async () => carryOut(await requestOn(chain, token)),
      )

    parallel.test('ethereum', 'the caller’s gas limit and price are those of the transaction', async () => {
      const gasPrice = parseGwei('7')
      const { transfer } = await carryOut(
        await requestOn('ethereum', 'usdc', { gasPrice: String(gasPrice), gasLimit: '123456' }),
        async (requested) => {
          const sent = await sendWithKey(stack, requested)
          const found = await stack.client('ethereum').getTransaction({ hash: sent.body.txHash as Hex })
          expect(found).toMatchObject({
            gas: 123_456n,
            maxFeePerGas: gasPrice,
            maxPriorityFeePerGas: gasPrice,
          })
          return sent
        },
      )
      const receipt = await stack.client('ethereum').getTransactionReceipt({ hash: transfer.txHash as Hex })
      expect([receipt.effectiveGasPrice, BigInt(transfer.gasUsed ?? 0)]).toEqual([gasPrice, receipt.gasUsed])
    })

    parallel.test(
      'ethereum',
      'USDT on Ethereum returns nothing, as viem sees it, and still moved',
      async () => {
        const from = payerOn('ethereum').address as Address
        const data = `0xa9059cbb${from.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as Hex
        expect(
          await stack
            .client('ethereum')
            .call({ account: from, to: contractOfAsset(stack, 'ethereum', 'usdt') as Address, data }),
        ).toEqual({
          data: undefined,
        })
        await carryOut(await requestOn('ethereum', 'usdt', { amount: '1' }))
      },
    )

    parallel.test(
      'solana',
      'on Solana the recipient’s token account is opened at the estimated rent, once',
      async () => {
        const requested = await requestOn('solana', 'usdc')
        const account = tokenAccountOf(stack, 'usdc', requested.to)
        expect(await solanaOf(stack).getAccountInfo(account)).toBeNull()
        const { estimated } = await carryOut(requested)
        const { lamports = 0 } = (await solanaOf(stack).getAccountInfo(account)) ?? {}
        expect([estimated.besides, lamports]).toEqual(['0.00203928', 2_039_280])
        expect((await carryOut(requested)).estimated.besides).toBe('0')
      },
    )

    parallel.test(
      'tron',
      'on Tron a new account costs 1.1 TRX, an existing one bandwidth at most; USDT opens no account',
      async () => {
        const requested = await requestOn('tron', 'native')
        const { transfer, estimated } = await carryOut(requested)
        expect([estimated.besides, transfer.fee]).toEqual(['1.1', '1.1'])
        const again = await carryOut(requested)
        expect([again.estimated.besides, Number(again.transfer.fee) < 1]).toEqual(['0', true])
        expect((await carryOut(await requestOn('tron', 'usdt'))).estimated.besides).toBe('0')
      },
    )

    for (const [memoType, memo, shown] of [
      ['text', 'für Öl', 'für Öl'],
      ['id', '18446744073709551615', '18446744073709551615'],
      ['hash', 'ab'.repeat(32), Buffer.from('ab'.repeat(32), 'hex').toString('base64')],
    ] as const)
      parallel.test('stellar', `on Stellar a memo of type ${memoType} is the transaction’s`, async () => {
        const { transfer } = await carryOut(
          await requestOn('stellar', memoType === 'text' ? 'native' : 'usdc', { memo, memoType }),
        )
        expect(transfer).toMatchObject({ memo, memoType })
        expect(
          await horizonOf(stack)
            .transactions()
            .transaction(transfer.txHash ?? '')
            .call(),
        ).toMatchObject({ memo_type: memoType, memo: shown })
      })

    parallel.test('stellar', 'on Stellar a muxed address is the payment’s, without a memo', async () => {
      const account = await recipientOf('stellar', 'usdt')
      const to = new MuxedAccount(new Account(account, '0'), '9007199254740993').accountId()
      const requested: RequestedTransfer = { from: payerOn('stellar'), to, token: 'usdt', amount: '3.5' }
      const { transfer } = await carryOut(requested, withKey, { account })
      const found = await horizonOf(stack)
        .transactions()
        .transaction(transfer.txHash ?? '')
        .call()
      expect(found.memo_type).toBe('none')
      const { records } = await horizonOf(stack).payments().forTransaction(found.hash).call()
      expect(records).toMatchObject([
        { to: account, to_muxed: to, to_muxed_id: '9007199254740993', amount: '3.5000000' },
      ])
    })

    for (const chain of chainNames)
      parallel.test(chain, `on ${chain} an estimate has what is missing`, async () => {
        const [rich, poor] = [payerOn(chain), newPayer(chain)]
        const token = assetsOf(chain)[1] ?? 'native'
        const coin = knownChain(chain)?.native.symbol
        const requested = await requestOn(chain, token, { from: poor, amount: '3.25' })
        const lacking = (symbol = coin) => ({ symbol, available: '0' })
        const answer = await estimate(stack, requested)
        expect([answer.status, answer.body]).toMatchObject([
          200,
          {
            sufficient: false,
            missing: [{ ...lacking(token.toUpperCase()), missing: '3.25', required: '3.25' }, lacking()],
          },
        ])
        // A sender that lacks one base unit.
        const { token: decimals } = decimalsOf(stack, chain)
        const has = await heldOn(stack, chain, token, rich.address)
        const whole = (units: bigint) =>
          `${units / 10n ** BigInt(decimals)}.${String(units % 10n ** BigInt(decimals)).padStart(decimals, '0')}`
        const shown = (units: bigint) => whole(units).replace(/\.?0+$/, '')
        const more = await estimate(stack, { ...requested, from: rich, amount: whole(has + 1n) })
        expect(more.body.missing).toEqual([
          {
            symbol: token.toUpperCase(),
            missing: shown(1n),
            required: shown(has + 1n),
            available: shown(has),
          },
        ])
      })
  })

  describe.each(families.map((chain) => [chain] as const))('%s', (chain) => {
    const token = chain === 'tron' ? 'usdt' : 'usdc'

    parallel.test(chain, 'from a stored wallet: the same', async () => {
      const from = newPayer(chain)
      await fund(stack, from, { native: '50', ...everyToken(chain, '20') })
      const wallet = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
        chain,
        privateKey: from.privateKey,
      })
      expect([wallet.status, wallet.body]).toMatchObject([201, { address: from.address }])
      const way: Way = (requested) => sendFromWallet(stack, wallet.body.id, requested)
      for (const each of [token, 'native'] as const) {
        const { transfer } = await carryOut(await requestOn(chain, each, { from }), way, { waits: true })
        expect(transfer.walletId).toBe(wallet.body.id)
      }
    })

    parallel.test(chain, 'prepared, signed by the chain’s own library and submitted: the same', async () => {
      for (const each of [token, 'native'] as const)
        await carryOut(await requestOn(chain, each), signedOutside)
    })

    const changes: [string, () => Change][] = [
      ['another amount', () => ({ amount: 2_500_000_000n })],
      ['another recipient', () => ({ to: newPayer(chain).address })],
      ['another sequence, blockhash or time', () => ({ sequence: true })],
    ]

    parallel.test(chain, 'submit accepts only the prepared transaction, signed by its sender', async () => {
      const requested = await requestOn(chain, 'native')
      const { body: prepared } = await prepare(stack, requested)
      const rows = await rowsOfTransfers(stack, chain)
      const payloads: [string, string][] = [
        ['an unsigned one', prepared.payload],
        ['garbage', 'garbage'],
        ['half of it', (await signPrepared(stack, requested.from, prepared.payload)).slice(0, -40)],
        ['signed by another key', await signPrepared(stack, newPayer(chain), prepared.payload)],
      ]
      for (const [name, change] of changes)
        payloads.push([name, await signPrepared(stack, requested.from, prepared.payload, change())])
      for (const [name, payload] of payloads) {
        const { status, body } = await submit(stack, prepared.id, payload)
        expect([name, status, body]).toMatchObject([
          name,
          422,
          { error: 'signed_transfer_mismatch', fields: [{ field: 'payload' }] },
        ])
      }
      const payload = await signPrepared(stack, requested.from, prepared.payload)
      const refused = await submit(stack, prepared.id, payload, await otherBusinessHeaders(stack))
      expect([refused.status, refused.body.error]).toEqual([404, 'Not found'])
      expect((await submit(stack, crypto.randomUUID(), payload)).status).toBe(404)
      expect(await rowsOfTransfers(stack, chain)).toEqual(rows)

      const sent = await carryOut(requested, async () => {
        const answers = await Promise.all([1, 2, 3].map(() => submit(stack, prepared.id, payload)))
        expect(new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.txHash}`)).size).toBe(1)
        return answers[0] ?? submit(stack, prepared.id, payload)
      })
      expect(await submit(stack, prepared.id, payload)).toMatchObject({
        status: 201,
        body: { id: prepared.id, txHash: sent.transfer.txHash },
      })
      expect((await submit(stack, prepared.id, 'garbage')).body.txHash).toBe(sent.transfer.txHash)
    })

    parallel.test(chain, 'submit refuses a transfer that has expired', async () => {
      const requested = await requestOn(chain, 'native')
      const { body } = await prepare(stack, requested)
      const payload = await signPrepared(stack, requested.from, body.payload)
      await stack.db.query(
        "update prepared_transfers set expires_at = now() - interval '1 second' where id = $1",
        [body.id],
      )
      expect(await submit(stack, body.id, payload)).toMatchObject({
        status: 409,
        body: { error: 'transfer_expired' },
      })
      await stack.mine(2, chain)
      expect(await heldOn(stack, chain, 'native', requested.to)).toBe(0n)
    })
  })

  for (const chain of ['ethereum', 'stellar'] as const)
    parallel.test(chain, `${chain}: submit refuses a transfer whose nonce another one used`, async () => {
      const [first, second] = [await requestOn(chain, 'native'), await requestOn(chain, 'native')]
      const [one, other] = [await prepare(stack, first), await prepare(stack, second)]
      expect(other.body.payload).not.toBe(one.body.payload)
      // Refused while the first one is pending, and after it is mined.
      const sent = await submit(stack, one.body.id, await signPrepared(stack, first.from, one.body.payload))
      const payload = await signPrepared(stack, second.from, other.body.payload)
      expect(await submit(stack, other.body.id, payload)).toMatchObject({
        status: 409,
        body: { error: 'sequence_used' },
      })
      await stack.mine(2, chain)
      ended.set((await becomes(stack, sent.body.id, 'confirmed')).id, 'transfer.confirmed')
      expect(await submit(stack, other.body.id, payload)).toMatchObject({
        status: 409,
        body: { error: 'sequence_used' },
      })
      expect(await heldOn(stack, chain, 'native', second.to)).toBe(0n)
    })

  for (const chain of ['ethereum', 'stellar'] as const)
    parallel.test(chain, `${chain}: and one whose nonce the key used elsewhere`, async () => {
      const requested = await requestOn(chain, 'native')
      const { body } = await prepare(stack, requested)
      await outside[chain](requested.from)
      const payload = await signPrepared(stack, requested.from, body.payload)
      expect(await submit(stack, body.id, payload)).toMatchObject({
        status: 409,
        body: { error: 'sequence_used' },
      })
      await stack.mine(2, chain)
      expect(await heldOn(stack, chain, 'native', requested.to)).toBe(0n)
    })

  for (const chain of ['solana', 'tron'] as const)
    parallel.test(chain, `${chain}: two identical prepared transfers are two transactions`, async () => {
      const requested = await requestOn(chain, 'native', { amount: '3' })
      const two = await Promise.all([prepare(stack, requested), prepare(stack, requested)])
      const sent = await Promise.all(
        two.map(async ({ body }) =>
          submit(stack, body.id, await signPrepared(stack, requested.from, body.payload)),
        ),
      )
      await stack.mine(2, chain)
      for (const { status, body } of sent) {
        if (status === 201) ended.set((await becomes(stack, body.id, 'confirmed')).id, 'transfer.confirmed')
      }
      expect(sent.map(({ status }) => status)).toEqual([201, 201])
      expect(await heldOn(stack, chain, 'native', requested.to)).toBe(
        6n * 10n ** BigInt(decimalsOf(stack, chain).native),
      )
    })

  /** Sends with the same key outside of Cowry, and mines a block with it. */
  const outside = {
    async ethereum({ privateKey }: Payer) {
      const { rpcUrl } = stack.devnet
      const wallet = createWalletClient({
        account: privateKeyToAccount(privateKey as Hex),
        chain: devnetChain('ethereum', rpcUrl),
        transport: http(rpcUrl),
      })
      await wallet.sendTransaction({ to: wallet.account.address, value: 1n })
      await stack.mine(1, 'ethereum')
    },
    async stellar({ privateKey }: Payer) {
      await sendOnStellar({ ...stack.other('stellar'), faucetPrivateKey: privateKey }, [
        Operation.manageData({ name: 'used', value: 'elsewhere' }),
      ])
      await stack.mine(1, 'stellar')
    },
  }

  describe('a transfer that fails in its block is reported as reverted, with its fee and the chain’s reason', () => {
    /** Nothing moved except the fee. */
    async function expectReverted(
      requested: RequestedTransfer,
      id: string,
      before: bigint,
    ): Promise<TransferBody> {
      const { chain, address } = requested.from
      const failed = await becomes(stack, id, 'failed')
      ended.set(id, 'transfer.failed')
      const found = await transactionOn(stack, chain, failed.txHash ?? '')
      expect(failed).toMatchObject({
        reason: 'reverted',
        message: expect.any(String),
        blockHeight: found.height,
      })
      expect([found.succeeded, failed.gasUsed]).toEqual([false, found.gasUsed?.toString()])
      expect(before - (await heldOn(stack, chain, 'native', address))).toBe(found.fee)
      expect(baseUnits(failed.fee ?? '', decimalsOf(stack, chain).native)).toBe(found.fee)
      expect(await heldOn(stack, chain, requested.token, requested.to)).toBe(0n)
      return failed
    }

    parallel.test(
      'ethereum',
      'ethereum: the holder of an allowance takes the tokens at a higher price',
      async () => {
        const from = newPayer('ethereum')
        await fund(stack, from, { native: '1', USDC: '5' })
        const { rpcUrl, usdc } = stack.devnet
        const [account, faucet] = [privateKeyToAccount(from.privateKey as Hex), stack.wallet('ethereum')]
        const owner = createWalletClient({
          account,
          chain: devnetChain('ethereum', rpcUrl),
          transport: http(rpcUrl),
        })
        const call = { address: usdc, abi: erc20Abi, gas: 100_000n } as const
        await owner.writeContract({
          ...call,
          functionName: 'approve',
          args: [faucet.account.address, 5_000_000n],
        })
        await stack.mine(1, 'ethereum')
        const before = await heldOn(stack, 'ethereum', 'native', from.address)
        const requested = await requestOn('ethereum', 'usdc', { from })
        const { body } = await sendWithKey(stack, requested)
        const highPrice = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') }
        await faucet.writeContract({
          ...call,
          ...highPrice,
          functionName: 'transferFrom',
          args: [account.address, faucet.account.address, 5_000_000n],
        })
        await stack.mine(2, 'ethereum')
        expect((await expectReverted(requested, body.id, before)).message).toContain('exceeds balance')
      },
    )

    parallel.test('solana', 'solana: the tokens are spent before it in the same slot', async () => {
      const from = newPayer('solana')
      await fund(stack, from, { native: '1', USDC: '5' })
      const requested = await requestOn('solana', 'usdc', { from })
      const [mint, owner] = [
        new PublicKey(contractOfAsset(stack, 'solana', 'usdc')),
        new PublicKey(from.address),
      ]
      const to = tokenAccountOf(stack, 'usdc', payerOn('solana').address)
      await sendOnSolana({ ...stack.other('solana'), faucetPrivateKey: from.privateKey }, [
        createTransferCheckedInstruction(
          tokenAccountOf(stack, 'usdc', from.address),
          mint,
          to,
          owner,
          5_000_000n,
          6,
        ),
      ])
      const { status, body } = await sendWithKey(stack, requested)
      expect([status, body]).toMatchObject([201, { status: 'pending' }])
      // The other transaction's fee is not this transfer's.
      const before = (await heldOn(stack, 'solana', 'native', from.address)) - 5_000n
      await stack.mine(2, 'solana')
      expect((await expectReverted(requested, body.id, before)).message).toMatch(/insufficient funds/i)
    })

    parallel.test('tron', 'tron: the tokens are spent before the signed one arrives', async () => {
      const from = newPayer('tron')
      await fund(stack, from, { native: '100', USDT: '5' })
      const requested = await requestOn('tron', 'usdt', { from })
      const { body: prepared } = await prepare(stack, requested)
      const tron = { ...stack.other('tron'), faucetPrivateKey: from.privateKey }
      await payOnTron(tron, { address: payerOn('tron').address, token: tron.usdt, amount: '5', decimals: 6 })
      await stack.mine(1, 'tron')
      const before = await heldOn(stack, 'tron', 'native', from.address)
      const { body } = await submit(stack, prepared.id, await signPrepared(stack, from, prepared.payload))
      await stack.mine(2, 'tron')
      await expectReverted(requested, body.id, before)
    })

    parallel.test(
      'stellar',
      'stellar: the recipient removes its trustline between signing and sending',
      async () => {
        const from = payerOn('stellar')
        const recipient = newPayer('stellar')
        await fund(stack, recipient, { native: '10', USDC: '0' })
        const requested = await requestOn('stellar', 'usdc', { to: recipient.address })
        const { body: prepared } = await prepare(stack, requested)
        const asset = assetOf(contractOfAsset(stack, 'stellar', 'usdc'))
        const pair = StellarKeypair.fromSecret(recipient.privateKey)
        await sendOnStellar(
          stack.other('stellar'),
          [Operation.changeTrust({ asset, limit: '0', source: recipient.address })],
          undefined,
          [pair],
        )
        await stack.mine(1, 'stellar')
        const before = await heldOn(stack, 'stellar', 'native', from.address)
        const { body } = await submit(stack, prepared.id, await signPrepared(stack, from, prepared.payload))
        await stack.mine(1, 'stellar')
        expect((await expectReverted(requested, body.id, before)).message).toMatch(/no_?trust/i)
      },
    )
  })

  test('each published one event, equal to GET, under a valid signature', async () => {
    await stack.idle()
    for (const [id, type] of ended) {
      expect([id, stack.receiver.types(id)]).toEqual([id, [type]])
      const { updatedAt: _, ...now } = await getTransfer(stack, id)
      expect(stack.receiver.about(id)[0]?.data).toEqual({ ...now, updatedAt: expect.any(String) })
    }
    expect(stack.receiver.forged).toEqual([])
  })

  test('the time of a change in its event is that of GET', async () => {
    for (const id of ended.keys())
      expect(stack.receiver.about(id)[0]?.data.updatedAt).toBe((await getTransfer(stack, id)).updatedAt)
  })

  test('only these transfers were made, and no key was used otherwise', async () => {
    const rows = await stack.db.query<{ id: string }>('select id from intents')
    expect(rows.map(({ id }) => id).sort()).toEqual([...ended.keys()].sort())
    for (const chain of chainNames.filter(isEvm)) {
      const { address } = payerOn(chain)
      const sent = await stack.db.query<{ txId: string }>(
        'select tx_id as "txId" from intents where chain = $1 and lower(from_address) = lower($2)',
        [chain, address],
      )
      const onChain = await sentFrom(stack, chain, address)
      expect(onChain).toEqual(expect.arrayContaining(sent.map(({ txId }) => txId)))
      // One was sent outside of Cowry.
      expect(onChain.length - sent.length).toBe(chain === 'ethereum' ? 1 : 0)
    }
  })
})
