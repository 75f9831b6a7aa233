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
  setTransactionMessagePriorityFeeLamports,
  signTransaction,
} from '@solana/kit'
import {
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { waitFor } from '../support/waitFor.ts'
import { sendByInnerInstruction, sendLamportsByInnerInstruction } from './solana/sendByInnerInstruction.ts'
import {
  openTestChain,
  pay,
  payToken,
  rpc,
  send,
  signed,
  type TestChain,
  testOnDevnet,
} from './solana/testWallet.ts'
import type { SolanaDevnet } from './solana.ts'

/**
 * Behaviour that web3.js and spl-token expect of a Solana node: the devnet, or a public test network
 * (variables of `openTestChain`).
 */
const signatureFee = 5000
/** Enough to make an account without data rent-exempt. */
const funded = 2_000_000
let chain: TestChain
let devnet: SolanaDevnet
let usdc: PublicKey

beforeAll(async () => {
  chain = await openTestChain()
  usdc = chain.usdc
  // On a public network, the cases that need it are skipped.
  if (chain.devnet) devnet = chain.devnet
})

afterAll(() => chain.close())

const newAddress = () => Keypair.generate().publicKey
const transactionOf = async (signature: string) => {
  const transaction = await chain.connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 1,
  })
  if (!transaction?.meta) throw new Error(`${signature} not found`)
  return { ...transaction, meta: transaction.meta }
}
const balance = (key: PublicKey) => chain.connection.getBalance(key, 'confirmed')

