import { systemActor } from '../src/audit/recordAudit.ts'
import { addressCodec, shownForm } from '../src/chains/codecs.ts'
import { type Asset, assetsOf, type Chain } from '../src/chains/registry.ts'
import { treasuryAddress } from '../src/custody/treasuryAddress.ts'
import { formatUnits, parseUnits } from '../src/money/amount.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { storedFloats } from '../src/sweeps/floats.ts'
import { listOpenSweeps, setLowWater, sweepNow } from '../src/sweeps/operateSweeps.ts'
import { counted } from './counted.ts'
import { limitedChains } from './limitedChains.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('sweeps', async (words) => {
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, workOf(words))
})

function workOf([command, ...words]: string[]): (db: Db) => Promise<void> {
  if (command === undefined) return list
  if (command === 'floats' && words.length === 0) return floats
  if (command === 'now' && words.length === 1) return now(chainOf(words[0]))
  if (command === 'low-water' && words.length === 3) return lowWater(words)
  throw new UsageError()
}

function chainOf(name: string | undefined): ReturnType<typeof limitedChains>[number] {
  const chain = limitedChains().find((each) => each.name === name)
  if (!chain)
    throw new ConfigError(
      `${name} is not a chain: use one of ${limitedChains()
        .map((each) => each.name)
        .join(', ')}`,
    )
  if (chain.family === 'stellar')
    throw new ConfigError('On stellar the account of all deposits is the treasury: nothing is swept')
  return chain
}

async function list(db: Db): Promise<void> {
  const { sweeps, total } = await listOpenSweeps(db)
  for (const { chain, address, token, decimals, amount, status, reason, txId, createdAt, id } of sweeps)
    say(
      [
        createdAt.toISOString(),
        id,
        chain,
        `${formatUnits(BigInt(amount), decimals)} ${token}`,
        shownForm(address),
        status,
        reason ?? '',
        txId ?? '',
      ]
        .join('  ')
        .trimEnd(),
    )
  say(
    `${counted(total, 'open sweep')}${total > sweeps.length ? `; the newest ${sweeps.length} are shown` : ''}`,
  )
}

async function floats(db: Db): Promise<void> {
  const chains = limitedChains().filter(({ family }) => family !== 'stellar')
  const all = await storedFloats(db, chains)
  for (const chain of chains) {
    const address = await treasuryAddress(db, chain.family)
    say(
      `${chain.name}  ${address === null ? 'the treasury has not started yet' : addressCodec(chain.family).display(address)}`,
    )
    for (const { token, balance, lowWater, readAt } of all.filter((each) => each.chain === chain.name)) {
      const show = (amount: bigint) => `${formatUnits(amount, assetOf(chain, token)?.decimals ?? 0)} ${token}`
      say(
        `  ${show(balance)}  low water ${show(lowWater)}${balance < lowWater ? '  TOO LITTLE' : ''}  read ${readAt.toISOString()}`,
      )
    }
  }
}

function assetOf(chain: Chain, symbol: string): Asset | undefined {
  return assetsOf(chain).find((each) => each.symbol === symbol)
}

function now(chain: Chain): (db: Db) => Promise<void> {
  return async (db) => {
    const count = await sweepNow({ db }, systemActor('cowry sweeps'), chain.name)
    say(`sweeping ${counted(count, 'address', 'addresses')} of ${chain.name} as far as they hold something`)
  }
}

function lowWater([name, symbol = '', text = '']: string[]): (db: Db) => Promise<void> {
  const chain = chainOf(name)
  const asset = assetOf(chain, symbol)
  if (!asset)
    throw new ConfigError(
      `${symbol} is not an asset of ${chain.name}: use one of ${assetsOf(chain)
        .map((each) => each.symbol)
        .join(', ')}`,
    )
  const value = text === 'none' ? null : parseUnits(text, asset.decimals)
  if (text !== 'none' && value === null)
    throw new ConfigError(`${text} is not an amount of ${symbol}, such as 0.05`)
  return async (db) => {
    await setLowWater({ db }, systemActor('cowry sweeps'), { chain: chain.name, token: symbol }, value)
    await floats(db)
  }
}
