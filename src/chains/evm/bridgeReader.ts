import type { Address } from 'viem'
import { encodeEventTopics, encodeFunctionData } from 'viem/utils'
import type { BridgeReader, MessageHex, MintProblem } from '../bridging.ts'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Cctp } from '../registry.ts'
import { blacklistAbi, messageTransmitterAbi, tokenMessengerAbi, tokenMinterAbi } from './bridgeAbi.ts'
import { evmBridgeActions } from './bridgeActions.ts'
import { quantity, tryCall } from './refusals.ts'
import { hex } from './rpcTypes.ts'
import type { EvmSenderContext } from './senderContext.ts'
import { wordOf } from './tokenCalls.ts'

/** Nodes limit the blocks of a request for logs; so many requests look for a mint. */
const [blocksAtOnce, maxRequests] = [1000, 20]

/** Reads CCTP v2 from the nodes of an EVM chain. */
export function evmBridgeReader(ctx: EvmSenderContext, cctp: Cctp): BridgeReader {
  const { providers, chain } = ctx
  const { tokenMessenger, messageTransmitter } = cctp
  const actions = evmBridgeActions({ ...chain, cctp })
  const ask = async <T>(what: (rpc: JsonRpc) => Promise<T | null>): Promise<T> => {
    const found = await providers.ask(what)
    if (found === null) throw new ProviderError(`no provider of ${chain.name} answered about the bridge`)
    return found
  }
  return {
    minFee: (amount) =>
      ask(async (rpc) => {
        const data = encodeFunctionData({ abi: tokenMessengerAbi, functionName: 'getMinFeeAmount', args: [amount] })
        const tried = await tryCall(() => rpc.call('eth_call', [{ to: tokenMessenger, data }, 'latest']))
        // Before version 2.1 the contract had no least fee.
        return 'failed' in tried ? 0n : numberOf(rpc, tried.answered)
      }),
    burnLimit: ({ contract }) =>
      ask(async (rpc) => {
        const minterCall = encodeFunctionData({ abi: tokenMessengerAbi, functionName: 'localMinter' })
        const minter = numberOf(rpc, await rpc.call('eth_call', [{ to: tokenMessenger, data: minterCall }, 'latest']))
        const to = `0x${minter.toString(16).padStart(40, '0')}`
        const data = encodeFunctionData({ abi: tokenMinterAbi, functionName: 'burnLimitsPerMessage', args: [contract as Address] })
        return numberOf(rpc, await rpc.call('eth_call', [{ to, data }, 'latest']))
      }),
    isBlocked: ({ contract }, address) =>
      ask(async (rpc) => {
        const data = encodeFunctionData({ abi: blacklistAbi, functionName: 'isBlacklisted', args: [address as Address] })
        const tried = await tryCall(() => rpc.call('eth_call', [{ to: contract, data }, 'latest']))
        // A token without such a list blocks nobody.
        return { blocked: !('failed' in tried) && tried.answered !== '0x' && numberOf(rpc, tried.answered) !== 0n }
      }).then(({ blocked }) => blocked),
    mintProblem: (from, signed) =>
      ask(async (rpc) => {
        const [call] = actions.mint(from, signed).calls
        const tried = await tryCall(() => rpc.call('eth_call', [{ from, to: call?.to, data: call?.data }, 'latest']))
        return { problem: 'failed' in tried ? problemOf(tried.failed) : null }
      }).then(({ problem }) => problem),
    usedIn: (nonce) =>
      ask(async (rpc) => {
        if (!(await isUsed(rpc, messageTransmitter, nonce, 'latest'))) return 'nowhere'
        return (await isUsed(rpc, messageTransmitter, nonce, await confirmedBlock(rpc, chain))) ? 'confirmed' : 'newest'
      }),
    findMint: (nonce, hint) =>
      ask(async (rpc) => {
        const hinted = hint !== null && (await isMint(rpc, messageTransmitter, nonce, hint)) ? hint : null
        return { txId: hinted ?? (await findLog(rpc, messageTransmitter, nonce)) }
      }).then(({ txId }) => txId),
  }
}

function problemOf(reason: string): MintProblem {
  if (/nonce already used/i.test(reason)) return 'used'
  return /message expired/i.test(reason) ? 'expired' : { refused: reason }
}

function numberOf(rpc: JsonRpc, answered: unknown): bigint {
  const value = wordOf(answered)
  if (value === null) throw new ProviderError(`${rpc.name}: the bridge's contract did not answer with a number`)
  return value
}

async function isUsed(rpc: JsonRpc, to: string, nonce: MessageHex, block: string): Promise<boolean> {
  const data = encodeFunctionData({ abi: messageTransmitterAbi, functionName: 'usedNonces', args: [nonce] })
  const answered = await rpc.call('eth_call', [{ to, data }, block])
  // The contract may be younger than the block.
  return answered !== '0x' && numberOf(rpc, answered) !== 0n
}

/** The newest block that is confirmed by the chain's rule. */
async function confirmedBlock(rpc: JsonRpc, { byFinalizedTag, confirmations }: EvmSenderContext['chain']): Promise<string> {
  if (byFinalizedTag) return 'finalized'
  const head = Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
  return hex(Math.max(head - confirmations + 1, 0))
}

const topicsOf = (nonce: MessageHex) => encodeEventTopics({ abi: messageTransmitterAbi, eventName: 'MessageReceived', args: { nonce } })

interface Log {
  address: string
  topics: string[]
  transactionHash: string
}

/** A node may name any transaction: its logs must be of the mint. */
async function isMint(rpc: JsonRpc, transmitter: string, nonce: MessageHex, txId: string): Promise<boolean> {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [txId])) as { logs?: Log[] } | null
  return (receipt?.logs ?? []).some((log) => isOfMint(log, transmitter, nonce))
}

function isOfMint({ address, topics }: Log, transmitter: string, nonce: MessageHex): boolean {
  const [event] = topicsOf(nonce)
  return address.toLowerCase() === transmitter && topics[0] === event && topics[2] === nonce
}

async function findLog(rpc: JsonRpc, address: string, nonce: MessageHex): Promise<string | null> {
  let to = Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
  const topics = topicsOf(nonce)
  for (let i = 0; i < maxRequests && to >= 0; i++, to -= blocksAtOnce) {
    const range = { fromBlock: hex(Math.max(to - blocksAtOnce + 1, 0)), toBlock: hex(to) }
    const logs = (await rpc.call('eth_getLogs', [{ address, topics, ...range }])) as Log[]
    const found = logs.find((log) => isOfMint(log, address, nonce))
    if (found) return found.transactionHash
  }
  return null
}