describe('payments', () => {
  test('lamports arrive, and the sender pays them plus 5000 per signature', async () => {
    const to = newAddress()
    const before = await balance(chain.faucet.publicKey)
    const { meta, version, slot, blockTime } = await transactionOf(
      await send(chain, [pay(chain, to, funded)]),
    )
    expect(await balance(to)).toBe(funded)
    expect(await balance(chain.faucet.publicKey)).toBe(before - funded - signatureFee)
    expect(meta).toMatchObject({
      err: null,
      fee: signatureFee,
      preBalances: [before, 0, 1],
      postBalances: [before - funded - signatureFee, funded, 1],
    })
    expect([version, await chain.connection.getBlockTime(slot)]).toEqual(['legacy', blockTime])
  })

  test('a priority fee is the price times the requested units, and getFeeForMessage returns it', async () => {
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1001 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_500_000 }),
      pay(chain, newAddress(), funded),
    ]
    const message = (await signed(chain, instructions)).compileMessage()
    expect((await chain.connection.getFeeForMessage(message, 'confirmed')).value).toBe(signatureFee + 1502)
    expect((await transactionOf(await send(chain, instructions))).meta.fee).toBe(signatureFee + 1502)
  })

  test('tokens: an account created in the transaction is missing from the pre balances, one closed in it from the post balances', async () => {
    const owner = Keypair.generate()
    const { meta, transaction } = await transactionOf(
      await send(chain, payToken(chain, owner.publicKey, usdc, 1_234_500n)),
    )
    const account = getAssociatedTokenAddressSync(usdc, owner.publicKey)
    const accountIndex = transaction.message.staticAccountKeys.findIndex((key) => key.equals(account))
    expect(meta.preTokenBalances?.map((each) => each.owner)).toEqual([chain.faucet.publicKey.toBase58()])
    expect(meta.postTokenBalances?.find((each) => each.owner === owner.publicKey.toBase58())).toEqual({
      accountIndex,
      mint: usdc.toBase58(),
      owner: owner.publicKey.toBase58(),
      programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      uiTokenAmount: { amount: '1234500', decimals: 6, uiAmount: 1.2345, uiAmountString: '1.2345' },
    })
    const back = getAssociatedTokenAddressSync(usdc, chain.faucet.publicKey)
    const closing = [
      createTransferCheckedInstruction(account, usdc, back, owner.publicKey, 1_234_500n, 6),
      createCloseAccountInstruction(account, chain.faucet.publicKey, owner.publicKey),
    ]
    const closed = await transactionOf(await send(chain, closing, [owner]))
    expect(closed.meta.preTokenBalances).toHaveLength(2)
    expect(closed.meta.postTokenBalances?.map((each) => each.owner)).toEqual([
      chain.faucet.publicKey.toBase58(),
    ])
  })

  testOnDevnet("a zero amount has no uiAmount in a transaction's record, and 0 in an account", async () => {
    const owner = newAddress()
    const { meta } = await transactionOf(await send(chain, payToken(chain, owner, usdc, 0n)))
    expect(
      meta.postTokenBalances?.find((each) => each.owner === owner.toBase58())?.uiTokenAmount,
    ).toMatchObject({ amount: '0', uiAmount: null })
    expect(
      (await chain.connection.getTokenAccountBalance(getAssociatedTokenAddressSync(usdc, owner))).value
        .uiAmount,
    ).toBe(0)
  })

  testOnDevnet('a token with a transfer fee: less arrives than was sent', async () => {
    const [owner, mint] = [newAddress(), new PublicKey(devnet.feeToken)]
    const { meta } = await transactionOf(
      await send(chain, payToken(chain, owner, mint, 1_000_000n, TOKEN_2022_PROGRAM_ID)),
    )
    expect(
      meta.postTokenBalances?.find((each) => each.owner === owner.toBase58())?.uiTokenAmount.amount,
    ).toBe('990000')
    const account = await getAccount(
      chain.connection,
      getAssociatedTokenAddressSync(mint, owner, false, TOKEN_2022_PROGRAM_ID),
      'confirmed',
      TOKEN_2022_PROGRAM_ID,
    )
    expect([account.amount, getTransferFeeAmount(account)?.withheldAmount]).toEqual([990_000n, 10_000n])
  })

  testOnDevnet('transfers of tokens and of lamports can be inner instructions only', async () => {
    const owner = newAddress()
    const signature = await sendByInnerInstruction(devnet, owner, usdc, 5_000_000n)
    const lamports = await sendLamportsByInnerInstruction(devnet, owner, BigInt(funded))
    await devnet.control('mine')
    const { meta, transaction } = await transactionOf(signature)
    const programs = transaction.message.compiledInstructions.map((each) =>
      transaction.message.staticAccountKeys[each.programIdIndex]?.toBase58(),
    )
    expect(programs).toEqual(['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', devnet.senderProgram])
    expect(meta.innerInstructions?.find((group) => group.index === 1)?.instructions).toHaveLength(1)
    expect(
      meta.postTokenBalances?.find((each) => each.owner === owner.toBase58())?.uiTokenAmount.amount,
    ).toBe('5000000')
    expect((await transactionOf(lamports)).meta.innerInstructions).toHaveLength(1)
    expect(await balance(owner)).toBe(funded)
  })

  testOnDevnet('version 0: accounts of a lookup table are returned as loaded addresses', async () => {
    const { connection, faucet } = chain
    const to = newAddress()
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      ...{ authority: faucet.publicKey, payer: faucet.publicKey },
      recentSlot: await connection.getSlot('confirmed'),
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      ...{ lookupTable: table, authority: faucet.publicKey, payer: faucet.publicKey, addresses: [to] },
    })
    await send(chain, [create, extend])
    const lookupTable = (await connection.getAddressLookupTable(table)).value
    if (!lookupTable) throw new Error('no table')
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({
      payerKey: faucet.publicKey,
      recentBlockhash: blockhash,
      instructions: [pay(chain, to, funded)],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message([lookupTable]))
    transaction.sign([faucet])
    const signature = await connection.sendTransaction(transaction)
    await devnet.control('mine')
    const { meta, version, slot } = await transactionOf(signature)
    expect([version, meta.loadedAddresses]).toEqual([0, { writable: [to], readonly: [] }])
    expect(await balance(to)).toBe(funded)
    expect((await rpc(devnet.rpcUrl, 'getBlock', [slot, { commitment: 'confirmed' }])).error).toMatchObject({
      code: -32015,
    })
  })

  testOnDevnet(
    'version 1: runs, states its own priority fee, and is served only to callers that support it',
    async () => {
      const to = newAddress()
      const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash()
      const signer = await createKeyPairSignerFromBytes(chain.faucet.secretKey)
      const empty = setTransactionMessageFeePayer(signer.address, createTransactionMessage({ version: 1 }))
      const alive = setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) },
        empty,
      )
      const transfer = pay(chain, to, funded)
      const filled = appendTransactionMessageInstruction(
        {
          programAddress: transfer.programId.toBase58() as Address,
          accounts: transfer.keys.map((key) => ({
            address: key.pubkey.toBase58() as Address,
            role: key.isSigner ? 3 : 1,
          })),
          data: Uint8Array.from(transfer.data),
        },
        alive,
      )
      const limited = setTransactionMessageLoadedAccountsDataSizeLimit(
        65_536,
        setTransactionMessageComputeUnitLimit(1000, filled),
      )
      const transaction = await signTransaction(
        [signer.keyPair],
        compileTransaction(setTransactionMessagePriorityFeeLamports(777n, limited)),
      )
      const wire = getBase64EncodedWireTransaction(transaction)
      const sent = await rpc(devnet.rpcUrl, 'sendTransaction', [
        wire,
        { encoding: 'base64', preflightCommitment: 'confirmed' },
      ])
      await devnet.control('mine')
      expect(await balance(to)).toBe(funded)
      for (const known of [{}, { maxSupportedTransactionVersion: 0 }])
        expect(
          (await rpc(devnet.rpcUrl, 'getTransaction', [sent.result, { commitment: 'confirmed', ...known }]))
            .error,
        ).toEqual({
          code: -32015,
          message:
            'Transaction version (1) is not supported by the requesting client. Please try the request again with the following ' +
            'configuration parameter: "maxSupportedTransactionVersion": 1',
        })
      const answer = await rpc(devnet.rpcUrl, 'getTransaction', [
        sent.result,
        { commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
      ])
      expect(answer.result).toMatchObject({ version: 1, meta: { fee: signatureFee + 777 } })
    },
  )
})

