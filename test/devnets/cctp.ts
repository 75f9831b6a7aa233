import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseUnits,
  toHex,
  zeroAddress,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { compileContracts } from './compile.ts'
import { type CctpContracts, compileCctp } from './compileCctp.ts'
import { batch, type EvmChainName, type EvmDevnet, rpc } from './evm.ts'

/**
 * Circle's numbers of the chains (developers.circle.com/cctp, "Domains"). Repeated here, so that mistakes in
 * the registry show.
 */
export const cctpDomains = { ethereum: 0, optimism: 2, arbitrum: 3, solana: 5, base: 6, polygon: 7 } as const
export type CctpChainName = keyof typeof cctpDomains

/** Both sign every message, as on the mainnets. Publicly known, worthless outside a devnet. */
export const attesters = [keccak256(toHex('attester 1')), keccak256(toHex('attester 2'))].map((key) =>
  privateKeyToAccount(key),
)
/** Where fees go. */
export const feeRecipient = privateKeyToAccount(
  keccak256(toHex('fees of circle')),
).address.toLowerCase() as Address

/**
 * Deploys and owns the contracts. Its nonces start at 0 on each chain, so that they have the same addresses
 * there, as on the mainnets.
 */
const deployer = privateKeyToAccount(keccak256(toHex('deployer of cctp')))

const addressAt = (nonce: bigint) =>
  getContractAddress({ from: deployer.address, nonce }).toLowerCase() as Address
export const messageTransmitter = addressAt(1n)
export const tokenMessenger = addressAt(4n)
const tokenMinter = addressAt(2n)

/** Messages and their bodies of CCTP v2 are of version 1. */
const version = 1
/** In whole tokens, as on the mainnets. */
export const burnLimit = '10000000'

/** A chain that devnets exchange USDC with. */
export interface CctpPeer {
  domain: number
  /** 32 bytes. */
  tokenMessenger: Hex
  usdc: Hex
}

export const word = (address: Address): Hex => pad(address, { size: 32 })
export const hasRoute = (chain: string): chain is CctpChainName => chain in cctpDomains
type BridgedDevnet = EvmDevnet & { chain: EvmChainName & CctpChainName }

/**
 * Deploys CCTP v2 on devnets and links them with each other, and with other peers. What is there already
 * stays.
 */
export async function startCctp(
  devnets: readonly EvmDevnet[],
  others: readonly CctpPeer[] = [],
): Promise<void> {
  const bridged = devnets.filter((each): each is BridgedDevnet => hasRoute(each.chain))
  const peers = bridged.map(({ chain, usdc }) => ({
    domain: cctpDomains[chain],
    tokenMessenger: word(tokenMessenger),
    usdc: word(usdc),
  }))
  const compiled = await compileCctp()
  await Promise.all(
    bridged.map(async (devnet) => {
      await deploy(devnet, compiled)
      const mine = cctpDomains[devnet.chain]
      const remote = [...peers, ...others].filter(({ domain }) => domain !== mine)
      await link(devnet, compiled, remote)
    }),
  )
}

/** Variables that make Cowry use them. */
export const cctpEnv = (chain: string): Record<string, string> => ({
  [`${chain.toUpperCase()}_CCTP_TOKEN_MESSENGER`]: tokenMessenger,
  [`${chain.toUpperCase()}_CCTP_MESSAGE_TRANSMITTER`]: messageTransmitter,
})

