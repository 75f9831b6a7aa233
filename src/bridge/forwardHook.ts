import type { MessageHex } from '../chains/cctpMessage.ts'

/**
 * The hook by which Circle mints by itself (developers.circle.com/cctp, "Forwarding service"): its name in 24 bytes, a version, and the length of what
 * follows: nothing.
 */
export const forwardHook: MessageHex = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(48, '0')}${'0'.repeat(16)}`
