import type { BridgeActions } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'

/**
 * The hook by which Circle mints by itself (developers.circle.com/cctp, "Forwarding service"): its name in 24
 * bytes, a version, and the length of what follows: nothing, or 1 and the owner of the token account that
 * Circle opens.
 * @param destination of the chain where it mints
 */
export function forwardHook(
  { wordOf, recipientOf }: Pick<BridgeActions, 'wordOf' | 'recipientOf'>,
  owner: string,
): MessageHex {
  const more = recipientOf ? `01${wordOf(owner).slice(2)}` : ''
  const name = Buffer.from('cctp-forward').toString('hex').padEnd(48, '0')
  return `0x${name}${number(0)}${number(more.length / 2)}${more}`
}

const number = (value: number): string => value.toString(16).padStart(8, '0')
