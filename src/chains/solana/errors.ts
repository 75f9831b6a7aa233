const maxCharacters = 200

/**
 * Describes why a transaction failed.
 * @param err as nodes report it: a name, or an object with one key (Solana docs, "Transaction errors")
 * @param logs of the programs if known; the failed program often logs the reason
 */
export function describeError(err: unknown, logs: unknown): string {
  const logged = Array.isArray(logs)
    ? logs.flatMap((line) => /^Program log: Error: (.+)$/.exec(String(line))?.[1] ?? []).at(-1)
    : undefined
  return `${describeKind(err)}${logged ? ` (${logged})` : ''}`
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, maxCharacters)
}

function describeKind(err: unknown): string {
  if (typeof err === 'string') return spaced(err)
  const [kind, value] = Object.entries(err ?? {})[0] ?? ['unknown error', null]
  if (kind !== 'InstructionError' || !Array.isArray(value)) return spaced(kind)
  const [index, reason] = value as [unknown, unknown]
  return `instruction ${Number(index) + 1}: ${describeReason(reason)}`
}

function describeReason(reason: unknown): string {
  if (typeof reason === 'string') return spaced(reason)
  const [kind, value] = Object.entries(reason ?? {})[0] ?? ['unknown error', null]
  return kind === 'Custom' ? `custom program error 0x${Number(value).toString(16)}` : spaced(kind)
}

/** Turns `AccountNotFound` into `account not found`. */
const spaced = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
