import { createHash } from 'node:crypto'

/** So many transactions of the treasury mint one burn: a first one, and others after one that failed, such as for a message that expired. */
export const maxMints = 5

/** The id of a transfer's nth mint (UUID version 8, RFC 9562): the treasury works it out, too. */
export function mintId(transferId: string, n: number): string {
  const bytes = createHash('sha256').update(`cowry bridge mint ${transferId} ${n}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const mintIdsOf = (transferId: string): string[] => Array.from({ length: maxMints }, (_, n) => mintId(transferId, n))
export const isMintOf = (transferId: string, intentId: string): boolean => mintIdsOf(transferId).includes(intentId)
