const maxCharacters = 200

/**
 * Why a transaction failed, in words.
 * @param err as nodes tell it: a name, or an object of one key (Solana docs, "Transaction errors")
 * @param logs of the programs, where they are known: the one that failed often says why
 */
export function wordsOf(err: unknown, logs: unknown): string {
  const said = Array.isArray(logs) ? logs.flatMap((line) => /^Program log: Error: (.+)$/.exec(String(line))?.[1] ?? []).at(-1) : undefined
  return `${nameOf(err)}${said ? ` (${said})` : ''}`.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, maxCharacters)
}

function nameOf(err: unknown): string {
  if (typeof err === 'string') return inWords(err)
  const [kind, value] = Object.entries(err ?? {})[0] ?? ['unknown error', null]
  if (kind !== 'InstructionError' || !Array.isArray(value)) return inWords(kind)
  const [index, reason] = value as [unknown, unknown]
  return `instruction ${Number(index) + 1}: ${reasonOf(reason)}`
}

function reasonOf(reason: unknown): string {
  if (typeof reason === 'string') return inWords(reason)
  const [kind, value] = Object.entries(reason ?? {})[0] ?? ['unknown error', null]
  return kind === 'Custom' ? `custom program error 0x${Number(value).toString(16)}` : inWords(kind)
}

/** `AccountNotFound` is `account not found`. */
const inWords = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
