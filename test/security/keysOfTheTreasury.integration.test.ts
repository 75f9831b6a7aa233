import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { HDKey as EdKey } from 'micro-key-producer/slip10.js'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'
import { type Envelope, envelopeColumns, openEnvelope } from '../../src/custody/envelope.ts'
import { envKeyProvider, keyRing } from '../../src/custody/keyProvider.ts'
import { rollSeedKey } from '../../src/custody/rollSeedKey.ts'
import { openSeed, readEntropy } from '../../src/custody/seed.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { compose } from '../support/composeFile.ts'
import { createStack, type ProcessName, type Stack } from '../support/stack.ts'
import { seedKey, urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import type { Attempt } from './tryToOpenTheSeed.ts'

/**
 * The seed, its wrapping key and the keys of stored wallets are the treasury's alone: in its environment, by
 * its database role, in its memory.
 */

const others = ['api', 'worker', 'indexer'] as const
/** Random: the wrapping key of other suites is a repeated byte, which is in every memory. */
const wrappingKey = randomBytes(32).toString('base64')
const keyProvider = envKeyProvider(new Secret(wrappingKey))
let stack: Stack
/** Every row that an attacker could have from a backup. */
let stolen: { name: string; context: string; envelope: Envelope }[]

beforeAll(async () => {
  // The pool is low, so that the treasury derives addresses of every family.
  const env = { POOL_TARGET: '420', POOL_LOW_WATER: '410' }
  stack = await createStack({ processes: ['api', 'worker', 'indexer'], confirmations: 1, env })
  const { db } = stack
  await rollSeedKey({ db, keyProvider: keyRing([keyProvider, envKeyProvider(new Secret(seedKey))]) })
  await stack.start('treasury', { SEED_KEY: wrappingKey })
  const derived = 'select family from deposit_addresses where index >= 400 group by 1 having count(*) >= 10'
  await waitFor('addresses of every family', async () => (await db.query(derived)).length === 4)
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  const [seed] = await db.query<Envelope>(`select ${envelopeColumns} from seeds`)
  const keys = await db.query<Envelope & { id: string }>(`select id, ${envelopeColumns} from wallet_keys`)
  if (!seed) throw new Error('no seed')
  stolen = [
    { name: 'seed', context: 'cowry/seed/v1', envelope: seed },
    ...keys.map((row) => ({ name: 'wallet key', context: `cowry/wallet-key/v1/${row.id}`, envelope: row })),
  ]
})
afterAll(() => stack?.close())

/** The environment that a process has in Docker, with the values of the process that runs. */
function environmentOf(name: ProcessName): Record<string, string> {
  const service = name === 'indexer' ? 'indexer-ethereum' : name
  const given = readFileSync(`/proc/${stack.processes.get(name)?.pid}/environ`, 'utf8').split('\0')
  const all = new Map(
    given.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const names = Object.keys(compose.services[service]?.environment ?? {})
  const role = name as 'api' | 'worker' | 'indexer' | 'treasury'
  const environment = Object.fromEntries(
    names.flatMap((each) => (all.has(each) ? [[each, all.get(each) ?? '']] : [])),
  )
  return { ...environment, DATABASE_URL: urlAs(role, stack.databaseUrl) }
}

/** Tries with this environment alone. */
function attempt(environment: Record<string, string>): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...nodeArguments, join(import.meta.dirname, 'tryToOpenTheSeed.ts')],
      {
        env: { PATH: process.env.PATH ?? '', ...environment },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
    })
    child.once('close', () => {
      try {
        resolve(JSON.parse(out))
      } catch (error) {
        reject(error)
      }
    })
    const rows = stolen.map(({ envelope, ...rest }) => ({
      ...rest,
      envelope: {
        ...envelope,
        wrappedKey: envelope.wrappedKey.toString('base64'),
        sealed: envelope.sealed.toString('base64'),
      },
    }))
    child.stdin.end(JSON.stringify(rows))
  })
}

describe('with its environment and its database role', () => {
  test.each(others)(
    '%s neither reads nor opens the seed and the keys of stored wallets, also not from a stolen backup',
    async (name) => {
      const made = await attempt(environmentOf(name))
      // It has a database, and all but the indexer have keys to try.
      expect([made.databases, made.keys > 0]).toEqual([1, name !== 'indexer'])
      expect([made.read, made.opened]).toEqual([[], []])
    },
  )

  test('the treasury does: the attempt above can succeed', async () => {
    const { read, opened } = await attempt(environmentOf('treasury'))
    expect(read).toEqual(
      expect.arrayContaining([
        'select * from seeds',
        'select sealed from seeds',
        'select sealed from wallet_keys',
        'select sealed from wallets',
      ]),
    )
    expect([...new Set(opened)]).toEqual(['seed', 'wallet key'])
  })

  test('not even the treasury deletes the seed', async () => {
    expect((await attempt(environmentOf('treasury'))).read).not.toContain('delete from seeds')
  })
})

