import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ConfigError } from '../src/platform/config.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { checkSettings } from './doctor/checkSettings.ts'
import { doctorParts } from './doctor/finding.ts'
import { type Answers, type Ask, answersOf } from './init/answers.ts'
import { envText, readEnv } from './init/envText.ts'
import { madeSettings } from './init/madeSettings.ts'
import { requireNoEnv, writeEnv } from './init/writeEnv.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

export const run = program('init', async (words, { folder = '.', replace = false, ...flags }) => {
  if (words.length > 0) throw new UsageError()
  const path = join(folder, '.env')
  // Before any question.
  if (!replace) requireNoEnv(path)
  const answers = await asked((ask) => answersOf(flags, ask, flags.own ? process.env : {}))
  const made = envText(
    readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'),
    madeSettings(answers),
  )
  requireUsable(made, answers)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  else if (!statSync(folder).isDirectory()) throw new ConfigError(`--folder: ${folder} is no folder`)
  const before = writeEnv(path, made, { replace })
  say(
    `${path} is written; only you can read it.${before === null ? '' : ` The one before is ${before}: its keys open what is stored.`}`,
  )
  for (const line of nextSteps(answers, path)) say(line)
})

async function asked<T>(work: (ask: Ask | null) => Promise<T>): Promise<T> {
  if (!process.stdin.isTTY) return work(null)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await work(async (question, byDefault) => {
      const answer = (
        await lines.question(`${question}${byDefault === undefined ? '' : ` [${byDefault}]`} `)
      ).trim()
      return answer || (byDefault ?? '')
    })
  } finally {
    lines.close()
  }
}

/** As the processes read it. @throws ConfigError with every mistake */
function requireUsable(made: string, { own }: Answers): void {
  // docker-compose.yml makes these of the passwords.
  const servers = own ? {} : { DATABASE_URL: 'postgresql://cowry@postgres/cowry', REDIS_URL: 'redis://redis' }
  const findings = checkSettings({
    env: { ...readEnv(made), ...servers },
    parts: doctorParts,
    fileNames: [],
    log: createLog('init', 'silent'),
  })
  const faults = [...new Set(findings.flatMap(({ state, text }) => (state === 'fault' ? [text] : [])))]
  if (faults.length > 0)
    throw new ConfigError(
      ['Nothing was written:', ...faults.map((fault) => `  - ${fault}`)].join('\n'),
      faults,
    )
}

function nextSteps({ own, more }: Answers, path: string): string[] {
  const isKms = more.get('SEED_KEY_PROVIDER') === 'aws-kms'
  const keys = [...(isKms ? [] : ['SEED_KEY']), 'APP_KEY', 'VERIFY_KEY', ...(own ? [] : ['BACKUP_KEY'])]
  return [
    '',
    'What to do next:',
    `  1. Keep a copy of ${new Intl.ListFormat('en-GB').format(keys)} apart from the backups of the database: they open it.`,
    ...(own
      ? [
          `  2. Migrate: node --env-file=${path} --import ./scripts/preload.mjs commands/cowry.ts migrate`,
          `  3. Examine it: npm run cowry -- doctor --env ${path}`,
          `  4. Start run all and run treasury in the same way, then run doctor again.`,
        ]
      : [
          '  2. Start: docker compose up --build --detach',
          '  3. Examine each part where it runs: docker compose run --rm worker doctor worker',
          '     (also api, treasury, verification, and indexer in indexer-<chain>)',
        ]),
    `  Then make the first operator: ${own ? 'npm run cowry -- account operator' : 'docker compose run --rm operator account operator'} you@example.com`,
    'docs/deployment.md, First deployment, says more.',
  ]
}
