import { systemActor } from '../src/audit/recordAudit.ts'
import { parseDecimal } from '../src/money/amount.ts'
import { ConfigError, readConfig, readSettings } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { acceptRate } from '../src/pricing/acceptRate.ts'
import type { Sides } from '../src/pricing/decideRate.ts'
import { feedSettings, openExchangeRates, partnerSettings, rateLimitsOf } from '../src/pricing/settings.ts'
import { type RateSource, readStoredRates, type StoredRate } from '../src/pricing/storedRates.ts'
import { program } from './program.ts'
import type { OptionsOf } from './table.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

function workOf(
  [command = 'list', ...words]: string[],
  given: OptionsOf<'rates'>,
): (db: Db) => Promise<void> {
  if (command === 'list' && words.length === 0 && Object.keys(given).length === 0) return list
  const [currency = '', buy = '', sell = ''] = words
  if (command !== 'accept' || words.length !== 3 || !/^[A-Z]{3,10}$/.test(currency)) throw new UsageError()
  for (const side of [buy, sell])
    if (!parseDecimal(side)?.value)
      throw new ConfigError(`${side} is not a rate: give a decimal above 0, such as 1610.5`)
  const [operator, evidence] = [given.operator?.trim() ?? '', given.evidence?.trim() ?? '']
  if (operator === '') throw new ConfigError('--operator: give your name')
  if (evidence === '') throw new ConfigError('--evidence: say how you know, with a reference')
  const { limits, sources } = settings()
  const partner = sources.find(({ name }) => name === (given.source ?? 'yellowcard'))
  if (!partner) throw new ConfigError(`--source: must be ${sources.map(({ name }) => name).join(' or ')}`)
  return async (db) => {
    const after = await acceptRate({ db, partner, limits }, systemActor('cowry rates'), {
      currency,
      buy,
      sell,
      operator,
      evidence,
    })
    say(lineOf(after))
  }
}

function settings() {
  const values = { ...readSettings('worker', partnerSettings), ...readSettings('worker', feedSettings) }
  const sources: RateSource[] = [
    { name: 'yellowcard', url: values.YELLOWCARD_URL },
    { name: openExchangeRates, url: values.OPENEXCHANGERATES_URL },
  ]
  return { sources, limits: rateLimitsOf(values) }
}

/** The partner's first; those of the second source where there are any, each line with its name. */
async function list(db: Db): Promise<void> {
  let [refused, all] = [0, 0]
  for (const source of settings().sources) {
    const rates = await readStoredRates(db, source)
    const mark = source.name === openExchangeRates ? `  ${source.name}` : ''
    for (const rate of rates) say(lineOf(rate) + mark)
    refused += rates.filter((rate) => rate.refused).length
    all += rates.length
  }
  say(`${refused} of ${all} refused`)
}

function lineOf({ currency, accepted, refused }: StoredRate): string {
  const sides = ({ buy, sell, at }: Sides & { at: Date }) => `buy ${buy}, sell ${sell} of ${at.toISOString()}`
  const parts = [`${currency}  accepted ${accepted ? sides(accepted) : 'none'}`]
  if (refused)
    parts.push(`refused (${refused.reason}) since ${refused.since.toISOString()}: ${sides(refused)}`)
  return parts.join('  ')
}

export const run = program('rates', async (words, given) => {
  const work = workOf(words, given)
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})
