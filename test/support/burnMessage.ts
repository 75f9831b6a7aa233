import type { BridgeRequest } from '../../src/bridge/bridgeRow.ts'
import type { MessageHex } from '../../src/chains/cctpMessage.ts'

const number = (value: number | bigint, bytes: number) => value.toString(16).padStart(bytes * 2, '0')
const word = (text: MessageHex) => text.slice(2)

/** The message of a burn, as Circle signs it. */
export function burnMessage(
  request: BridgeRequest,
  { amount = request.amount, nonce = 99n } = {},
): MessageHex {
  const head = [
    number(1, 4),
    number(request.sourceDomain, 4),
    number(request.destinationDomain, 4),
    number(nonce, 32),
  ]
  const parties = [
    word(request.sourceMessenger),
    word(request.destinationMessenger),
    number(0, 32),
    number(1000, 4),
    number(1000, 4),
  ]
  const body = [number(1, 4), word(request.burnToken), word(request.mintRecipient), number(amount, 32)]
  const fees = [word(request.sourceWord), number(request.maxFee, 32), number(32_501, 32), number(0, 32)]
  return `0x${[...head, ...parties, ...body, ...fees].join('')}`
}
