import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransaction,
} from '@solana/kit'
import {
  ACCOUNT_SIZE,
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createCreateNativeMintInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  NATIVE_MINT_2022,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { HDKey } from 'micro-key-producer/slip10.js'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { payOnSolana, send, sendSol } from '../devnets/customers/solana.ts'
import { devnetKeys } from '../devnets/solana/keys.ts'
import { sendByInnerInstruction } from '../devnets/solana/sendByInnerInstruction.ts'
import type { SolanaDevnet } from '../devnets/solana.ts'
import { builtUntilFinal } from '../support/otherDevnets.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { seedKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

// The ways in which money can reach an owner on Solana. Promises of all chains are in nineChains.test.ts.

let stack: Stack
let devnet: SolanaDevnet
let connection: Connection
let usdc: PublicKey
const faucet = devnetKeys.faucet
const decimals = 6
const unit = 1_000_000n
/** The token's program keeps a transfer fee of 1 % (devnets/solana/genesis.ts). */
const feeToken = devnetKeys.feeToken.publicKey.toBase58()

beforeAll(async () => {
  stack = await createStack({
    chains: ['solana'],
    processes: ['cowry'],
    finalizedTag: true,
    env: { SOLANA_USDT: feeToken },
  })
  devnet = stack.other('solana')
  connection = new Connection(devnet.rpcUrl, 'confirmed')
  usdc = new PublicKey(devnet.usdc)
})
afterAll(() => stack?.close())

const mineFinal = () => stack.mine(1 + builtUntilFinal.solana)
const credited = (token = 'USDC') =>
  balanceOf(stack.db, { name: 'available', businessId: stack.businessId, asset: `solana:${token}` })
const accountOf = (owner: PublicKey, mint = usdc) => getAssociatedTokenAddressSync(mint, owner, true)
const ownerOf = ({ address }: SessionBody) => new PublicKey(address)
const webhookOf = (session: SessionBody, type: string) =>
  waitFor(`webhook ${type}`, async () =>
    stack.receiver.about(session.id).find((event) => event.type === type),
  )

const opening = (owner: PublicKey, mint = usdc) =>
  createAssociatedTokenAccountIdempotentInstruction(faucet.publicKey, accountOf(owner, mint), owner, mint)
const transferring = (
  to: PublicKey,
  amount: bigint,
  { from = accountOf(faucet.publicKey), by = faucet.publicKey, mint = usdc } = {},
) => createTransferCheckedInstruction(from, mint, to, by, amount, decimals)

/** A token account other than the associated one. */
async function otherAccount(
  owner: PublicKey,
): Promise<{ account: Keypair; instructions: TransactionInstruction[] }> {
  const account = Keypair.generate()
  const lamports = await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE)
  const made = {
    fromPubkey: faucet.publicKey,
    newAccountPubkey: account.publicKey,
    space: ACCOUNT_SIZE,
    lamports,
    programId: TOKEN_PROGRAM_ID,
  }
  return {
    account,
    instructions: [
      SystemProgram.createAccount(made),
      createInitializeAccount3Instruction(account.publicKey, usdc, owner),
    ],
  }
}

/** Waits until exactly these payments paid the session, once. @param before credited until then */
async function expectPaid(
  session: SessionBody,
  amounts: readonly string[],
  { before }: { before: bigint },
): Promise<SessionBody> {
  const paid = await stack.sessionIs(session.id, 'paid')
  expect(paid.payments.map((payment) => payment.amount)).toEqual(amounts)
  await webhookOf(session, 'session.paid')
  expect(await credited(session.token)).toBe(before + baseUnits(session.amountExpected, decimals))
  return paid
}

/** Waits until everything was read, and expects no payment of the session. */
async function expectNothing(session: SessionBody): Promise<void> {
  await mineFinal()
  await stack.caughtUp()
  await stack.idle()
  expect(await stack.session(session.id)).toMatchObject({
    status: 'pending',
    exception: 'none',
    amountReceived: '0',
    payments: [],
  })
  expect(stack.receiver.types(session.id)).toEqual([])
}