describe('confirmation', () => {
  testOnDevnet(
    'a transaction goes from processed to confirmed to finalized, and each commitment sees its own state',
    async () => {
      const to = newAddress()
      const transaction = await signed(chain, [pay(chain, to, funded)])
      const signature = await chain.connection.sendRawTransaction(transaction.serialize(), {
        preflightCommitment: 'confirmed',
      })
      const seen = async () => {
        const { value } = await chain.connection.getSignatureStatus(signature)
        const balances = (['processed', 'confirmed', 'finalized'] as const).map((commitment) =>
          chain.connection.getBalance(to, commitment),
        )
        return [
          value?.confirmationStatus,
          value?.confirmations,
          ...(await Promise.all(balances)).map((each) => each > 0),
        ]
      }
      expect(await seen()).toEqual(['processed', 0, true, false, false])
      expect(
        await chain.connection.getTransaction(signature, {
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 1,
        }),
      ).toBeNull()
      await devnet.control('mine')
      expect(await seen()).toEqual(['confirmed', 1, true, true, false])
      await devnet.control('mine', { count: 4 })
      expect(await seen()).toEqual(['finalized', null, true, true, true])
    },
  )

  test('the WebSocket notifies when a transaction is confirmed', async () => {
    const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash()
    const transaction = await signed(chain, [pay(chain, newAddress(), funded)])
    const signature = await chain.connection.sendRawTransaction(transaction.serialize(), {
      preflightCommitment: 'confirmed',
    })
    const confirmed = chain.connection.confirmTransaction(
      { signature, blockhash, lastValidBlockHeight },
      'confirmed',
    )
    await chain.settle(signature)
    expect((await confirmed).value.err).toBeNull()
  })

  testOnDevnet('the WebSocket notifies of new and final slots', async () => {
    const [slots, roots]: [number[], number[]] = [[], []]
    const ids = [
      chain.connection.onSlotChange(({ slot }) => slots.push(slot)),
      chain.connection.onRootChange((root) => roots.push(root)),
    ] as const
    await waitFor(
      'slot notifications',
      async () => (await devnet.control('mine')) && slots.length > 1 && roots.length > 1,
    )
    expect(slots).toEqual(slots.toSorted((a, b) => a - b))
    await Promise.all([
      chain.connection.removeSlotChangeListener(ids[0]),
      chain.connection.removeRootChangeListener(ids[1]),
    ])
  })
})

describe('history', () => {
  test('an address has its transactions, newest first', async () => {
    const to = newAddress()
    const first = await send(chain, [pay(chain, to, funded)])
    const second = await send(chain, [pay(chain, to, funded + 1)])
    const signatures = async (options: object) =>
      (await chain.connection.getSignaturesForAddress(to, options, 'confirmed')).map(
        ({ signature }) => signature,
      )
    expect(await signatures({})).toEqual([second, first])
    expect([
      await signatures({ limit: 1 }),
      await signatures({ before: second }),
      await signatures({ until: first }),
    ]).toEqual([[second], [first], [second]])
  })

  test('a block is returned in full, by accounts, by signatures or without transactions', async () => {
    const signature = await send(chain, payToken(chain, newAddress(), usdc, 5n))
    const { slot } = await transactionOf(signature)
    const shared = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 } as const
    const [full, accounts, signatures, withoutTransactions] = await Promise.all([
      chain.connection.getBlock(slot, shared),
      chain.connection.getBlock(slot, { ...shared, transactionDetails: 'accounts' }),
      chain.connection.getBlockSignatures(slot, 'confirmed'),
      chain.connection.getBlock(slot, { ...shared, transactionDetails: 'none', rewards: false }),
    ])
    expect(full?.transactions.some((each) => each.transaction.signatures[0] === signature)).toBe(true)
    expect(
      accounts?.transactions.find((each) => each.transaction.signatures[0] === signature)?.meta?.fee,
    ).toBe(signatureFee)
    expect(signatures.signatures).toContain(signature)
    expect(withoutTransactions).toMatchObject({
      blockhash: full?.blockhash,
      parentSlot: full?.parentSlot,
      previousBlockhash: full?.previousBlockhash,
    })
    expect(await chain.connection.getBlocks(slot, slot, 'confirmed')).toEqual([slot])
  })

  test('a parsed transaction names its transfer', async () => {
    const owner = newAddress()
    const signature = await send(chain, payToken(chain, owner, usdc, 7n))
    const parsed = await chain.connection.getParsedTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    expect(parsed?.transaction.message.instructions[1]).toMatchObject({
      program: 'spl-token',
      parsed: { type: 'transferChecked', info: { tokenAmount: { amount: '7' } } },
    })
    const held = await chain.connection.getParsedTokenAccountsByOwner(owner, { mint: usdc }, 'confirmed')
    expect(held.value.map((each) => each.account.data.parsed.info.tokenAmount.amount)).toEqual(['7'])
  })

  test('getBlock refuses the commitment processed', async () => {
    const { error } = await rpc(chain.connection.rpcEndpoint, 'getBlock', [1, { commitment: 'processed' }])
    expect(error).toEqual({ code: -32602, message: 'Method does not support commitment below `confirmed`' })
  })
})
