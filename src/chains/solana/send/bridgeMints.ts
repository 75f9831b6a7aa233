import { base58 } from '@scure/base'
import type { Mints, ReceivedMessage } from '../../bridging.ts'
import { decodeMessage } from '../../cctpMessage.ts'
import { ProviderError } from '../../chain.ts'
import { agreedBy, sufficing } from '../../providers/agreeOutcome.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { everyAnswer } from '../../providers/queryEvery.ts'
import { commitment, highestVersion } from '../read/header.ts'
import { receivedMessage } from './bridgeActions.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { transferOutcome } from './transferOutcome.ts'

/** 64 bytes in base58: a node refuses any other text. */
const signatureForm = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/**
 * Reads the mints of a transaction: its calls of `receive_message`, which fail as a whole or mint. Its slot
 * and standing are agreed as those of own transactions; its calls count as two providers report them, or the
 * one that suffices.
 */
export async function mintsIn(ctx: SolanaSenderContext, transmitter: string, txId: string): Promise<Mints> {
  if (!signatureForm.test(txId)) return { standing: 'absent', messages: [] }
  const outcome = await transferOutcome(ctx, [{ txId, nonce: null, expiry: null }])
  if (outcome.status !== 'included' || !outcome.succeeded) return { standing: 'absent', messages: [] }
  if (outcome.standing === 'seen') return { standing: 'seen', messages: [] }
  const reports = await everyAnswer(ctx.providers, async (rpc) => ({
    source: rpc.name,
    answer: await callsIn(rpc, transmitter, txId),
  }))
  const agreed = agreedBy(reports, JSON.stringify, sufficing(ctx.providers))
  return {
    standing: agreed === null ? 'seen' : outcome.standing,
    messages: (agreed ?? []).flatMap(messageOf),
  }
}

/** As one provider reports them. */
export const messagesIn = async (
  rpc: JsonRpc,
  transmitter: string,
  txId: string,
): Promise<ReceivedMessage[]> => (await callsIn(rpc, transmitter, txId)).flatMap(messageOf)

interface Instruction {
  programIdIndex?: number
  data?: string
}

interface Answered {
  meta?: {
    err?: unknown
    innerInstructions?: { instructions?: Instruction[] }[] | null
    loadedAddresses?: { writable?: string[]; readonly?: string[] }
  } | null
  transaction?: { message?: { accountKeys?: string[]; instructions?: Instruction[] } }
}

/** Messages that a transaction gives to the transmitter, by itself or by another program; in hex. */
async function callsIn(rpc: JsonRpc, transmitter: string, txId: string): Promise<string[]> {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: highestVersion }
  const { meta, transaction } = ((await rpc.call('getTransaction', [txId, options])) as Answered | null) ?? {}
  if (!meta || meta.err !== null) return []
  const { accountKeys = [], instructions = [] } = transaction?.message ?? {}
  const accounts = [
    ...accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ]
  const inner = meta.innerInstructions?.flatMap((each) => each.instructions ?? []) ?? []
  return [...instructions, ...inner].flatMap(({ programIdIndex, data }) => {
    if (programIdIndex === undefined || accounts[programIdIndex] !== transmitter || typeof data !== 'string')
      return []
    const message = receivedMessage(bytesOf(rpc, data))
    return message === null ? [] : [message]
  })
}

function bytesOf(rpc: JsonRpc, text: string): Buffer {
  try {
    return Buffer.from(base58.decode(text))
  } catch {
    throw new ProviderError(`${rpc.name} returned an instruction that is not base58`)
  }
}

function messageOf(text: string): ReceivedMessage[] {
  const message = decodeMessage(text)
  return message ? [message] : []
}