describe('USDC reaches the owner’s', () => {
  const ways: [what: string, pay: (owner: PublicKey) => Promise<string>][] = [
    [
      'associated account, which did not exist before',
      (owner) => send(devnet, [opening(owner), transferring(accountOf(owner), 10n * unit)]),
    ],
    [
      'associated account, which existed',
      async (owner) => {
        await send(devnet, [opening(owner)])
        await stack.mine()
        return send(devnet, [transferring(accountOf(owner), 10n * unit)])
      },
    ],
    [
      'token account that is not the associated one',
      async (owner) => {
        const { account, instructions } = await otherAccount(owner)
        return send(devnet, [...instructions, transferring(account.publicKey, 10n * unit)], {
          signers: [account],
        })
      },
    ],
    [
      'account by an instruction within a program’s',
      (owner) => sendByInnerInstruction(devnet, owner, usdc, 10n * unit),
    ],
    [
      'accounts by several transfers of one transaction, which are one payment',
      async (owner) => {
        const { account, instructions } = await otherAccount(owner)
        const associated = accountOf(owner)
        const transfers = [
          transferring(associated, 3n * unit),
          transferring(account.publicKey, 5n * unit),
          transferring(associated, 2n * unit),
        ]
        return send(devnet, [opening(owner), ...instructions, ...transfers], { signers: [account] })
      },
    ],
    [
      // The former owner can no longer move its money, nor close it while it holds some (SPL Token,
      // `SetAuthority`): the money is the new owner's.
      'name, in an account whose ownership is transferred with its balance',
      async (owner) => {
        const { account, instructions } = await otherAccount(faucet.publicKey)
        await send(devnet, [...instructions, transferring(account.publicKey, 10n * unit)], {
          signers: [account],
        })
        await stack.mine()
        return send(devnet, [
          createSetAuthorityInstruction(
            account.publicKey,
            faucet.publicKey,
            AuthorityType.AccountOwner,
            owner,
          ),
        ])
      },
    ],
    [
      'account by a transaction of version 0, which finds it in a lookup table',
      (owner) => sendVersion0(owner),
    ],
    ['account by a transaction of version 1', (owner) => sendVersion1(owner)],
  ]
  test.each(ways)('%s', async (_, pay) => {
    const before = await credited()
    const session = await stack.createSession({ amount: '10' })
    const txId = await pay(ownerOf(session))
    await mineFinal()
    const paid = await expectPaid(session, ['10'], { before })
    expect(paid.payments).toMatchObject([{ txId, from: faucet.publicKey.toBase58(), status: 'confirmed' }])
  })

  test('second payment after the first: both count', async () => {
    const before = await credited()
    const session = await stack.createSession({ amount: '10' })
    await stack.pay(session, '4')
    await stack.mine()
    await stack.pay(session, '6')
    await mineFinal()
    await expectPaid(session, ['4', '6'], { before })
  })
})

/** All accounts except the signer come from the table. */
async function sendVersion0(owner: PublicKey): Promise<string> {
  const authority = { authority: faucet.publicKey, payer: faucet.publicKey }
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    ...authority,
    recentSlot: await connection.getSlot('confirmed'),
  })
  const addresses = [accountOf(owner), accountOf(faucet.publicKey), usdc]
  await send(devnet, [
    opening(owner),
    create,
    AddressLookupTableProgram.extendLookupTable({ ...authority, lookupTable: table, addresses }),
  ])
  await stack.mine()
  const lookupTable = (await connection.getAddressLookupTable(table)).value
  if (!lookupTable) throw new Error('no table')
  const { blockhash } = await connection.getLatestBlockhash()
  const instructions = [transferring(accountOf(owner), 10n * unit)]
  const message = new TransactionMessage({
    payerKey: faucet.publicKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToV0Message([lookupTable])
  expect(message.addressTableLookups[0]?.writableIndexes).toHaveLength(2)
  const transaction = new VersionedTransaction(message)
  transaction.sign([faucet])
  return connection.sendTransaction(transaction)
}

/** Version 1 by kit: web3.js does not support it. */
async function sendVersion1(owner: PublicKey): Promise<string> {
  await send(devnet, [opening(owner)])
  await stack.mine()
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const signer = await createKeyPairSignerFromBytes(faucet.secretKey)
  const transfer = transferring(accountOf(owner), 10n * unit)
  // Bits of a role: signer, writable.
  const roleOf = (key: TransactionInstruction['keys'][number]) =>
    (key.isSigner ? 2 : 0) + (key.isWritable ? 1 : 0)
  const instruction = {
    programAddress: transfer.programId.toBase58() as Address,
    accounts: transfer.keys.map((key) => ({ address: key.pubkey.toBase58() as Address, role: roleOf(key) })),
    data: Uint8Array.from(transfer.data),
  }
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) }
  const paidFor = setTransactionMessageFeePayer(signer.address, createTransactionMessage({ version: 1 }))
  const filled = appendTransactionMessageInstruction(
    instruction,
    setTransactionMessageLifetimeUsingBlockhash(lifetime, paidFor),
  )
  const limited = setTransactionMessageLoadedAccountsDataSizeLimit(
    1_000_000,
    setTransactionMessageComputeUnitLimit(100_000, filled),
  )
  const wire = getBase64EncodedWireTransaction(
    await signTransaction([signer.keyPair], compileTransaction(limited)),
  )
  return connection.sendEncodedTransaction(wire, { preflightCommitment: 'confirmed' })
}

