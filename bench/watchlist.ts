import { randomBytes } from 'node:crypto'
import { loadWatchList, type WatchList } from '../indexers/watchList.ts'
import { createWatchTable } from '../indexers/watchTable.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { startChild } from './child.ts'
import type { Held, Hold } from './heldMemory.ts'
import { interleave, ratio, type Spread, spread, timed } from './measure.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'
import { textOf } from './textOf.ts'
import { syntheticWatches, watchedDatabase } from './watchedDatabase.ts'

const bench = 'watchlist'
const million = 1_000_000
/** Lookups of a large Ethereum block's transfers; the largest recorded block has 207. */
const lookups = 600
/** One lookup in this many is of a watched address. */
const oneHitIn = 100
const blocksPerRound = 200
const rounds = 7
const warmUp = 2
const loadRounds = 5

const { bytes } = addressCodec('evm')
const megabytes = (held: number) => held / 1e6
/** Memory and speed of the watch list, compared with a `Set` of strings and with reading the same rows. */
export async function benchWatchList(scope: Scope, run: Scope): Promise<Report> {
  progress('measuring memory')
  const small = await memoryOf({ kind: 'table', count: million })
  const large = await memoryOf({ kind: 'table', count: 5 * million })
  const strings = await memoryOf({ kind: 'set', count: million })
  const sixChains = await memoryOfEach({ kind: 'table', count: million }, 6)
  const speed = await measureLookups(million)
  const speedLarge = await measureLookups(5 * million)
  const load = await measureLoad(scope, run)

  const once = (value: number) => spread([value])
  const [smallHeld, largeHeld] = [megabytes(small.held), megabytes(large.held)]
  return {
    figures: [
      figure(bench, '1,000,000 strings in a Set', once(megabytes(strings.held)), 'MB', { ratio: 1 }),
      figure(bench, '1,000,000 addresses', once(smallHeld), 'MB', {
        extra: `table ${digits(megabytes(small.reported ?? 0))} MB`,
        ratio: once(small.held / strings.held),
        aim: 'under 60 MB',
        met: smallHeld < 60,
      }),
      figure(bench, '5,000,000 addresses', once(largeHeld), 'MB', {
        extra: `table ${digits(megabytes(large.reported ?? 0))} MB`,
        aim: 'under 400 MB',
        met: largeHeld < 400,
      }),
      figure(
        bench,
        'six EVM chains of 1,000,000 addresses, a process each: memory',
        once(megabytes(sixChains)),
        'MB',
        {
          aim: 'under 60 MB',
          met: megabytes(sixChains) < 60,
        },
      ),
      ...lookupFigures('1,000,000', speed),
      ...lookupFigures('5,000,000', speedLarge),
      figure(bench, "one block's lookups, 5,000,000 addresses", perBlock(speedLarge.text), 'ms', {
        aim: 'under 1 ms',
        met: perBlock(speedLarge.text).median < 1,
      }),
      figure(bench, 'reading 1,000,000 rows, no table', spread(load.bare.map((ms) => ms / 1000)), 's', {
        ratio: 1,
      }),
      figure(bench, 'loading 1,000,000 from Postgres', spread(load.product.map((ms) => ms / 1000)), 's', {
        ratio: ratio(load.product, load.bare),
      }),
    ],
    notes: [
      `memory is the difference of heap and array buffers after garbage collection, in a separate process for each row. A block is ${lookups} lookups of different addresses, of which one in ${oneHitIn} hits; ratios are of times and of bytes.`,
    ],
  }
}

const perSecond = (times: readonly number[]) =>
  spread(times.map((ms) => (((lookups * blocksPerRound) / ms) * 1e3) / 1e6))
/** Milliseconds. */
const perBlock = (times: readonly number[]) => spread(times.map((ms) => ms / blocksPerRound))