/**
 * Where any of these bytes is in the memory of a process: the heap, and what is outside of it. @returns
 * names of what was found
 */
function foundInMemory(pid: number, wanted: Record<string, readonly Buffer[]>): string[] {
  const found = new Set<string>()
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const { from, length } of residentRanges(pid)) {
      const piece = Buffer.alloc(length)
      const read = readAt(memory, piece, from)
      for (const [name, forms] of Object.entries(wanted)) {
        if (!found.has(name) && forms.some((form) => piece.subarray(0, read).includes(form))) found.add(name)
      }
    }
  } finally {
    closeSync(memory)
  }
  return [...found].sort()
}

const pageBytes = 4096
// proc_pid_pagemap(5): one integer for each page, the highest bits of which report that it is in memory or
// swapped out.
const wordBytes = 8
const isKept = (pages: Buffer, page: number) => (pages[page * wordBytes + 7] ?? 0) >= 0b01000000

/** Runs of pages that can be written to and have content. V8 reserves half a gigabyte of addresses more. */
function residentRanges(pid: number): { from: bigint; length: number }[] {
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r')
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
        if (!start || !end) return []
        const from = BigInt(`0x${start}`)
        const pages = Buffer.alloc((Number(BigInt(`0x${end}`) - from) / pageBytes) * wordBytes)
        readAt(pagemap, pages, (from / BigInt(pageBytes)) * BigInt(wordBytes))
        return runsOf(pages).map(({ first, count }) => ({
          from: from + BigInt(first * pageBytes),
          length: count * pageBytes,
        }))
      })
  } finally {
    closeSync(pagemap)
  }
}

function runsOf(pages: Buffer): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = []
  for (let page = 0; page < pages.length / wordBytes; page++) {
    if (!isKept(pages, page)) continue
    const last = runs.at(-1)
    if (last && last.first + last.count === page) last.count++
    else runs.push({ first: page, count: 1 })
  }
  return runs
}

/** A range may have been given back since it was listed. */
function readAt(file: number, into: Buffer, position: bigint): number {
  try {
    return readSync(file, into, 0, into.length, position)
  } catch {
    return 0
  }
}

describe('in memory, on the heap and outside of it,', () => {
  let wanted: Record<string, Buffer[]>

  beforeAll(async () => {
    const ctx = { db: stack.db, keyProvider }
    const seed = Buffer.from((await openSeed(ctx)).reveal())
    const entropy = Buffer.from((await readEntropy(ctx))?.reveal() ?? [])
    const forms = (bytes: Uint8Array) => [Buffer.from(bytes), Buffer.from(Buffer.from(bytes).toString('hex'))]
    const chain = (path: string) => {
      const { privateKey, chainCode } = HDKey.fromMasterSeed(seed).derive(path)
      return [Buffer.from(privateKey ?? []), Buffer.from(chainCode ?? [])]
    }
    const wallet = stolen.find(({ name }) => name === 'wallet key')
    if (!wallet) throw new Error('no wallet key')
    wanted = {
      'the seed': forms(seed),
      'the entropy': forms(entropy),
      'the phrase': [Buffer.from(entropyToMnemonic(entropy, wordlist).split(' ').slice(0, 5).join(' '))],
      'the wrapping key': [Buffer.from(wrappingKey), Buffer.from(wrappingKey, 'base64')],
      'the key of stored wallets': forms(
        (await openEnvelope(keyProvider, wallet.envelope, wallet.context)).reveal(),
      ),
      'the branch of evm': chain("m/44'/60'/1'/0"),
      'the branch of tron': chain("m/44'/195'/1'/0"),
      'a key of evm': chain("m/44'/60'/1'/0/401"),
      'a key of solana': [Buffer.from(EdKey.fromMasterSeed(seed).derive("m/44'/501'/1'/0'/401'").privateKey)],
      'the account of stellar': [Buffer.from(EdKey.fromMasterSeed(seed).derive("m/44'/148'/1'").privateKey)],
    }
    for (const each of Object.values(wanted))
      for (const form of each) expect(form.length).toBeGreaterThanOrEqual(20)
  })
  const pidOf = (name: ProcessName) => stack.processes.get(name)?.pid ?? 0

  test.each(others)('%s has no key of the treasury', (name) => {
    expect(foundInMemory(pidOf(name), wanted)).toEqual([])
  })

  test('the treasury has them, and other processes have what is theirs: the search above finds keys', () => {
    expect(foundInMemory(pidOf('treasury'), wanted)).toEqual(
      expect.arrayContaining([
        'the branch of evm',
        'the branch of tron',
        'the key of stored wallets',
        'the seed',
        'the wrapping key',
      ]),
    )
    const own = { 'the API key': [Buffer.from(stack.apiKey)] }
    expect([foundInMemory(pidOf('api'), own), foundInMemory(pidOf('treasury'), own)]).toEqual([
      ['the API key'],
      [],
    ])
  })
})