describe('the credited amount is the received one', () => {
  test('of a token whose program keeps a fee of each transfer: the owner’s balance counts, not the sent amount', async () => {
    const before = await credited('USDT')
    const session = await stack.createSession({ token: 'USDT', amount: '99' })
    await payOnSolana(devnet, { address: session.address, token: feeToken, amount: '100', decimals })
    await mineFinal()
    const paid = await expectPaid(session, ['99'], { before })
    expect(paid).toMatchObject({ amountReceived: '99', exception: 'none' })
  })

  test('where one transaction takes from the owner and gives to it: the difference', async () => {
    const session = await stack.createSession({ amount: '10' })
    const key = await keyOf(session)
    await stack.pay(session, '6')
    await mineFinal()
    await stack.sessionIs(session.id, 'pending', 'underpaid')
    const account = accountOf(key.publicKey)
    const out = transferring(accountOf(faucet.publicKey), 6n * unit, { from: account, by: key.publicKey })
    await send(devnet, [out, transferring(account, 10n * unit)], { signers: [key] })
    await mineFinal()
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid.payments.map((payment) => payment.amount)).toEqual(['6', '4'])
  })

  test('a customer’s memo is shown with the payment and published', async () => {
    const session = await stack.createSession({ amount: '10' })
    const memo = { memo: 'order 7, für Tisch 4', memoType: 'text' }
    await payOnSolana(devnet, {
      address: session.address,
      token: devnet.usdc,
      amount: '10',
      decimals,
      memo: memo.memo,
    })
    await mineFinal()
    expect((await stack.sessionIs(session.id, 'paid')).payments).toMatchObject([memo])
    expect((await webhookOf(session, 'transaction.confirmed')).data).toMatchObject(memo)
  })
})

