import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { alertFiles, alertsPage, runbookOf } from '../../scripts/alertsPage.ts'
import { docsIndex } from '../../web/docs/plugin.ts'
import { searchOptions } from '../../web/src/docs/search.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const alerts = alertFiles().flatMap((file) => file.alerts)
const runbooks = globSync('docs/runbooks/*.md', { cwd: root })

describe.each(alerts.map((rule) => [rule.alert, rule] as const))('%s', (name, rule) => {
  const [page = '', anchor] = runbookOf(rule).split('#')

  test('has a name, a severity and a summary like the others', () => {
    expect(name).toMatch(/^Cowry[A-Z]\w+$/)
    expect(['page', 'ticket']).toContain(rule.labels.severity)
    expect(rule.annotations.summary).toMatch(/\.$/)
  })

  test('leads to a runbook that names it', () => {
    expect(page).toMatch(/^runbooks\//)
    expect(read(`docs/${page}`)).toContain(`\`${name}\``)
  })

  test('leads to a heading that exists', () => {
    const headings = [...read(`docs/${page}`).matchAll(/^##+ (.*)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect([undefined, ...headings]).toContain(anchor)
  })
})

test('runbooks name no alert that does not exist, and only those that lead to them', () => {
  const leading = (file: string) =>
    alerts.filter((rule) => file === `docs/${runbookOf(rule).split('#')[0]}`).map(({ alert }) => alert)
  for (const file of runbooks) {
    const named = [...read(file).matchAll(/`(Cowry[A-Z]\w+)`/g)].map(([, name]) => name)
    expect([file, [...new Set(named)].sort()]).toEqual([file, leading(file).sort()])
  }
})

test('docs/alerts.md is made of the rules', () => {
  expect(read('docs/alerts.md')).toBe(alertsPage())
})

test('alerts that hold back others exist, and so do those', () => {
  const { inhibit_rules } = parse(read('grafana/alertmanager.yml')) as {
    inhibit_rules: Record<string, string[]>[]
  }
  const names = alerts.map(({ alert }) => alert)
  const patterns = inhibit_rules.flatMap((rule) => [
    ...(rule.source_matchers ?? []),
    ...(rule.target_matchers ?? []),
  ])
  expect(patterns.length).toBeGreaterThan(5)
  for (const pattern of patterns) {
    const [, alternatives = ''] = /^alertname =~? "(.*)"$/.exec(pattern) ?? []
    for (const each of alternatives.split('|'))
      expect([each, names.some((name) => new RegExp(`^${each}$`).test(name))]).toEqual([each, true])
  }
})

/** What an operator sees, and the page that has what to do: one search for it in docs/ must lead there. */
const symptoms: [kind: 'metric' | 'alert' | 'health' | 'log' | 'error code', text: string, page: string][] = [
  ['metric', 'cowry_outbox_dead_rows', 'an-outbox-row-is-dead'],
  ['metric', 'cowry_outbox_oldest_age_seconds', 'an-outbox-row-is-dead'],
  ['metric', 'cowry_chain_gap_blocks', 'a-block-is-missing'],
  ['metric', 'cowry_chain_untraced_blocks', 'internal-transfers-are-not-read'],
  ['metric', 'cowry_rpc_refused_answers_total', 'a-provider-fails'],
  ['metric', 'cowry_webhook_stray_rows', 'webhooks-pile-up'],
  ['metric', 'cowry_audit_stray_rows', 'partitions-are-not-kept'],
  ['metric', 'cowry_mails_waiting', 'mails-do-not-leave'],
  ['metric', 'cowry_http_invalid_answers_total', 'the-api-answers-with-errors'],
  ['metric', 'cowry_collection_alarms_total', 'a-collection-is-late'],
  ['alert', 'CowryPayoutUnknownForAnHour', 'a-payout-is-unknown'],
  ['alert', 'CowryChainReadFails', 'a-chain-lags'],
  ['alert', 'CowryRestored', 'restored'],
  ['alert', 'CowryUploadsVolume', 'verifications-have-no-outcome'],
  ['health', 'redis: no answer within 2 s', 'redis-was-lost'],
  ['health', 'the Redis Cluster serves', 'redis-fails-over'],
  ['health', 'database: no answer within 2 s', 'the-database-is-away'],
  ['health', 'the database is read-only', 'the-database-is-away'],
  ['log', 'the treasury refused to sign', 'the-treasury-refuses-a-row'],
  ['log', 'another provider does not have this block, or not these payments', 'a-dispute'],
  ['log', 'this part failed; restarting', 'a-process-is-down'],
  ['log', 'a payment names no session', 'money-is-in-suspense'],
  ['log', 'an intent waits for a lower fee', 'a-transfer-waits-for-a-lower-fee'],
  ['error code', 'fee_too_high', 'a-transfer-waits-for-a-lower-fee'],
  ['error code', 'chain_unavailable', 'the-api-answers-with-errors'],
  ['error code', 'chain_not_ready', 'the-api-answers-with-errors'],
  ['error code', 'pricing_not_configured', 'errors'],
  ['error code', 'banks_unavailable', 'errors'],
  ['error code', 'insufficient_permission', 'errors'],
  ['log', 'canceling statement due to statement timeout', 'the-database-is-slow'],
]

describe('one search in docs/ leads from a symptom to its page', () => {
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
  const pages = runbooks.map((file) => ({ file, text: flat(read(file)) }))
  const sources = globSync('{api,indexers,queues,src,treasury,grafana/alerts}/**/*.{ts,yml}', {
    cwd: root,
  }).filter((file) => !file.endsWith('.test.ts'))
  const written = () => sources.map(read).join('\n')

  test('has at least 20 symptoms, of five kinds, five of them error codes', () => {
    expect(symptoms.length).toBeGreaterThanOrEqual(20)
    expect(new Set(symptoms.map(([kind]) => kind)).size).toBe(5)
    expect(symptoms.filter(([kind]) => kind === 'error code').length).toBeGreaterThanOrEqual(5)
  })

  const index = docsIndex()
  test.each(symptoms)('the search of /docs shows the page of %s: %s → %s', (_kind, text, page) => {
    const hits = index.search(text, searchOptions).slice(0, 12) as unknown as { path: string }[]
    const place = page === 'errors' ? '/docs/errors' : `/docs/runbooks/${page}`
    expect(hits.map(({ path }) => path.split('#')[0])).toContain(place)
  })

  test.each(symptoms.filter(([kind]) => kind !== 'error code'))('%s: %s → %s', (_kind, text, page) => {
    const found = pages.filter((each) => each.text.includes(text)).map(({ file }) => file)
    expect(found).toContain(`docs/runbooks/${page}.md`)
    // More than a few pages would be no lead.
    expect(found.length).toBeLessThanOrEqual(3)
  })

  test('each symptom is one that Cowry shows', () => {
    const all = written()
    const fromPostgres = ['canceling statement due to statement timeout']
    const parts = (text: string) =>
      text.includes(': no answer')
        ? [`'${text.split(':')[0]}'`, 'no answer within 2 s']
        : [text.replace(/^cowry_/, '')]
    for (const [, text] of symptoms) {
      if (fromPostgres.includes(text)) continue
      for (const part of parts(text)) expect([text, all.includes(part)]).toEqual([text, true])
    }
  })
})
