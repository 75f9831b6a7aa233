import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturesFolder } from '../test/support/shared.ts'

/** Recorded blocks of Ethereum that are served as one chain, in turn, at heights and with hashes of our own. */
export const recordedBlocks = ['18000000', '15753009'] as const

/** What a node answers about one block: the bytes of both results. */
export interface RecordedAnswer {
  height: number
  block: Buffer
  receipts: Buffer
}

interface Template {
  block: string
  receipts: string
  hash: string
  parentHash: string
  number: string
  timestamp: string
}

const hex = (value: number) => `0x${value.toString(16)}`

export const hashAt = (height: number): string => `0x${createHash('sha256').update(`block ${height}`).digest('hex')}`

const genesisTime = 1_700_000_000
export const headerAt = (height: number) => ({
  number: hex(height),
  hash: hashAt(height),
  parentHash: hashAt(height - 1),
  timestamp: hex(genesisTime + height * 12),
  logsBloom: `0x${'00'.repeat(256)}`,
})

const read = (block: string, file: string): unknown => JSON.parse(readFileSync(join(fixturesFolder, 'ethereum', block, file), 'utf8'))

let templates: Template[] | undefined

function load(): Template[] {
  return recordedBlocks.map((name) => {
    const block = read(name, 'block.json') as Omit<Template, 'block' | 'receipts'>
    // Written as nodes answer: without white space.
    return { ...block, block: JSON.stringify(block), receipts: JSON.stringify(read(name, 'receipts.json')) }
  })
}

/** The answers about `count` blocks from `first` on. Only numbers, hashes and times differ from what was recorded. */
export function recordedAnswers(first: number, count: number): RecordedAnswer[] {
  templates ??= load()
  const from = templates
  return Array.from({ length: count }, (_, i) => {
    const height = first + i
    const template = from[height % from.length] as Template
    const header = headerAt(height)
    const moved = (text: string) =>
      Buffer.from(
        text
          .replaceAll(template.hash, header.hash)
          .replaceAll(template.parentHash, header.parentHash)
          .replaceAll(`umber":"${template.number}"`, `umber":"${header.number}"`)
          .replaceAll(`"timestamp":"${template.timestamp}"`, `"timestamp":"${header.timestamp}"`),
      )
    return { height, block: moved(template.block), receipts: moved(template.receipts) }
  })
}

/** A whole JSON-RPC answer around the bytes of a result, as it goes over the wire. */
export const envelope = (id: number, result: Buffer): Buffer[] => [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), result, Buffer.from('}')]
