import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  AuthorityType,
  createSetAuthorityInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import { type Hex, keccak256, toHex } from 'viem'
import { attest, fill, withField } from '../../../../test/devnets/attest.ts'
import { attesters } from '../../../../test/devnets/cctp.ts'
import {
  builder,
  privateKeyOf,
  type SolanaSending,
  startSolanaSending,
} from '../../../../test/support/solanaSending.ts'
import type { CallsSpec } from '../../action.ts'
import type { BridgeReader, Signed } from '../../bridging.ts'
import { decodeMessage } from '../../cctpMessage.ts'
import { solanaBridgeActions } from './bridgeActions.ts'
import { solanaBridgeReader } from './bridgeReader.ts'
import { cctpAccounts } from './cctpAccounts.ts'
import { planCalls } from './planCalls.ts'

/** Circle's programs as the devnet has them, used by our client. */

let chain: SolanaSending
let reader: BridgeReader
let wallet: Keypair
let treasury: Keypair
let cctp: { domain: number; tokenMessenger: string; messageTransmitter: string; lookupTable: string }
const programs = {
  domain: 5,
  tokenMessenger: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe',
  messageTransmitter: 'CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC',
}
const base = {
  domain: 6,
  tokenMessenger: word('28b5a0e9c621a5badaa536219b3a228c8168cf5d'),
  usdc: word('833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
}
const everywhere = word('70997970c51812dc3a010c7d01b50e0d17dc79c8')

function word(address: string): Hex {
  return `0x${address.padStart(64, '0')}`
}

beforeAll(async () => {
  chain = await startSolanaSending()
  const { table } = await chain.devnet.control<{ table: string }>('cctp', {
    attesters: attesters.map(({ address }) => address.toLowerCase()),
    peers: [base],
  })
  cctp = { ...programs, lookupTable: table }
  reader = solanaBridgeReader(context(), cctp)
  wallet = await chain.wallet(1_000_000_000n)
  treasury = await chain.wallet(1_000_000_000n)
  await chain.make(chain.tokens(wallet.publicKey, chain.devnet.usdc, 50_000_000n))
})
afterAll(() => chain.close())

const context = () => ({
  ...chain.ctx,
  chain: { ...chain.ctx.chain, name: 'solana' as const, family: 'solana' as const, network: 'any', cctp },
})
const actions = () => solanaBridgeActions({ name: 'solana', family: 'solana', network: 'any', cctp })
const usdc = () => ({ contract: chain.devnet.usdc, symbol: 'USDC', decimals: 6 })
const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(new PublicKey(chain.devnet.usdc), owner)
const held = async (owner: PublicKey) =>
  (await getAccount(chain.connection, accountOf(owner), 'confirmed')).amount

async function send(action: CallsSpec, keys: readonly Keypair[]): Promise<string> {
  const plan = await planCalls(context(), action)
  const transaction = builder.sign(action, plan.terms, null, keys.map(privateKeyOf))
  expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
  await chain.mine()
  return transaction.txId
}

async function burn(amount = 10_000_000n): Promise<{ event: Keypair; message: Hex }> {
  const event = Keypair.generate()
  const burnt = {
    destinationDomain: base.domain,
    mintRecipient: everywhere,
    maxFee: 700n,
    speed: 'fast',
    hook: '0x',
  } as const
  const action = actions().burn({
    ...burnt,
    from: wallet.publicKey.toBase58(),
    token: usdc(),
    amount,
    eventAccount: event.publicKey.toBase58(),
  })
  await send(action, [wallet, event])
  const stored = await chain.connection.getAccountInfo(event.publicKey, 'confirmed')
  return { event, message: toHex(Uint8Array.from(stored?.data.subarray(52) ?? [])) }
}

const find = async (nonce: Hex) => (await reader.findMint(nonce, { since: new Date(0), cursor: null })).txId

let nonces = 0
const filled = (message: Hex, more: object = {}) =>
  fill(message, {
    nonce: keccak256(toHex(`nonce ${nonces++}`)),
    executed: 1000,
    fee: 650n,
    expirationBlock: 0n,
    ...more,
  })
const sign = async (message: Hex, more: Partial<Signed> = {}): Promise<Signed> => ({
  message,
  attestation: await attest(message),
  ...more,
})

/** A message of a burn on base, for a person here. */
async function arriving(owner: PublicKey, more: object = {}): Promise<Signed> {
  const { message } = await burn(1_000_000n)
  const fields = {
    sourceDomain: 6,
    destinationDomain: 5,
    sender: base.tokenMessenger,
    recipient: toHex(new PublicKey(programs.tokenMessenger).toBytes()),
    burnToken: base.usdc,
    mintRecipient: toHex(accountOf(owner).toBytes()),
    messageSender: everywhere,
  }
  const changed = Object.entries({ ...fields, ...more }).reduce(
    (text, [name, value]) => withField(text, name as 'sender', value as Hex),
    message,
  )
  const feeAccount = (await reader.feeAccount?.(usdc())) ?? ''
  return sign(filled(changed), { to: { owner: owner.toBase58(), token: usdc(), feeAccount } })
}

describe('a burn', () => {
  test('takes the amount, and keeps its message in an account whose rent the wallet pays', async () => {
    const before = await held(wallet.publicKey)
    const { event, message } = await burn()
    expect(before - (await held(wallet.publicKey))).toBe(10_000_000n)
    expect(decodeMessage(message)).toMatchObject({
      ...{
        version: 1,
        sourceDomain: 5,
        destinationDomain: 6,
        bodyVersion: 1,
        amount: 10_000_000n,
        maxFee: 700n,
        minFinality: 1000,
      },
      ...{ recipient: base.tokenMessenger, mintRecipient: everywhere, hook: '0x' },
      messageSender: toHex(wallet.publicKey.toBytes()),
    })
    expect((await chain.connection.getAccountInfo(event.publicKey, 'confirmed'))?.lamports).toBeGreaterThan(0)
  })

  test.each([
    ['more than the limit of a burn', { amount: 10_000_000_000_001n }, '0x1777'],
    ['a maximum fee that leaves nothing', { amount: 700n }, '0x178b'],
    ['a chain that is not linked', { destinationDomain: 7 }, '0xbc4'],
  ])('is refused: %s', async (_, more, code) => {
    const burnt = {
      destinationDomain: 6,
      mintRecipient: everywhere,
      maxFee: 700n,
      speed: 'fast',
      hook: '0x',
      amount: 1_000_000n,
    } as const
    const event = Keypair.generate().publicKey.toBase58()
    const action = actions().burn({
      ...burnt,
      from: wallet.publicKey.toBase58(),
      token: usdc(),
      eventAccount: event,
      ...more,
    })
    await expect(planCalls(context(), { ...action, spends: [] })).rejects.toThrow(
      `custom program error ${code}`,
    )
  })
})

describe('a mint', () => {
  test('reaches an account that it opens, at the cost of who sends it, once', async () => {
    const owner = Keypair.generate().publicKey
    const signed = await arriving(owner)
    const from = treasury.publicKey.toBase58()
    const nonce = decodeMessage(signed.message)?.nonce ?? '0x'
    expect([await reader.usedIn(nonce), await reader.mintProblem(from, signed)]).toEqual(['nowhere', null])
    expect(await find(nonce)).toBeNull()
    const txId = await send(actions().mint(from, signed), [treasury])
    expect(await held(owner)).toBe(999_350n)
    expect([await reader.usedIn(nonce), await reader.mintProblem(from, signed)]).toEqual(['newest', 'used'])
    await chain.mine(6)
    expect(await reader.usedIn(nonce)).toBe('confirmed')
    const account = cctpAccounts(cctp).usedNonce(nonce)
    const other = await chain.make([
      SystemProgram.transfer({ fromPubkey: chain.faucet.publicKey, toPubkey: account, lamports: 1 }),
    ])
    await chain.mine(6)
    expect(await find(nonce)).toBe(txId)
    expect(await reader.mintsIn(txId)).toMatchObject({
      standing: 'final',
      messages: [{ nonce, amount: 1_000_000n, feeExecuted: 650n }],
    })
    expect(await reader.mintsIn(other)).toEqual({ standing: 'final', messages: [] })
    for (const unknown of ['no signature', base58.encode(new Uint8Array(64))])
      expect(await reader.mintsIn(unknown)).toEqual({ standing: 'absent', messages: [] })
  })

  test('is found among other transactions that name the account of its nonce', async () => {
    const owner = Keypair.generate().publicKey
    const signed = await arriving(owner)
    const nonce = decodeMessage(signed.message)?.nonce ?? '0x'
    const account = cctpAccounts(cctp).usedNonce(nonce)
    const pay = (lamports: number) =>
      chain.make([
        SystemProgram.transfer({ fromPubkey: chain.faucet.publicKey, toPubkey: account, lamports }),
      ])
    const txId = await send(actions().mint(treasury.publicKey.toBase58(), signed), [treasury])
    for (let i = 1; i <= 26; i++) await pay(i)
    await chain.mine(2)
    const since = new Date(0)
    const first = await reader.findMint(nonce, { since, cursor: null })
    expect(first).toEqual({ txId: null, cursor: expect.any(String) })
    expect(await reader.findMint(nonce, { since, cursor: first.cursor })).toMatchObject({ txId })
  })

  test('is not made to an address whose token account has another owner, or is frozen', async () => {
    const [owner, other] = [await chain.wallet(1_000_000_000n), Keypair.generate().publicKey]
    const isBlocked = async () => reader.isBlocked?.(usdc(), owner.publicKey.toBase58())
    expect(await isBlocked()).toBe(false)
    await chain.make(chain.tokens(owner.publicKey, chain.devnet.usdc, 1n))
    expect(await isBlocked()).toBe(false)
    await chain.make(
      [
        createSetAuthorityInstruction(
          accountOf(owner.publicKey),
          owner.publicKey,
          AuthorityType.AccountOwner,
          other,
        ),
      ],
      [owner],
    )
    expect(await isBlocked()).toBe(true)
  })

  const another = word('11')
  test.each([
    ['another bridge on the source', { sender: another }, '0x1772'],
    ['a token without a pair', { burnToken: another }, '0xbc4'],
    ['another chain', { destinationDomain: '0x00000007' }, '0x1782'],
    ['a caller of its own', { destinationCaller: another }, '0x177e'],
    ['another version', { version: '0x00000002' }, '0x1783'],
    ['a fee above its maximum', { maxFee: word('1') }, '0x177f'],
  ])('is refused: %s', async (_, more, code) => {
    const signed = await arriving(Keypair.generate().publicKey, more)
    const problem = await reader.mintProblem(treasury.publicKey.toBase58(), signed)
    expect(problem).toEqual({ refused: expect.stringContaining(`custom program error ${code}`) })
  })

  test('of an expired message needs another signature', async () => {
    const signed = await arriving(Keypair.generate().publicKey)
    const late = await sign(withField(signed.message, 'expirationBlock', 1n), signed.to && { to: signed.to })
    expect(await reader.mintProblem(treasury.publicKey.toBase58(), late)).toBe('expired')
  })

  test('needs the signatures of both attesters, in order', async () => {
    const signed = await arriving(Keypair.generate().publicKey)
    const [first, second] = [signed.attestation.slice(2, 132), signed.attestation.slice(132)]
    for (const [attestation, code] of [
      [`0x${second}${first}`, '0x178a'],
      [`0x${first}${first}`, '0x178a'],
      [`0x${first}`, '0x178c'],
    ] as const) {
      const problem = await reader.mintProblem(treasury.publicKey.toBase58(), { ...signed, attestation })
      expect(problem).toEqual({ refused: expect.stringContaining(`custom program error ${code}`) })
    }
    const other = await sign(filled(signed.message))
    const problem = await reader.mintProblem(treasury.publicKey.toBase58(), {
      ...signed,
      attestation: other.attestation,
    })
    expect(problem).toEqual({ refused: expect.stringMatching(/custom program error 0x178[ab]/) })
  })
})

describe('the account of a burn', () => {
  test('is given back after five days to the wallet that paid for it, with the signed message', async () => {
    const { event, message } = await burn()
    const signed = await sign(filled(message))
    const from = wallet.publicKey.toBase58()
    const reclaim = actions().reclaim?.(from, event.publicKey.toBase58(), signed)
    if (!reclaim) throw new Error('there is no reclaim')
    await expect(planCalls(context(), reclaim)).rejects.toThrow('custom program error 0x1791')
    const later = Math.floor(Date.now() / 1000) + 5 * 24 * 3600 + 60
    await chain.devnet.control('mine', { time: later })
    const rent = BigInt((await chain.connection.getAccountInfo(event.publicKey, 'confirmed'))?.lamports ?? 0)
    const before = await chain.lamportsOf(wallet.publicKey)
    const plan = await planCalls(context(), reclaim)
    const transaction = builder.sign(reclaim, plan.terms, null, [privateKeyOf(wallet)])
    expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
    await chain.devnet.control('mine', { time: later + 1 })
    expect(await chain.connection.getAccountInfo(event.publicKey, 'confirmed')).toBeNull()
    expect((await chain.lamportsOf(wallet.publicKey)) - before).toBe(rent - plan.fee.max)
    const stranger = actions().reclaim?.(treasury.publicKey.toBase58(), event.publicKey.toBase58(), signed)
    await expect(stranger && planCalls(context(), stranger)).rejects.toThrow('custom program error')
  })
})

test('limits are those of the programs', async () => {
  expect([await reader.minFee(1_000_000n), await reader.burnLimit(usdc())]).toEqual([0n, 10_000_000_000_000n])
})
