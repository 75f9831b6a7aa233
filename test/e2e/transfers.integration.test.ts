import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransferCheckedInstruction } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { Account, MuxedAccount, Operation, Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { type Address, createWalletClient, erc20Abi, type Hex, http, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainName, chainNames, knownChain } from '../../src/chains/registry.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { send as sendOnSolana } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { payOnTron } from '../devnets/customers/tron.ts'
import { devnetChain } from '../devnets/evm.ts'
import { type Asset, assetsOf, contractOfAsset, heldOn, horizonOf, sentFrom, solanaOf, tokenAccountOf, transactionOn } from '../support/chainBooks.ts'
import { decimalsOf, fund, newPayer, type Payer } from '../support/payers.ts'
import { rowsOfTransfers } from '../support/preflight.ts'
import { type Change, signPrepared } from '../support/signPrepared.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { strangerTo } from '../support/strangers.ts'
import {
  becomes,
  carryOut as carryOutBy,
  estimate,
  getTransfer,
  prepare,
  sendFromWallet,
  sendWithKey,
  submit,
  type TransferBody,
  type Wanted,
  type Way,
} from '../support/transfers.ts'

// Money that leaves, judged by each chain's own public library: balances, fees and transactions are read by it, and what somebody signs
// himself is signed by it.

let stack: Stack
const payers = new Map<ChainName, Payer>()
/** The event that each transfer here must have told of, once. */
const ended = new Map<string, 'transfer.confirmed' | 'transfer.failed'>()

/** One of each family: what follows from the family is proven on it. */
const families = ['ethereum', 'solana', 'tron', 'stellar'] as const
const isEvm = (chain: ChainName) => knownChain(chain)?.family === 'evm'

beforeAll(async () => {
  // No indexer: what leaves is looked at by the worker.
  stack = await createStack({ chains: [...chainNames], processes: ['treasury', 'api', 'worker'], env: { RPC_TIMEOUT_MS: '5000' } })
  await Promise.all(
    chainNames.map(async (chain) => {
      const payer = newPayer(chain)
      payers.set(chain, payer)
      await fund(stack, payer, { native: '200', ...everyToken(chain, '500') })
    }),
  )
}, 180_000)
afterAll(() => stack?.close())

const everyToken = (chain: ChainName, amount: string) => ({
  ...(assetsOf(chain).includes('usdc') && { USDC: amount }),
  ...(assetsOf(chain).includes('usdt') && { USDT: amount }),
})

function payerOn(chain: ChainName): Payer {
  const payer = payers.get(chain)
  if (!payer) throw new Error(`nobody pays on ${chain}`)
  return payer
}

/** The smallest part of a token is in it. */
function finest(chain: ChainName, token: Asset): string {
  const { native, token: ofToken } = decimalsOf(stack, chain)
  return `2.${'0'.repeat((token === 'native' ? native : ofToken) - 1)}1`
}

/** Somebody new who can receive: an account that exists only where the chain asks for that. */
async function recipientOf(chain: ChainName, token: Asset): Promise<string> {
  const recipient = newPayer(chain)
  if (chain === 'stellar' && token !== 'native') await fund(stack, recipient, { native: '10', [token.toUpperCase()]: '0' })
  return recipient.address
}

/** A transfer of the smallest part and two whole ones, with a memo where one is needed. */
async function wantedOn(chain: ChainName, token: Asset, more: Partial<Wanted> = {}): Promise<Wanted> {
  const memo = chain === 'stellar' && token !== 'native' ? { memo: '77', memoType: 'id' } : {}
  return { from: payerOn(chain), to: await recipientOf(chain, token), token, amount: finest(chain, token), ...memo, ...more }
}

async function carryOut(wanted: Wanted, way: Way = withKey, options: Parameters<typeof carryOutBy>[3] = {}) {
  const done = await carryOutBy(stack, wanted, way, options)
  ended.set(done.transfer.id, 'transfer.confirmed')
  return done
}
const withKey: Way = (wanted) => sendWithKey(stack, wanted)
/** Prepared, signed by the chain's own library, submitted. */
const signedOutside: Way = async (wanted) => {
  const { status, body } = await prepare(stack, wanted)
  expect([status, body]).toMatchObject([201, { fromAddress: wanted.from.address }])
  return submit(stack, body.id, await signPrepared(stack, wanted.from, body.payload))
}

const assets = chainNames.flatMap((chain) => assetsOf(chain).map((token) => ({ chain, token })))

test('there are twenty-five: the coin of nine chains, USDC on eight, USDT on eight', () => expect(assets).toHaveLength(25))

describe('with a key of the request', () => {
  test.each(assets)('$token on $chain: exact to the last unit, one transaction, at the fee that was told', async ({ chain, token }) => {
    await carryOut(await wantedOn(chain, token))
  })

  test('gas and price of the caller are those of the transaction', async () => {
    const gasPrice = parseGwei('7')
    const { transfer } = await carryOut(await wantedOn('ethereum', 'usdc', { gasPrice: String(gasPrice), gasLimit: '123456' }), async (wanted) => {
      const sent = await sendWithKey(stack, wanted)
      const found = await stack.client('ethereum').getTransaction({ hash: sent.body.txHash as Hex })
      expect(found).toMatchObject({ gas: 123_456n, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice })
      return sent
    })
    const receipt = await stack.client('ethereum').getTransactionReceipt({ hash: transfer.txHash as Hex })
    expect([receipt.effectiveGasPrice, BigInt(transfer.gasUsed ?? 0)]).toEqual([gasPrice, receipt.gasUsed])
  })

  test('USDT on Ethereum answers nothing, as viem sees it, and was moved all the same', async () => {
    const from = payerOn('ethereum').address as Address
    const data = `0xa9059cbb${from.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as Hex
    expect(await stack.client('ethereum').call({ account: from, to: contractOfAsset(stack, 'ethereum', 'usdt') as Address, data })).toEqual({
      data: undefined,
    })
    await carryOut(await wantedOn('ethereum', 'usdt', { amount: '1' }))
  })

  test('on Solana the recipient’s token account is opened at the rent that was told, once', async () => {
    const wanted = await wantedOn('solana', 'usdc')
    const account = tokenAccountOf(stack, 'usdc', wanted.to)
    expect(await solanaOf(stack).getAccountInfo(account)).toBeNull()
    const { estimated } = await carryOut(wanted)
    const { lamports = 0 } = (await solanaOf(stack).getAccountInfo(account)) ?? {}
    expect([estimated.besides, lamports]).toEqual(['0.00203928', 2_039_280])
    expect((await carryOut(wanted)).estimated.besides).toBe('0')
  })

  test('on Tron a new account costs 1.1 TRX, one that is there bandwidth at most; USDT opens none', async () => {
    const wanted = await wantedOn('tron', 'native')
    const { transfer, estimated } = await carryOut(wanted)
    expect([estimated.besides, transfer.fee]).toEqual(['1.1', '1.1'])
    const again = await carryOut(wanted)
    expect([again.estimated.besides, Number(again.transfer.fee) < 1]).toEqual(['0', true])
    expect((await carryOut(await wantedOn('tron', 'usdt'))).estimated.besides).toBe('0')
  })

  test.each([
    ['text', 'für Öl', 'für Öl'],
    ['id', '18446744073709551615', '18446744073709551615'],
    ['hash', 'ab'.repeat(32), Buffer.from('ab'.repeat(32), 'hex').toString('base64')],
  ])('on Stellar a memo of type %s is the transaction’s', async (memoType, memo, shown) => {
    const { transfer } = await carryOut(await wantedOn('stellar', memoType === 'text' ? 'native' : 'usdc', { memo, memoType }))
    expect(transfer).toMatchObject({ memo, memoType })
    expect(
      await horizonOf(stack)
        .transactions()
        .transaction(transfer.txHash ?? '')
        .call(),
    ).toMatchObject({ memo_type: memoType, memo: shown })
  })

  test('on Stellar a muxed address is the payment’s, without a memo', async () => {
    const account = await recipientOf('stellar', 'usdt')
    const to = new MuxedAccount(new Account(account, '0'), '9007199254740993').accountId()
    const wanted: Wanted = { from: payerOn('stellar'), to, token: 'usdt', amount: '3.5' }
    const { transfer } = await carryOut(wanted, withKey, { account })
    const found = await horizonOf(stack)
      .transactions()
      .transaction(transfer.txHash ?? '')
      .call()
    expect(found.memo_type).toBe('none')
    const { records } = await horizonOf(stack).payments().forTransaction(found.hash).call()
    expect(records).toMatchObject([{ to: account, to_muxed: to, to_muxed_id: '9007199254740993', amount: '3.5000000' }])
  })

  test.each(chainNames.map((chain) => [chain] as const))('on %s an estimate tells what is missing', async (chain) => {
    const [rich, poor] = [payerOn(chain), newPayer(chain)]
    const token = assetsOf(chain)[1] ?? 'native'
    const coin = knownChain(chain)?.native.symbol
    const wanted = await wantedOn(chain, token, { from: poor, amount: '3.25' })
    const lacking = (symbol = coin) => ({ symbol, available: '0' })
    const answer = await estimate(stack, wanted)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { sufficient: false, missing: [{ ...lacking(token.toUpperCase()), missing: '3.25', required: '3.25' }, lacking()] },
    ])
    // A key that has all but one unit of it.
    const { token: decimals } = decimalsOf(stack, chain)
    const has = await heldOn(stack, chain, token, rich.address)
    const whole = (units: bigint) => `${units / 10n ** BigInt(decimals)}.${String(units % 10n ** BigInt(decimals)).padStart(decimals, '0')}`
    const shown = (units: bigint) => whole(units).replace(/\.?0+$/, '')
    const more = await estimate(stack, { ...wanted, from: rich, amount: whole(has + 1n) })
    expect(more.body.missing).toEqual([{ symbol: token.toUpperCase(), missing: shown(1n), required: shown(has + 1n), available: shown(has) }])
  })
})

describe.each(families.map((chain) => [chain] as const))('%s', (chain) => {
  const token = chain === 'tron' ? 'usdt' : 'usdc'

  test('from a stored wallet: the same', async () => {
    const from = newPayer(chain)
    await fund(stack, from, { native: '50', ...everyToken(chain, '20') })
    const wallet = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey: from.privateKey })
    expect([wallet.status, wallet.body]).toMatchObject([201, { address: from.address }])
    const way: Way = (wanted) => sendFromWallet(stack, wallet.body.id, wanted)
    for (const each of [token, 'native'] as const) {
      const { transfer } = await carryOut(await wantedOn(chain, each, { from }), way, { waits: true })
      expect(transfer.walletId).toBe(wallet.body.id)
    }
  })

  test('prepared, signed by the chain’s own library and submitted: the same', async () => {
    for (const each of [token, 'native'] as const) await carryOut(await wantedOn(chain, each), signedOutside)
  })

  const changes: [string, () => Change][] = [
    ['another amount', () => ({ amount: 2_500_000_000n })],
    ['another recipient', () => ({ to: newPayer(chain).address })],
    ['another sequence, blockhash or time', () => ({ sequence: true })],
  ]

  test('submit takes what was prepared, signed by its sender, and nothing else', async () => {
    const wanted = await wantedOn(chain, 'native')
    const { body: prepared } = await prepare(stack, wanted)
    const rows = await rowsOfTransfers(stack)
    const payloads: [string, string][] = [
      ['what nobody signed', prepared.payload],
      ['garbage', 'garbage'],
      ['half of it', (await signPrepared(stack, wanted.from, prepared.payload)).slice(0, -40)],
      ['signed by another key', await signPrepared(stack, newPayer(chain), prepared.payload)],
    ]
    for (const [name, change] of changes) payloads.push([name, await signPrepared(stack, wanted.from, prepared.payload, change())])
    for (const [name, payload] of payloads) {
      const { status, body } = await submit(stack, prepared.id, payload)
      expect([name, status, body]).toMatchObject([name, 422, { error: 'signed_transfer_mismatch', fields: [{ field: 'payload' }] }])
    }
    const payload = await signPrepared(stack, wanted.from, prepared.payload)
    const stranger = await submit(stack, prepared.id, payload, await strangerTo(stack))
    expect([stranger.status, stranger.body.error]).toEqual([404, 'Not found'])
    expect((await submit(stack, crypto.randomUUID(), payload)).status).toBe(404)
    expect(await rowsOfTransfers(stack)).toEqual(rows)

    const sent = await carryOut(wanted, async () => {
      const answers = await Promise.all([1, 2, 3].map(() => submit(stack, prepared.id, payload)))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.txHash}`)).size).toBe(1)
      return answers[0] ?? submit(stack, prepared.id, payload)
    })
    expect(await submit(stack, prepared.id, payload)).toMatchObject({ status: 201, body: { id: prepared.id, txHash: sent.transfer.txHash } })
    expect((await submit(stack, prepared.id, 'garbage')).body.txHash).toBe(sent.transfer.txHash)
  })

  test('submit takes nothing when its time is over', async () => {
    const wanted = await wantedOn(chain, 'native')
    const { body } = await prepare(stack, wanted)
    const payload = await signPrepared(stack, wanted.from, body.payload)
    await stack.db.query("update prepared_transfers set expires_at = now() - interval '1 second' where id = $1", [body.id])
    expect(await submit(stack, body.id, payload)).toMatchObject({ status: 409, body: { error: 'transfer_expired' } })
    await stack.mine(2, chain)
    expect(await heldOn(stack, chain, 'native', wanted.to)).toBe(0n)
  })
})

