import type { Terms } from '../../sending.ts'

/** Accounts that a transaction takes from one lookup table, by their places in it. */
export interface TableUse {
  table: string
  entries: readonly TableEntry[]
}

interface TableEntry {
  index: number
  address: string
}

/** Places in a table are bytes (Solana docs, "Address Lookup Tables"). */
export const maxTableEntries = 256

/**
 * What accounts can be taken from tables: each from the first table that has it.
 * @param tables addresses in them, by table
 */
export function tableUses(
  tables: ReadonlyMap<string, readonly string[]>,
  accounts: Iterable<string>,
): TableUse[] {
  const wanted = new Set(accounts)
  return [...tables].flatMap(([table, addresses]) => {
    const entries = addresses.flatMap((address, index) =>
      wanted.delete(address) ? [{ index, address }] : [],
    )
    return entries.length > 0 ? [{ table, entries }] : []
  })
}

/** One text, because terms are flat. */
export const writeTables = (uses: readonly TableUse[]): string =>
  uses
    .map(({ table, entries }) =>
      [table, ...entries.map(({ index, address }) => `${index}=${address}`)].join(' '),
    )
    .join(',')

const address = '[1-9A-HJ-NP-Za-km-z]{32,44}'
const useForm = new RegExp(`^(${address})((?: (?:0|[1-9]\\d{0,2})=${address})+)$`)

/** Absent in terms of legacy transactions. @throws unless each account and each table is named once */
export function readTables(text: Terms[string] | undefined): TableUse[] | null {
  if (text === null || text === undefined) return null
  const uses = text === '' ? [] : String(text).split(',').map(readUse)
  const accounts = uses.flatMap(({ entries }) => entries.map((each) => each.address))
  const isRepeated = (all: readonly string[]) => new Set(all).size < all.length
  if (isRepeated(accounts)) throw new Error('the terms name an account of a lookup table twice')
  if (isRepeated(uses.map(({ table }) => table))) throw new Error('the terms name a lookup table twice')
  return uses
}

function readUse(text: string): TableUse {
  const [, table, list] = useForm.exec(text) ?? []
  if (table === undefined || list === undefined) throw new Error('the terms have no valid lookup tables')
  const entries = list
    .trim()
    .split(' ')
    .map((each) => {
      const [index = '', account = ''] = each.split('=')
      return { index: Number(index), address: account }
    })
  if (entries.some(({ index }) => index >= maxTableEntries))
    throw new Error('the terms name a place that no table has')
  return { table, entries }
}
