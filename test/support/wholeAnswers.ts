import type { Random } from '../promises/foreignBytes/mutate.ts'
import { type Change, formChanges, oddChangesOf } from './answerChanges.ts'
import { knownOfLight, type LightAnswer, type LightTransaction, plainChanges } from './lightAnswers.ts'

/**
 * Answers to `getBlock` with `transactionDetails: full`, made of those with accounts alone, and changes of
 * them.
 */

/** Text as programs log it. Nothing of it is read. */
const logs = ['Program log: "quoted" \\ é 漢 \u2028', 'Program data: AAAA', '\u0001\n']

/** @param loaded accounts at the end that came from lookup tables, the first half of them writable */
export function wholeTransaction({ meta, transaction, ...rest }: LightTransaction, loaded = 0): object {
  const keys = transaction.accountKeys.map(({ pubkey }) => pubkey)
  const [own, tables] = [keys.slice(0, keys.length - loaded), keys.slice(keys.length - loaded)]
  const half = Math.ceil(tables.length / 2)
  return {
    meta: {
      ...meta,
      innerInstructions: [],
      loadedAddresses: { readonly: tables.slice(half), writable: tables.slice(0, half) },
      logMessages: logs,
    },
    transaction: {
      message: { accountKeys: own, header: {}, instructions: [] },
      signatures: transaction.signatures,
    },
    ...rest,
  }
}

export const wholeAnswer = ({ result, ...rest }: LightAnswer, random: Random): object => ({
  ...rest,
  result: {
    ...result,
    transactions: result.transactions.map((each) =>
      wholeTransaction(each, random.below(each.transaction.accountKeys.length + 1)),
    ),
  },
})

const known = new Set([...knownOfLight, 'message', 'loadedAddresses', 'writable', 'readonly'])

const { spaces: _, order: __, ...plainContents } = plainChanges

/** Nodes may answer so: the reader of bytes should understand it. */
export const plainWholeChanges: Record<string, Change<LightAnswer>> = {
  ...Object.fromEntries(
    Object.entries(plainContents).map(([name, change]): [string, Change<LightAnswer>] => [
      name,
      (answer, random) =>
        JSON.stringify(wholeAnswer(JSON.parse(String(change(answer, random))) as LightAnswer, random)),
    ]),
  ),
  ...onWhole(formChanges),
}

/** Most of these are refused, by both readers or by that of bytes alone. */
export const oddWholeChanges: Record<string, Change<LightAnswer>> = onWhole(oddChangesOf(known))

function onWhole(changes: Record<string, Change<unknown>>): Record<string, Change<LightAnswer>> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]): [string, Change<LightAnswer>] => [
      name,
      (answer, random) => change(wholeAnswer(answer, random), random),
    ]),
  )
}
