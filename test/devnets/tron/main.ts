/**
 * The Tron devnet as a process: `node main.ts '<options as JSON>'`. On SIGTERM it saves the chain and exits.
 */

import { mkdirSync } from 'node:fs'
import { type Chain, headOf, mine, newChain, pushAgain, reorg } from './chain.ts'
import { type Flags, flagNames } from './faces.ts'
import { type Contracts, faucetPrivateKey, makeGenesis } from './genesis.ts'
import { type Json, type JsonObject, toBase58 } from './json.ts'
import { limits } from './parameters.ts'
import { load, save } from './persist.ts'
import { type Control, oneAtATime, tronServer } from './server.ts'

export interface MainOptions {
  port: number
  blockMs: number
  home: string | null
  solidifiedDepth: number
  apiKey: string | null
}

const saveEveryMs = 30_000
const options = JSON.parse(process.argv[2] ?? '{}') as MainOptions
const { chain, contracts } = await open(options)
const faces = new Map<string, Flags>()
let held = options.blockMs === 0

/** Follows the clock, but always advances: blocks made at once are a millisecond apart. */
const nextTime = () => Math.max(Date.now(), headOf(chain).header.timestamp + 1)

const control: Control = async (action, params) => {
  const run = actions[action]
  if (!run) throw new Error(`unknown action: ${action}`)
  return run(params)
}

const actions: { [action: string]: (params: JsonObject) => Json | Promise<Json> } = {
  info: () => {
    const addresses = Object.fromEntries(
      Object.entries(contracts).map(([name, address]) => [name, toBase58(address)]),
    )
    return { genesisBlockId: chain.blocks[0]?.id ?? '', faucetPrivateKey, ...addresses }
  },
  mine: async ({ count = 1, time }) => {
    const ids: string[] = []
    for (let i = 0; i < Number(count); i++) {
      const blockTime = time === undefined ? nextTime() : Number(time) * 1000 + i * limits.blockIntervalMs
      if (blockTime <= headOf(chain).header.timestamp) throw new Error('time must be after the head')
      ids.push((await mine(chain, blockTime)).id)
    }
    return { height: headOf(chain).header.number, ids }
  },
  hold: ({ on }) => {
    held = on === true || options.blockMs === 0
    return { held }
  },
  reorg: async ({ depth, keep }) => ({
    ...(await reorg(chain, Number(depth), keep === true)),
    height: headOf(chain).header.number,
  }),
  misbehave: ({ face, clear, ...flags }) => {
    const name = String(face ?? '')
    if (name === '') throw new Error('misbehave needs a face: the one at / is honest')
    const unknown = Object.keys(flags).filter((flag) => !flagNames.some((known) => known === flag))
    if (unknown.length > 0) throw new Error(`unknown flag: ${unknown.join(', ')}`)
    if (clear === true) faces.delete(name)
    else faces.set(name, { ...faces.get(name), ...(flags as Flags) })
    return { face: name, flags: { ...faces.get(name) } as JsonObject }
  },
}

const inTurn = oneAtATime()
const server = tronServer({ chain, faces, control, apiKey: options.apiKey, inTurn })
server.listen(options.port, '127.0.0.1')

let making = false
async function makeBlock(): Promise<void> {
  if (held || making) return
  making = true
  try {
    await inTurn(() => mine(chain, nextTime()))
  } finally {
    making = false
  }
}
const timer = options.blockMs > 0 ? setInterval(() => void makeBlock(), options.blockMs) : undefined

const keep = () =>
  inTurn(async () => {
    if (options.home) save(options.home, chain, contracts)
  })
const saver = setInterval(() => void keep(), saveEveryMs)

process.on('SIGTERM', async () => {
  clearInterval(timer)
  clearInterval(saver)
  server.close()
  server.closeAllConnections()
  await keep()
  process.exit(0)
})

async function open({ home, solidifiedDepth }: MainOptions): Promise<{ chain: Chain; contracts: Contracts }> {
  if (home) mkdirSync(home, { recursive: true })
  const known = home ? load(home, solidifiedDepth) : null
  if (known) {
    await pushAgain(known.chain, known.pending)
    return known
  }
  const fresh = newChain(solidifiedDepth)
  return { chain: fresh, contracts: await makeGenesis(fresh, Date.now()) }
}