test.each(['ethereum', 'stellar'] as const)('%s: submit refuses what something else was sent in place of', async (chain) => {
  const [first, second] = [await wantedOn(chain, 'native'), await wantedOn(chain, 'native')]
  const [one, other] = [await prepare(stack, first), await prepare(stack, second)]
  expect(other.body.payload).not.toBe(one.body.payload)
  // The one is waiting for its block already; after that it is in it.
  const sent = await submit(stack, one.body.id, await signPrepared(stack, first.from, one.body.payload))
  const payload = await signPrepared(stack, second.from, other.body.payload)
  expect(await submit(stack, other.body.id, payload)).toMatchObject({ status: 409, body: { error: 'sequence_used' } })
  await stack.mine(2, chain)
  ended.set((await becomes(stack, sent.body.id, 'confirmed')).id, 'transfer.confirmed')
  expect(await submit(stack, other.body.id, payload)).toMatchObject({ status: 409, body: { error: 'sequence_used' } })
  expect(await heldOn(stack, chain, 'native', second.to)).toBe(0n)
})

test.each(['ethereum', 'stellar'] as const)('%s: and what the key was used for elsewhere', async (chain) => {
  const wanted = await wantedOn(chain, 'native')
  const { body } = await prepare(stack, wanted)
  await outside[chain](wanted.from)
  const payload = await signPrepared(stack, wanted.from, body.payload)
  expect(await submit(stack, body.id, payload)).toMatchObject({ status: 409, body: { error: 'sequence_used' } })
  await stack.mine(2, chain)
  expect(await heldOn(stack, chain, 'native', wanted.to)).toBe(0n)
})

