import { base58 } from '@scure/base'
import { getAccount, getAssociatedTokenAddressSync, getMint } from '@solana/spl-token'
import { Connection, Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { type Address, erc20Abi, type Hex, parseEther } from 'viem'
import type { BridgeView } from '../../src/bridge/presentBridge.ts'
import { bridgeActions } from '../../src/chains/bridgeActions.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import { callInstructions } from '../../src/chains/solana/send/callInstructions.ts'
import { messageTransmitter } from '../devnets/cctp.ts'
import { sendSol } from '../devnets/customers/solana.ts'
import { transmitterAbi } from '../devnets/forwardMints.ts'
import { cctpTable, feeAccount, pdas } from '../devnets/solana/cctpState.ts'
import { fund, newPayer, type Payer } from './payers.ts'
import { createStack, type Stack, type StackOptions } from './stack.ts'
import { waitFor } from './waitFor.ts'

/**
 * A stack whose EVM chains have Circle's contracts, and whose treasury has coin there. No indexer: workers
 * follow what is sent.
 */
export async function startBridgeStack(chains: ChainName[], options: StackOptions = {}): Promise<Stack> {
  const stack = await createStack({
    chains,
    bridge: true,
    processes: ['treasury', 'api', 'worker'],
    ...options,
  })
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  const [solana] = await stack.db.query<{ address: string }>(
    "select address from treasury_addresses where family = 'solana'",
  )
  for (const chain of chains) {
    if (chain === 'solana') {
      await sendSol(stack.other('solana'), solana?.address ?? '', 1_000_000_000n)
      await stack.mine(1, chain)
      continue
    }
    await stack.sendNative(row?.address ?? '0x', parseEther('1'), { chain })
    await stack.mine(1, chain)
  }
  return stack
}

/** A stored wallet with coin and USDC. */
export async function bridgeWallet(
  stack: Stack,
  chain: ChainName,
  usdc = '1000',
  native = '10',
): Promise<Payer & { walletId: string }> {
  const payer = newPayer(chain)
  await fund(stack, payer, { native, USDC: usdc })
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
    chain,
    privateKey: payer.privateKey,
  })
  if (status !== 201) throw new Error(`no wallet: ${status}`)
  return { ...payer, walletId: body.id }
}

/** USDC of an address, in base units. */
export async function usdcOn(stack: Stack, chain: ChainName, address: string): Promise<bigint> {
  if (chain === 'solana') return heldOnSolana(stack, address)
  return stack.client(chain).readContract({
    address: stack.devnets.get(chain)?.usdc ?? '0x',
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address as Address],
  })
}

export async function supplyOn(stack: Stack, chain: ChainName): Promise<bigint> {
  if (chain === 'solana') return supplyOnSolana(stack)
  return stack.client(chain).readContract({
    address: stack.devnets.get(chain)?.usdc ?? '0x',
    abi: erc20Abi,
    functionName: 'totalSupply',
  })
}

const solanaOf = (stack: Stack) => {
  const { rpcUrl, wsUrl, usdc, faucetPrivateKey } = stack.other('solana')
  const connection = new Connection(rpcUrl, { commitment: 'confirmed', wsEndpoint: wsUrl })
  return {
    connection,
    usdc: new PublicKey(usdc),
    faucet: Keypair.fromSecretKey(base58.decode(faucetPrivateKey)),
  }
}

async function heldOnSolana(stack: Stack, owner: string): Promise<bigint> {
  const { connection, usdc } = solanaOf(stack)
  const account = getAssociatedTokenAddressSync(usdc, new PublicKey(owner), true)
  const exists = (await connection.getAccountInfo(account, 'confirmed')) !== null
  return exists ? (await getAccount(connection, account, 'confirmed')).amount : 0n
}

/** Circle's program mints out of its custody, which is no one's. */
async function supplyOnSolana(stack: Stack): Promise<bigint> {
  const { connection, usdc } = solanaOf(stack)
  const [{ supply }, custody] = await Promise.all([
    getMint(connection, usdc, 'confirmed'),
    getAccount(connection, pdas.custody.address, 'confirmed'),
  ])
  return supply - custody.amount
}

/** Another sender mints on Solana, for these owners: a message names only their token accounts. */
export function mintOnSolana(
  stack: Stack,
  owners: () => readonly string[],
): (message: Hex, attestation: Hex) => Promise<string> {
  return async (message, attestation) => {
    const { connection, usdc, faucet } = solanaOf(stack)
    const recipient = new PublicKey(Buffer.from(message.slice(2 + 2 * 184, 2 + 2 * 216), 'hex'))
    const owner = owners().find((each) =>
      getAssociatedTokenAddressSync(usdc, new PublicKey(each), true).equals(recipient),
    )
    if (owner === undefined) throw new Error('the owner of the recipient is not known')
    const actions = await bridgeActions(registeredChain('solana'))
    const token = { contract: usdc.toBase58(), symbol: 'USDC', decimals: 6 }
    const mint = actions?.mint(faucet.publicKey.toBase58(), {
      message,
      attestation,
      to: { owner, token, feeAccount: feeAccount.toBase58() },
    })
    const table = (await connection.getAddressLookupTable(cctpTable)).value
    if (!mint || !table) throw new Error('solana has a bridge')
    const { blockhash: recentBlockhash } = await connection.getLatestBlockhash('confirmed')
    const compiled = new TransactionMessage({
      payerKey: faucet.publicKey,
      recentBlockhash,
      instructions: callInstructions(mint),
    })
    const transaction = new VersionedTransaction(compiled.compileToV0Message([table]))
    transaction.sign([faucet])
    return connection.sendTransaction(transaction, { preflightCommitment: 'confirmed' })
  }
}

export const bridgeStatus = async (stack: Stack, id: string): Promise<BridgeView> =>
  (await stack.api<BridgeView>('GET', `/bridge/transfer/${id}/status`)).body

/** Mines on all chains until a transfer has this status. */
export async function bridgeIs(
  stack: Stack,
  id: string,
  status: BridgeView['status'],
  withinMs = 60_000,
): Promise<BridgeView> {
  let seen: BridgeView | undefined
  const ask = async () => {
    for (const chain of stack.chains) await stack.mine(1, chain)
    seen = await bridgeStatus(stack, id)
    return seen.status === status
  }
  await waitFor(`bridge transfer ${id} is ${status}`, ask, withinMs).catch((error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(seen)}\n${stack.troubles()}`)
  })
  if (!seen) throw new Error('never seen')
  return seen
}

/** Another party mints on a chain, one message after another: each sends the next nonce. */
export function mintOn(stack: Stack, chain: ChainName): (message: Hex, attestation: Hex) => Promise<Hex> {
  let last: Promise<unknown> = Promise.resolve()
  return (message, attestation) => {
    const call = {
      address: messageTransmitter,
      abi: transmitterAbi,
      functionName: 'receiveMessage',
      args: [message, attestation],
    } as const
    const sent = last.then(() => stack.wallet(chain).writeContract({ ...call, gas: 500_000n }))
    last = sent.catch(() => {})
    return sent
  }
}
