import { readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { parseEnv } from 'node:util'
import { ConfigError } from '../src/platform/config.ts'
import { messageOf } from '../src/platform/errors.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { examine } from './doctor/examine.ts'
import { type DoctorPart, doctorParts } from './doctor/finding.ts'
import { asJson, asText, exitCodeOf } from './doctor/report.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

export const run = program('doctor', async (asked, { env: file, json }) => {
  const unknown = asked.filter((name) => !(doctorParts as readonly string[]).includes(name))
  if (unknown.length > 0) throw new UsageError()
  const fileNames = file === undefined ? [] : load(file)
  const parts = asked.length > 0 ? (asked as DoctorPart[]) : partsOf(process.env)
  try {
    const findings = await examine({ env: process.env, parts, fileNames, log: createLog('doctor', 'silent') })
    await new Promise((written) =>
      process.stdout.write(`${json ? asJson(findings) : asText(findings)}\n`, written),
    )
    // Connections that are kept open would hold the process for some seconds more.
    process.exit(exitCodeOf(findings))
  } catch (error) {
    process.stderr.write(`doctor could not run: ${messageOf(error)}\n`)
    return 2
  }
})

/**
 * As with Node's own `--env-file`, which Node would take for itself: what the environment has already stays.
 * Libraries, such as AWS's, read the environment too.
 */
function load(file: string): string[] {
  try {
    loadEnvFile(file)
    return Object.keys(parseEnv(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new ConfigError(
      `--env: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`,
    )
  }
}

/** All, but for the verification host where it is not used. */
function partsOf(env: NodeJS.ProcessEnv): DoctorPart[] {
  return doctorParts.filter((part) => part !== 'verification' || Boolean(env.VERIFY_KEY))
}
