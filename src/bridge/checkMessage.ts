import { finality } from '../chains/bridging.ts'
import { type BridgeMessage, zeroWord } from '../chains/cctpMessage.ts'
import type { BridgeRequest } from './bridgeRow.ts'

/** Messages and their bodies of CCTP v2. */
const version = 1

/**
 * Checks that a message is of the burn of a transfer: the burn itself has no nonce, so nothing else joins the two.
 * @returns the first field that differs; null if it is
 */
export function wrongField(message: BridgeMessage, request: BridgeRequest): string | null {
  const expected: Partial<BridgeMessage> = {
    version,
    bodyVersion: version,
    sourceDomain: request.sourceDomain,
    destinationDomain: request.destinationDomain,
    sender: request.sourceMessenger,
    recipient: request.destinationMessenger,
    destinationCaller: zeroWord,
    minFinality: finality[request.speed],
    burnToken: request.burnToken,
    mintRecipient: request.mintRecipient,
    amount: request.amount,
    messageSender: request.sourceWord,
    maxFee: request.maxFee,
    hook: request.hook,
  }
  for (const [name, value] of Object.entries(expected)) if (message[name as keyof BridgeMessage] !== value) return name
  if (message.feeExecuted > request.maxFee) return 'feeExecuted'
  if (message.executedFinality < finality[request.speed]) return 'executedFinality'
  return message.nonce === zeroWord ? 'nonce' : null
}