async function deploy(devnet: BridgedDevnet, compiled: CctpContracts): Promise<void> {
  const { rpcUrl, usdc, decimals } = devnet
  if ((await rpc(rpcUrl, 'eth_getCode', [tokenMessenger, 'latest'])) !== '0x') return
  await rpc(rpcUrl, 'anvil_setBalance', [deployer.address, toHex(10n ** 21n)])
  const data = (name: keyof CctpContracts, args: unknown[]) => encodeDeployData({ ...compiled[name], args })
  const { MessageTransmitterV2, TokenMessengerV2, TokenMinterV2 } = compiled
  const owner = deployer.address
  const signers = attesters.map(({ address }) => address)
  const initTransmitter = callOf(MessageTransmitterV2.abi, 'initialize', [
    owner,
    owner,
    owner,
    owner,
    signers,
    2n,
    8192n,
  ])
  const roles = {
    owner,
    rescuer: owner,
    feeRecipient,
    denylister: owner,
    tokenMinter,
    minFeeController: owner,
  }
  const initMessenger = callOf(TokenMessengerV2.abi, 'initialize', [roles, 0n, [], []])
  const admin = privateKeyToAccount(keccak256(toHex('admin of proxies'))).address
  await send(devnet, deployer, [
    { data: data('MessageTransmitterV2', [cctpDomains[devnet.chain], version]) },
    { data: data('AdminUpgradableProxy', [addressAt(0n), admin, initTransmitter]) },
    { data: data('TokenMinterV2', [owner]) },
    { data: data('TokenMessengerV2', [messageTransmitter, version]) },
    { data: data('AdminUpgradableProxy', [addressAt(3n), admin, initMessenger]) },
    { to: tokenMinter, data: callOf(TokenMinterV2.abi, 'addLocalTokenMessenger', [tokenMessenger]) },
    {
      to: tokenMinter,
      data: callOf(TokenMinterV2.abi, 'setMaxBurnAmountPerMessage', [usdc, parseUnits(burnLimit, decimals)]),
    },
  ])
  const minterAbi = compileContracts().TestUSDC.abi
  await send(devnet, privateKeyToAccount(devnet.faucetPrivateKey), [
    { to: usdc, data: callOf(minterAbi, 'configureMinter', [tokenMinter, 2n ** 256n - 1n]) },
  ])
}

async function link(
  devnet: BridgedDevnet,
  { TokenMessengerV2, TokenMinterV2 }: CctpContracts,
  peers: readonly CctpPeer[],
): Promise<void> {
  const { rpcUrl, usdc } = devnet
  const read = (to: Address, data: Hex) => rpc(rpcUrl, 'eth_call', [{ to, data }, 'latest']) as Promise<Hex>
  const wanted: { to: Address; data: Hex }[] = []
  for (const { domain, tokenMessenger: peer, usdc: token } of peers) {
    const known = await read(tokenMessenger, callOf(TokenMessengerV2.abi, 'remoteTokenMessengers', [domain]))
    if (BigInt(known) === 0n)
      wanted.push({
        to: tokenMessenger,
        data: callOf(TokenMessengerV2.abi, 'addRemoteTokenMessenger', [domain, peer]),
      })
    const linked = await read(tokenMinter, callOf(TokenMinterV2.abi, 'getLocalToken', [domain, token]))
    if (BigInt(linked) === BigInt(zeroAddress))
      wanted.push({
        to: tokenMinter,
        data: callOf(TokenMinterV2.abi, 'linkTokenPair', [usdc, domain, token]),
      })
  }
  if (wanted.length > 0) await send(devnet, deployer, wanted)
}

const callOf = (abi: Abi, functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

/** Sends all transactions in one block. */
async function send(
  { chain, chainId, rpcUrl }: EvmDevnet,
  account: PrivateKeyAccount,
  calls: readonly { to?: Address; data: Hex }[],
): Promise<void> {
  const first = Number(await rpc(rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']))
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
  const signed = await Promise.all(
    calls.map((call, i) =>
      account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: first + i,
        gas: call.to ? 200_000n : 4_000_000n,
        ...fees,
        ...call,
      }),
    ),
  )
  const sent = await batch(
    rpcUrl,
    signed.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  )
  await rpc(rpcUrl, 'evm_mine', [])
  const receipts = await batch(
    rpcUrl,
    sent.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const failed = receipts.findIndex((receipt) => (receipt as { status: Hex } | null)?.status !== '0x1')
  if (failed >= 0) throw new Error(`CCTP on ${chain}: transaction ${failed} failed`)
}