test.each(['solana', 'tron'] as const)('%s: two prepared that are alike in everything are two transactions', async (chain) => {
  const wanted = await wantedOn(chain, 'native', { amount: '3' })
  const two = await Promise.all([prepare(stack, wanted), prepare(stack, wanted)])
  const sent = await Promise.all(two.map(async ({ body }) => submit(stack, body.id, await signPrepared(stack, wanted.from, body.payload))))
  await stack.mine(2, chain)
  for (const { status, body } of sent) {
    if (status === 201) ended.set((await becomes(stack, body.id, 'confirmed')).id, 'transfer.confirmed')
  }
  expect(sent.map(({ status }) => status)).toEqual([201, 201])
  expect(await heldOn(stack, chain, 'native', wanted.to)).toBe(6n * 10n ** BigInt(decimalsOf(stack, chain).native))
})

/** Whoever has the key uses it without us, and a block is made of it. */
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
    await sendOnStellar({ ...stack.other('stellar'), faucetPrivateKey: privateKey }, [Operation.manageData({ name: 'used', value: 'elsewhere' })])
    await stack.mine(1, 'stellar')
  },
}

describe('what fails in its block has failed as reverted, with its fee and what the chain says', () => {
  /** Nothing moved but the fee. */
  async function expectReverted(wanted: Wanted, id: string, before: bigint): Promise<TransferBody> {
    const { chain, address } = wanted.from
    const failed = await becomes(stack, id, 'failed')
    ended.set(id, 'transfer.failed')
    const found = await transactionOn(stack, chain, failed.txHash ?? '')
    expect(failed).toMatchObject({ reason: 'reverted', message: expect.any(String), blockHeight: found.height })
    expect([found.succeeded, failed.gasUsed]).toEqual([false, found.gasUsed?.toString()])
    expect(before - (await heldOn(stack, chain, 'native', address))).toBe(found.fee)
    expect(baseUnits(failed.fee ?? '', decimalsOf(stack, chain).native)).toBe(found.fee)
    expect(await heldOn(stack, chain, wanted.token, wanted.to)).toBe(0n)
    return failed
  }

  test('ethereum: whoever has an allowance takes the tokens at a higher price', async () => {
    const from = newPayer('ethereum')
    await fund(stack, from, { native: '1', USDC: '5' })
    const { rpcUrl, usdc } = stack.devnet
    const [account, faucet] = [privateKeyToAccount(from.privateKey as Hex), stack.wallet('ethereum')]
    const owner = createWalletClient({ account, chain: devnetChain('ethereum', rpcUrl), transport: http(rpcUrl) })
    const call = { address: usdc, abi: erc20Abi, gas: 100_000n } as const
    await owner.writeContract({ ...call, functionName: 'approve', args: [faucet.account.address, 5_000_000n] })
    await stack.mine(1, 'ethereum')
    const before = await heldOn(stack, 'ethereum', 'native', from.address)
    const wanted = await wantedOn('ethereum', 'usdc', { from })
    const { body } = await sendWithKey(stack, wanted)
    const dear = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') }
    await faucet.writeContract({
      ...call,
      ...dear,
      functionName: 'transferFrom',
      args: [account.address, faucet.account.address, 5_000_000n],
    })
    await stack.mine(2, 'ethereum')
    expect((await expectReverted(wanted, body.id, before)).message).toContain('exceeds balance')
  })

  test('solana: the tokens are spent before it in the same slot', async () => {
    const from = newPayer('solana')
    await fund(stack, from, { native: '1', USDC: '5' })
    const wanted = await wantedOn('solana', 'usdc', { from })
    const [mint, owner] = [new PublicKey(contractOfAsset(stack, 'solana', 'usdc')), new PublicKey(from.address)]
    const to = tokenAccountOf(stack, 'usdc', payerOn('solana').address)
    await sendOnSolana({ ...stack.other('solana'), faucetPrivateKey: from.privateKey }, [
      createTransferCheckedInstruction(tokenAccountOf(stack, 'usdc', from.address), mint, to, owner, 5_000_000n, 6),
    ])
    const { status, body } = await sendWithKey(stack, wanted)
    expect([status, body]).toMatchObject([201, { status: 'pending' }])
    // The other one's fee is none of this transfer's.
    const before = (await heldOn(stack, 'solana', 'native', from.address)) - 5_000n
    await stack.mine(2, 'solana')
    expect((await expectReverted(wanted, body.id, before)).message).toMatch(/insufficient funds/i)
  })

  test('tron: the tokens are gone when the signed one comes', async () => {
    const from = newPayer('tron')
    await fund(stack, from, { native: '100', USDT: '5' })
    const wanted = await wantedOn('tron', 'usdt', { from })
    const { body: prepared } = await prepare(stack, wanted)
    const tron = { ...stack.other('tron'), faucetPrivateKey: from.privateKey }
    await payOnTron(tron, { address: payerOn('tron').address, token: tron.usdt, amount: '5', decimals: 6 })
    await stack.mine(1, 'tron')
    const before = await heldOn(stack, 'tron', 'native', from.address)
    const { body } = await submit(stack, prepared.id, await signPrepared(stack, from, prepared.payload))
    await stack.mine(2, 'tron')
    await expectReverted(wanted, body.id, before)
  })

  test('stellar: the recipient removes its trustline between signing and sending', async () => {
    const from = payerOn('stellar')
    const recipient = newPayer('stellar')
    await fund(stack, recipient, { native: '10', USDC: '0' })
    const wanted = await wantedOn('stellar', 'usdc', { to: recipient.address })
    const { body: prepared } = await prepare(stack, wanted)
    const asset = assetOf(contractOfAsset(stack, 'stellar', 'usdc'))
    const pair = StellarKeypair.fromSecret(recipient.privateKey)
    await sendOnStellar(stack.other('stellar'), [Operation.changeTrust({ asset, limit: '0', source: recipient.address })], undefined, [pair])
    await stack.mine(1, 'stellar')
    const before = await heldOn(stack, 'stellar', 'native', from.address)
    const { body } = await submit(stack, prepared.id, await signPrepared(stack, from, prepared.payload))
    await stack.mine(1, 'stellar')
    expect((await expectReverted(wanted, body.id, before)).message).toMatch(/no_?trust/i)
  })
})

