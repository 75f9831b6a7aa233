import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { unpackFromDebian } from '../../scripts/local/debianPackages.ts'
import { freePort } from '../../scripts/local/freePort.ts'
import { startService } from '../../scripts/local/service.ts'
import { waitFor } from './waitFor.ts'

const unpacked = join(import.meta.dirname, '../../node_modules/.cache/cowry/prometheus')

/**
 * The machine's own program, or the one of Debian's package, which is downloaded and unpacked without
 * installing. @throws if neither is there
 */
export function prometheusProgram(name: 'prometheus' | 'promtool' | 'amtool'): string {
  if (spawnSync(name, ['--version']).status === 0) return name
  const program = join(unpacked, 'root/usr/bin', name)
  const isThere = () => existsSync(program) && spawnSync(program, ['--version']).status === 0
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  if (isThere()) return program
  if (spawnSync('apt-get', ['--version']).status === 0) {
    say('Fetching Prometheus from Debian (once; 30 MB) …')
    if (unpackFromDebian(unpacked, ['prometheus', 'prometheus-alertmanager'], { isThere, say }))
      return program
  }
  throw new Error(
    `These tests need ${name} on the path (Debian: apt-get install prometheus prometheus-alertmanager)`,
  )
}

export interface ToolOutcome {
  status: number | null
  output: string
}

export const promtool = (words: readonly string[], input?: string): ToolOutcome =>
  run('promtool', words, input)
export const amtool = (words: readonly string[]): ToolOutcome => run('amtool', words)

function run(name: 'promtool' | 'amtool', words: readonly string[], input?: string): ToolOutcome {
  const done = spawnSync(prometheusProgram(name), words, {
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  })
  return { status: done.status, output: `${done.stdout}${done.stderr}` }
}

export interface Sample {
  metric: Record<string, string>
  value: [time: number, value: string]
}

export interface Exemplar {
  seriesLabels: Record<string, string>
  exemplars: { labels: Record<string, string>; value: string; timestamp: number }[]
}

export interface Alert {
  labels: Record<string, string>
  annotations: Record<string, string>
  state: 'pending' | 'firing'
}

/** A real Prometheus of the suite's own. */
export interface Prometheus {
  url: string
  /** The samples of an instant query, now. @throws for a query that it refuses */
  query(expr: string): Promise<Sample[]>
  /** Exemplars of the last ten minutes. */
  exemplars(expr: string): Promise<Exemplar[]>
  /** Alerts that are pending or firing. */
  alerts(): Promise<Alert[]>
  /** Waits until every target was scraped this many times. */
  scraped(times?: number): Promise<void>
  close(): Promise<void>
}

/** @param rules files of rules, as they are to be evaluated each second */
export async function startPrometheus(options: {
  targets: readonly string[]
  rules?: readonly string[]
}): Promise<Prometheus> {
  const home = mkdtempSync(join(tmpdir(), 'cowry-prometheus-'))
  const port = await freePort()
  mkdirSync(join(home, 'data'))
  const config = {
    global: {
      scrape_interval: '2s',
      scrape_timeout: '2s',
      evaluation_interval: '1s',
      external_labels: { docs: 'docs' },
    },
    rule_files: options.rules ?? [],
    scrape_configs: [
      { job_name: 'cowry', static_configs: [{ targets: options.targets.map((url) => new URL(url).host) }] },
    ],
  }
  // JSON is YAML.
  writeFileSync(join(home, 'prometheus.yml'), JSON.stringify(config))
  const words = [
    `--config.file=${join(home, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(home, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
    '--enable-feature=exemplar-storage',
  ]
  const url = `http://127.0.0.1:${port}`
  const service = await startService('Prometheus', prometheusProgram('prometheus'), words, {
    stopSignal: 'SIGTERM',
    ready: async () => (await fetch(`${url}/-/ready`)).ok,
  })
  const read = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as {
      status: string
      error?: string
      data: T
    }
    if (answer.status !== 'success') throw new Error(`Prometheus: ${answer.error}`)
    return answer.data
  }
  const prometheus: Prometheus = {
    url,
    query: async (expr) => {
      const { result, resultType } = await read<{ resultType: string; result: Sample[] }>(
        `query?query=${encodeURIComponent(expr)}`,
      )
      return resultType === 'scalar' ? [{ metric: {}, value: result as unknown as Sample['value'] }] : result
    },
    exemplars: (expr) => {
      const now = Date.now() / 1000
      return read(`query_exemplars?query=${encodeURIComponent(expr)}&start=${now - 600}&end=${now + 60}`)
    },
    alerts: async () => (await read<{ alerts: Alert[] }>('alerts')).alerts,
    async scraped(times = 1) {
      await waitFor(`${times} scrapes of each target`, async () => {
        const counts = await prometheus.query('count_over_time(up[1h])')
        return (
          counts.length === options.targets.length && counts.every(({ value }) => Number(value[1]) >= times)
        )
      })
    },
    async close() {
      await service.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return prometheus
}

interface InhibitRule {
  source_matchers: string[]
  target_matchers: string[]
  equal?: string[]
}

const alertmanagerFile = join(import.meta.dirname, '../../grafana/alertmanager.yml')

/**
 * Of firing alerts, the names of those that no other holds back by the rules of grafana/alertmanager.yml,
 * which match by name.
 */
export function notHeldBack(alerts: readonly Pick<Alert, 'labels'>[]): string[] {
  const { inhibit_rules } = parse(readFileSync(alertmanagerFile, 'utf8')) as { inhibit_rules: InhibitRule[] }
  const matches = ({ labels }: Pick<Alert, 'labels'>, matchers: readonly string[]) =>
    matchers.every((matcher) => {
      const [, alternatives] = /^alertname =~? "(.*)"$/.exec(matcher) ?? []
      if (alternatives === undefined) throw new Error(`not understood: ${matcher}`)
      return new RegExp(`^(?:${alternatives})$`).test(labels.alertname ?? '')
    })
  const holds = (source: Pick<Alert, 'labels'>, target: Pick<Alert, 'labels'>) =>
    inhibit_rules.some(
      ({ source_matchers, target_matchers, equal = [] }) =>
        matches(source, source_matchers) &&
        matches(target, target_matchers) &&
        equal.every((label) => source.labels[label] === target.labels[label]),
    )
  const left = alerts.filter((target) => !alerts.some((source) => source !== target && holds(source, target)))
  return [...new Set(left.map(({ labels }) => labels.alertname ?? ''))].sort()
}