/** The key of a session's address, as the treasury derives it. */
async function keyOf(session: SessionBody): Promise<Keypair> {
  const [row] = await stack.db.query<{ path: string }>(
    "select path from deposit_addresses where family = 'solana' and address = $1",
    [session.address],
  )
  const seed = await openSeed({ db: stack.db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  const key = Keypair.fromSeed(HDKey.fromMasterSeed(seed.reveal()).derive(row?.path ?? '').privateKey)
  expect(key.publicKey.toBase58()).toBe(session.address)
  return key
}

describe('not a payment', () => {
  test('SOL is not the token that the session expects', async () => {
    const before = await credited('SOL')
    const session = await stack.createSession({ amount: '10' })
    const txId = await sendSol(devnet, session.address, 12_345_678n)
    await mineFinal()
    const wrong = await stack.sessionIs(session.id, 'pending', 'wrong_token')
    expect(wrong).toMatchObject({
      amountReceived: '0',
      payments: [{ txId, token: 'SOL', amount: '0.012345678', exception: 'wrong_token' }],
    })
    expect((await webhookOf(session, 'transaction.confirmed')).data).toMatchObject({
      symbol: 'SOL',
      amount: '0.012345678',
      exception: 'wrong_token',
    })
    // The business gets it when the session has ended, and not before.
    expect(await credited('SOL')).toBe(before)
  })

  /** Ten, and then more than the balance. */
  const failing = (owner: PublicKey) => [
    transferring(accountOf(owner), 10n * unit),
    transferring(accountOf(owner), 2n ** 63n),
  ]
  const explained = async (txId: string) =>
    (await stack.api<{ outcome: string }>('GET', `/chains/solana/transactions/${txId}/explain`)).body.outcome

  test('a failed transaction leaves nothing, though its first transfer succeeded', async () => {
    const session = await stack.createSession({ amount: '10' })
    await send(devnet, [opening(ownerOf(session))])
    await stack.mine()
    const txId = await send(devnet, failing(ownerOf(session)), { skipPreflight: true })
    await expectNothing(session)
    expect(
      (await connection.getTransaction(txId, { maxSupportedTransactionVersion: 1 }))?.meta?.err,
    ).toMatchObject({ InstructionError: [1, {}] })
    expect(await explained(txId)).toBe('failed')
  })

  // Its balances do not name the owner of the account.
  test('a failed one that would have created the account is explained as failed, too', async () => {
    const session = await stack.createSession({ amount: '10' })
    const txId = await send(devnet, [opening(ownerOf(session)), ...failing(ownerOf(session))], {
      skipPreflight: true,
    })
    await expectNothing(session)
    expect(await explained(txId)).toBe('failed')
  })

  test('wrapped SOL is ignored: it is a token that the session did not request', async () => {
    const session = await stack.createSession({ amount: '10' })
    const owner = ownerOf(session)
    const account = getAssociatedTokenAddressSync(NATIVE_MINT_2022, owner, true, TOKEN_2022_PROGRAM_ID)
    const instructions = [
      // The devnet has no wrapped SOL of the older program, and that of Token-2022 only after this
      // instruction.
      createCreateNativeMintInstruction(faucet.publicKey),
      createAssociatedTokenAccountIdempotentInstruction(
        faucet.publicKey,
        account,
        owner,
        NATIVE_MINT_2022,
        TOKEN_2022_PROGRAM_ID,
      ),
      SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey: account, lamports: 5_000_000 }),
      createSyncNativeInstruction(account, TOKEN_2022_PROGRAM_ID),
    ]
    await send(devnet, instructions)
    await expectNothing(session)
    expect((await connection.getTokenAccountBalance(account)).value.amount).toBe('5000000')
  })

  test('another mint is ignored, with any name: only the address identifies a token', async () => {
    const session = await stack.createSession({ amount: '10' })
    const [mint, owner] = [Keypair.generate(), ownerOf(session)]
    const lamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE)
    const made = {
      fromPubkey: faucet.publicKey,
      newAccountPubkey: mint.publicKey,
      space: MINT_SIZE,
      lamports,
      programId: TOKEN_PROGRAM_ID,
    }
    const instructions = [
      SystemProgram.createAccount(made),
      createInitializeMint2Instruction(mint.publicKey, decimals, faucet.publicKey, null),
      opening(owner, mint.publicKey),
      createMintToInstruction(mint.publicKey, accountOf(owner, mint.publicKey), faucet.publicKey, 10n * unit),
    ]
    await send(devnet, instructions, { signers: [mint] })
    await expectNothing(session)
    expect((await connection.getTokenAccountBalance(accountOf(owner, mint.publicKey))).value.uiAmount).toBe(
      10,
    )
  })

  test('a zero transfer is ignored, and so is an account that was only opened', async () => {
    const session = await stack.createSession({ amount: '10' })
    await send(devnet, [opening(ownerOf(session)), transferring(accountOf(ownerOf(session)), 0n)])
    await expectNothing(session)
  })

  test('every delivery was signed and came once', async () => {
    await stack.idle()
    expect(stack.receiver.forged).toEqual([])
    expect(new Set(stack.receiver.received.map(({ id }) => id)).size).toBe(stack.receiver.received.length)
  })
})

test('no money is promised to a token account that is not open: no one has its key', async () => {
  const before = await credited()
  const session = await stack.createSession({ amount: '10' })
  await send(devnet, [opening(ownerOf(session)), transferring(accountOf(ownerOf(session)), 10n * unit)])
  await mineFinal()
  await expectPaid(session, ['10'], { before })
  const unopened = accountOf(Keypair.generate().publicKey).toBase58()
  const refused = async (path: string, body: object, headers?: Record<string, string>) => {
    const { status, body: answer } = await stack.api<{ error: string; fields?: { field: string }[] }>(
      'POST',
      path,
      body,
      headers,
    )
    return [status, answer.error, ...(answer.fields ?? []).map(({ field }) => field)]
  }
  const without = (field: string) => [422, 'recipient_without_key', field]
  expect(await refused(`/pos/sessions/${session.id}/refunds`, { amount: '1', toAddress: unopened })).toEqual(
    without('toAddress'),
  )
  expect(await refused('/payout-destinations', { chain: 'solana', address: unopened })).toEqual(
    without('address'),
  )
  const inline = {
    amount: '1',
    source: { chain: 'solana', token: 'USDC' },
    destination: { chain: 'solana', address: unopened },
  }
  expect(await refused('/payouts', inline)).toEqual(without('destination.address'))
  const { body: refund } = await stack.api<{ id: string; claimUrl: string }>(
    'POST',
    `/pos/sessions/${session.id}/refunds`,
    {
      amount: '1',
      claim: true,
    },
  )
  const token = refund.claimUrl.split('#')[1]
  const anonymous = { 'x-api-key': '' }
  expect(await refused('/refund-claims', { token, toAddress: unopened }, anonymous)).toEqual(
    without('toAddress'),
  )
  // The link still works.
  const toAddress = Keypair.generate().publicKey.toBase58()
  expect((await stack.api('POST', '/refund-claims', { token, toAddress }, anonymous)).status).toBe(200)
})