function lookupFigures(
  addresses: string,
  { set, bytes, words, text }: Awaited<ReturnType<typeof measureLookups>>,
): Figure[] {
  const line = (what: string, times: readonly number[], against: Spread | 1) =>
    figure(bench, `lookups of ${what}, ${addresses}`, perSecond(times), 'million/s', {
      extra: `${digits(perBlock(times).median * 1000)} µs a block`,
      ratio: against,
    })
  return [
    line('strings in a Set', set, 1),
    line('bytes', bytes, ratio(bytes, set)),
    line('words, as the packed readers do', words, ratio(words, set)),
    line('text, as the indexer does', text, ratio(text, set)),
  ]
}

/** Each in a separate process. */
async function memoryOf(what: Hold): Promise<Held> {
  const child = startChild(new URL('./heldMemory.ts', import.meta.url), {}, ['--expose-gc'])
  try {
    await child.next()
    const answer = await child.ask<Held>(what)
    // A string takes at least its 20 bytes, and a table the bytes that it reports.
    const min = answer.reported ?? 20 * what.count
    if (answer.held < min * 0.99)
      throw new Error(`measured ${answer.held} bytes, but at least ${min} are expected`)
    return answer
  } finally {
    await child.close()
  }
}

/** The sum over processes that hold the same at once, as the indexers of several chains do. */
async function memoryOfEach(what: Hold, processes: number): Promise<number> {
  const held = await Promise.all(Array.from({ length: processes }, () => memoryOf(what)))
  return held.reduce((sum, each) => sum + each.held, 0)
}

/** Contiguous addresses in one buffer. */
const randomAddresses = (count: number) => {
  const all = randomBytes(20 * count)
  return (i: number) => all.subarray(20 * i, 20 * i + 20)
}

async function measureLookups(count: number) {
  const known = randomAddresses(count)
  const table = createWatchTable(20, count)
  const set = new Set<string>()
  for (let i = 0; i < count; i++) {
    table.add(known(i))
    set.add(textOf(known(i)))
  }
  return interleave(
    `${bench}, lookups among ${count.toLocaleString('en')}`,
    { rounds, warmUp },
    async (index) => {
      // Use new addresses in each round: the processor's caches must not contain them, as with a new block.
      const unwatched = randomAddresses(lookups * blocksPerRound)
      const addresses = Array.from({ length: lookups * blocksPerRound }, (_, i) =>
        i % oneHitIn === 0 ? known(((index + warmUp) * lookups * blocksPerRound + i) % count) : unwatched(i),
      )
      const textsForSet = addresses.map(textOf)
      const textsForTable = addresses.map(textOf)
      const packed = Buffer.concat(addresses)
      const words = new Uint32Array(packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.length))
      globalThis.gc?.()
      let hits = 0
      const inSet = await timed(() => {
        for (const text of textsForSet) if (set.has(text)) hits++
      })
      const byBytes = await timed(() => {
        for (const address of addresses) if (table.has(address)) hits++
      })
      const byWords = await timed(() => {
        for (let at = 0; at < words.length; at += 5) if (table.flagsAt(words, at) !== 0) hits++
      })
      const byText = await timed(() => {
        for (const text of textsForTable) if (table.has(bytes(text))) hits++
      })
      if (hits !== (4 * addresses.length) / oneHitIn) throw new Error(`${hits} hits`)
      return { set: inSet.ms, bytes: byBytes.ms, words: byWords.ms, text: byText.ms }
    },
  )
}

async function measureLoad(scope: Scope, run: Scope) {
  const database = await watchedDatabase(run)
  const direct = scope.keep(await openDirect(database.url, 'cowry bench'), (each) => each.close())
  return interleave(`${bench}, loading`, { rounds: loadRounds, warmUp: 1 }, async () => {
    globalThis.gc?.()
    const bare = await timed(async () => {
      for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
        const rows = await direct.query<{ id: string }>(
          "select id, address from watches where family = 'evm' and (chain is null or chain = 'ethereum') and id > $1 order by id limit 50000",
          [after],
        )
        const last = rows.at(-1)
        if (!last) return
        after = last.id
      }
    })
    globalThis.gc?.()
    const product = await timed((): Promise<WatchList> => loadWatchList(direct, 'evm', 'ethereum'))
    if (product.result.size < syntheticWatches) throw new Error(`${product.result.size} were loaded`)
    return { bare: bare.ms, product: product.ms }
  })
}