test('each has told of itself once, with what GET says, under a valid signature', async () => {
  await stack.idle(30_000)
  for (const [id, type] of ended) {
    expect([id, stack.receiver.types(id)]).toEqual([id, [type]])
    const { updatedAt: _, ...now } = await getTransfer(stack, id)
    expect(stack.receiver.about(id)[0]?.data).toEqual({ ...now, updatedAt: expect.any(String) })
  }
  expect(stack.receiver.forged).toEqual([])
})

test('the time that is told of a change is that of GET', async () => {
  for (const id of ended.keys()) expect(stack.receiver.about(id)[0]?.data.updatedAt).toBe((await getTransfer(stack, id)).updatedAt)
})

test('no transfer but these was made, and no key was used for anything else', async () => {
  const rows = await stack.db.query<{ id: string }>('select id from outgoing')
  expect(rows.map(({ id }) => id).sort()).toEqual([...ended.keys()].sort())
  for (const chain of chainNames.filter(isEvm)) {
    const { address } = payerOn(chain)
    const sent = await stack.db.query<{ txId: string }>('select tx_id as "txId" from outgoing where chain = $1 and lower(from_address) = lower($2)', [
      chain,
      address,
    ])
    const onChain = await sentFrom(stack, chain, address)
    expect(onChain).toEqual(expect.arrayContaining(sent.map(({ txId }) => txId)))
    // One was sent past us.
    expect(onChain.length - sent.length).toBe(chain === 'ethereum' ? 1 : 0)
  }
})
