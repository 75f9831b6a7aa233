import { finality, type ReceivedMessage } from '../chains/bridging.ts'
import { type BridgeMessage, zeroWord } from '../chains/cctpMessage.ts'
import type { BridgeRequest } from './bridgeRow.ts'

/** Messages and their bodies of CCTP v2. */
const version = 1

/**
 * Checks that a message is of the burn of a transfer: the burn itself has no nonce, so only its fields join
 * the two.
 * @returns the first field that differs; null if it is
 */
export function wrongField(message: BridgeMessage, request: BridgeRequest): string | null {
  const expected: Partial<BridgeMessage> = {
    version,
    destinationDomain: request.destinationDomain,
    recipient: request.destinationMessenger,
    destinationCaller: zeroWord,
    minFinality: finality[request.speed],
  }
  return differing(message, expected) ?? wrongFieldOfMint(message, request)
}

/** The same for a message that was minted: the event of a mint has fewer fields. */
export function wrongFieldOfMint(message: ReceivedMessage, request: BridgeRequest): string | null {
  const wrong = differing(message, {
    bodyVersion: version,
    sourceDomain: request.sourceDomain,
    sender: request.sourceMessenger,
    burnToken: request.burnToken,
    mintRecipient: request.mintRecipient,
    amount: request.amount,
    messageSender: request.sourceWord,
    maxFee: request.maxFee,
    hook: request.hook,
  })
  if (wrong !== null) return wrong
  if (message.feeExecuted > request.maxFee) return 'feeExecuted'
  if (message.executedFinality < finality[request.speed]) return 'executedFinality'
  return message.nonce === zeroWord ? 'nonce' : null
}

function differing<Message extends object>(message: Message, expected: Partial<Message>): string | null {
  for (const [name, value] of Object.entries(expected))
    if (message[name as keyof Message] !== value) return name
  return null
}
