import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { commandNames, entryOf } from '../../commands/table.ts'
import { queueNames, settingsOf } from '../../src/capabilities.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { chainNames } from '../../src/chains/registry.ts'
import { keyProviderSettings } from '../../src/custody/settings.ts'
import { partnerPaymentSettings } from '../../src/partnerPayments/settings.ts'
import {
  type ConfigName,
  configNames,
  readConfig,
  readConfigOf,
  readSettings,
} from '../../src/platform/config.ts'
import { processVariables } from '../../src/platform/processVariables.ts'
import { redisRules } from '../../src/platform/redis/redisUsers.ts'
import { isOldName } from '../../src/platform/renamedSettings.ts'
import type { Settings } from '../../src/platform/settings.ts'
import { feedSettings, partnerSettings } from '../../src/pricing/settings.ts'
import {
  compose,
  environmentOf,
  filledIn,
  interpolate,
  nodes,
  read,
  root,
  type Service,
  own as services,
  switchedOn,
} from '../support/composeFile.ts'
import { dockerCommands, programOf, roleOf } from '../support/dockerCommands.ts'

const all = Object.entries(compose.services)
const own = services.map((each) => ({ ...each, program: programOf(each.service.command ?? []) }))
const indexer = entryOf('run indexer').program

/** Supported chains, each with the variables of the registry. */
const chainVariables = new Map(
  chainNames.flatMap((chain) => {
    const prefix = `${chain.toUpperCase()}_`
    const asked = new Set<string>()
    const env = new Proxy<NodeJS.ProcessEnv>(
      { [`${prefix}RPC_URLS`]: 'http://localhost' },
      {
        get(target, name) {
          if (String(name).startsWith(prefix) && !isOldName(String(name))) asked.add(String(name))
          return target[String(name)]
        },
      },
    )
    return configuredChains(env).chains.length > 0 ? [[chain as string, [...asked]] as const] : []
  }),
)

/** What docker-compose.yml passes on of OpenTelemetry's variables, to each process. */
const tracing = ['ENDPOINT', 'HEADERS']
  .map((name) => `OTEL_EXPORTER_OTLP_${name}`)
  .concat(['OTEL_RESOURCE_ATTRIBUTES', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'])

/** The variables that a program reads, by its source. */
function readBy(program: string): {
  own: ConfigName[]
  registered: Settings[]
  names: ConfigName[]
  chains: boolean
} {
  const named = (source: string) =>
    [...source.matchAll(/(?:readConfig\(|readConfigOf\(\s*'\w+',\s*)\[([^\]]*)\]/g)].flatMap(
      ([, list]) => list?.match(/\w+/g) ?? [],
    )
  const main = read(program)
  const started = [...main.matchAll(/from '([./\w]+\/start[A-Z]\w+\.ts)'/g)].map(([, file]) =>
    read(join(dirname(program), file ?? '')),
  )
  const source = [main, ...started].join('\n')
  const isProcess = source.includes('runProcess(')
  const listed = [...source.matchAll(/processVariables\.(?!ts)(\w+)/g)].flatMap(
    ([, part]) => processVariables[part as keyof typeof processVariables],
  )
  const listedOwn = [...named(source), ...listed, ...(isProcess ? processVariables.every : [])]
  // Applied to each URL of the database, wherever one is read.
  const own = [...listedOwn, ...(listedOwn.includes('DATABASE_URL') ? ['DATABASE_CA_FILE'] : [])]
  expect(configNames).toEqual(expect.arrayContaining(own))
  const registered: Settings[] = [...source.matchAll(/settingsOf\('(api|worker|treasury)'\)/g)].flatMap(
    ([, part]) => settingsOf(part as 'api'),
  )
  if (/readConfigOf\([^)]*keyProviderSettings/.test(source)) registered.push(keyProviderSettings)
  if (/readSettings\('worker', partnerSettings\)/.test(source))
    registered.push(partnerSettings, partnerPaymentSettings)
  if (/readSettings\('worker', feedSettings\)/.test(source)) registered.push(feedSettings)
  const single = [
    ...source.matchAll(/readSettings\('\w+', (\w+Settings(?:\.\w+)?)\)\.(\w+)/g),
    ...source.matchAll(/\{ (\w+) \} = readSettings\(/g),
  ].map((match) => match.at(-1) ?? '')
  const names = [
    ...own,
    ...(isProcess ? tracing : []),
    ...registered.flatMap(({ variables }) => Object.keys(variables)),
    ...single,
  ]
  return {
    own: own as ConfigName[],
    registered,
    names: names as ConfigName[],
    chains: /\b(configuredChains|connectChains|chainFromArguments)\(/.test(source),
  }
}

/** The chains whose variables a service needs: an indexer its own, every other service all. */
function chainsOf({ command }: Service, chains: boolean): string[] {
  if (!chains) return []
  return command?.slice(0, 2).join(' ') === 'run indexer' ? [command[2] ?? ''] : [...chainVariables.keys()]
}

/** Variables that `.env` does not change, and why. */
const fixed: Partial<Record<ConfigName, string>> = {
  API_HOST: "a container's port is reached from outside of it",
  DATABASE_DIRECT_URL: 'there is no pooler in front of Postgres',
  QUEUE_PREFIX: 'this Redis serves Cowry alone, and its users are limited to the prefix',
  SHUTDOWN_SECONDS: 'stop_grace_period is longer than the default',
}

/** True if every network of a service is internal. */
const leadsNowhere = (service: Service | undefined) =>
  service?.networks?.every((network) => compose.networks[network]?.internal === true)

/** True if the last stage of the image copies a program. */
const inImage = (program: string) =>
  program.endsWith('.ts') &&
  [...read('Dockerfile').matchAll(/^COPY (?!--)(.*) \S+$/gm)].some(([, sources]) =>
    sources?.split(' ').some((source) => program === source || program.startsWith(`${source}/`)),
  )

describe('docker-compose.yml', () => {
  test('runs every program of production', () => {
    const programs = commandNames
      .filter((name) => (name.startsWith('run ') && name !== 'run all') || name === 'migrate')
      .map((name) => entryOf(name).program)
    expect(programs.length).toBe(6)
    expect(new Set(own.map(({ program }) => program))).toEqual(new Set(programs))
  })

  test('has an indexer for each supported chain', () => {
    const indexers = own.filter(({ program }) => program === indexer)
    expect(indexers.map(({ service }) => service.command?.[2])).toEqual([...chainVariables.keys()])
    expect(indexers.map(({ name }) => name)).toEqual(
      [...chainVariables.keys()].map((chain) => `indexer-${chain}`),
    )
  })

  test('runs an indexer exactly where the API takes payments: where the chain has nodes', () => {
    const running = (env: Record<string, string>) =>
      own
        .filter(({ service }) => Number.parseInt(interpolate(service.deploy?.replicas ?? '1', env), 10) === 1)
        .flatMap(({ program, service }) => (program === indexer ? [service.command?.[2]] : []))
    expect(running({ ...filledIn, ...nodes })).toEqual(switchedOn)
    expect(running(filledIn)).toEqual([])
    for (const { program, service } of own)
      expect([program, service.deploy !== undefined]).toEqual([program, program === indexer])
  })

  test.each(own)('$name runs a program that exists', ({ program }) => {
    expect(existsSync(join(root, program))).toBe(true)
  })

  test.each(own)('$name gets the variables that its program reads, and no others', ({ service, program }) => {
    const { names, chains } = readBy(program)
    const given = Object.keys(service.environment ?? {})
    const ofChains = chainsOf(service, chains).flatMap((chain) => chainVariables.get(chain) ?? [])
    expect(given.filter((name) => !names.includes(name as ConfigName) && !ofChains.includes(name))).toEqual(
      [],
    )
    // An operator's setting in `.env` must reach the program.
    expect([...names, ...ofChains].filter((name) => !given.includes(name) && !(name in fixed))).toEqual([])
  })

  test('passes each setting on under its own name', () => {
    const ours = all.filter(([, service]) => service.build === '.')
    const passed = ours.flatMap(([, { environment }]) =>
      Object.entries(environment ?? {}).flatMap(([name, value]) => {
        const [, from] = /^\$\{(\w+)/.exec(value) ?? []
        return from === undefined ? [] : [[name, from]]
      }),
    )
    expect(passed.length).toBeGreaterThan(500)
    expect(passed.filter(([name, from]) => name !== from)).toEqual([])
  })

  test.each(own)('$name can use its environment once .env is filled in', ({ service, program }) => {
    const { own, registered, chains } = readBy(program)
    const env = environmentOf(service)
    readConfigOf('api', own, env, registered)
    const configured = configuredChains(env)
    expect(configured.mistakes).toEqual([])
    expect(configured.chains.map((chain) => chain.name)).toEqual(
      chainsOf(service, chains).filter((chain) => switchedOn.includes(chain)),
    )
  })

  // With a key of AWS KMS there is no SEED_KEY: the treasury reports which one is missing.
  const others = Object.keys(filledIn).filter((name) => name !== 'SEED_KEY')
  test('has a treasury that does not start without a key of its provider', () => {
    const treasury = own.find(({ name }) => name === 'treasury')
    if (!treasury) throw new Error('no treasury')
    const started = (more: Record<string, string>) =>
      readSettings('treasury', keyProviderSettings, { ...environmentOf(treasury.service), ...more })
    expect(() => started({ SEED_KEY: '' })).toThrow('SEED_KEY is not set')
    expect(() => started({ SEED_KEY: '', SEED_KEY_PROVIDER: 'aws-kms' })).toThrow('KMS_KEY_ARN is not set')
    expect(started({}).SEED_KEY_PROVIDER).toBe('env')
  })

  test.each(others)('does not start without %s', (name) => {
    const without = { ...filledIn, [name]: '' }
    const start = () => {
      for (const [, { environment, command }] of all)
        for (const value of [...Object.values(environment ?? {}), ...(command ?? [])])
          interpolate(String(value), without)
    }
    expect(start).toThrow(`${name} is missing`)
  })

  test('contains no secret itself', () => {
    const secrets = all.flatMap(([, service]) =>
      Object.entries(service.environment ?? {}).filter(([name]) => /KEY|SECRET|PASSWORD/.test(name)),
    )
    expect(secrets.length).toBeGreaterThan(5)
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:(\?.+|-)\}$/)
    const urls = all.flatMap(([, service]) =>
      Object.entries(service.environment ?? {}).filter(([name]) => /(DATABASE|REDIS)_URL$/.test(name)),
    )
    expect(urls.length).toBeGreaterThan(10)
    for (const [, value] of urls)
      expect(value).toMatch(
        /^\w+:\/\/\w+:\$\{\w+_PASSWORD:\?[^}]+\}@((postgres|restored):5432\/cowry|redis:6379)$/,
      )
  })

  test('gives the key of the seed to the treasury alone', () => {
    expect(
      all.filter(([, service]) => JSON.stringify(service).includes('SEED_KEY')).map(([name]) => name),
    ).toEqual(['treasury', 'open-account', 'custody'])
    expect(all.filter(([, service]) => service.env_file !== undefined)).toEqual([])
  })

  test('gives the key of personal data to the verification host alone, and to the command that rolls it', () => {
    const given = all
      .filter(([, service]) => JSON.stringify(service).includes('VERIFY_KEY'))
      .map(([name]) => name)
    expect(given).toEqual(['verification', 'custody'])
  })

  test('mounts only what exists', () => {
    const mounts = all.flatMap(([, service]) =>
      (service.volumes ?? []).map((volume) => volume.split(':')[0] as string),
    )
    const paths = mounts.filter((source) => source.startsWith('.'))
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) expect([path, existsSync(join(root, path))]).toEqual([path, true])
    expect(new Set(mounts.filter((source) => !source.startsWith('.')))).toEqual(
      new Set(Object.keys(compose.volumes)),
    )
  })

  test('waits for migrations, and for services to be ready', () => {
    for (const { name, service } of own) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(compose.services).toHaveProperty(needed)
        if (condition === 'service_healthy') expect(compose.services[needed]).toHaveProperty('healthcheck')
      }
      if (name !== 'migrate')
        expect(service.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' })
    }
  })

  test('lets a rolling restart wait for a process that is ready, and each process use its whole time', () => {
    const { API_DRAIN_SECONDS, SHUTDOWN_SECONDS } = readConfig(['API_DRAIN_SECONDS', 'SHUTDOWN_SECONDS'], {})
    const rolled = own.filter(({ program }) => program !== 'commands/migrate.ts')
    for (const { service } of rolled) {
      expect(service.healthcheck?.test?.join(' ')).toContain('http://127.0.0.1:9464/health/ready')
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(
        API_DRAIN_SECONDS + SHUTDOWN_SECONDS,
      )
    }
    const ports = (env: Record<string, string>) => interpolate(compose.services.api?.ports?.[0] ?? '', env)
    expect([{}, { PORT: '3005' }, { API_PORTS: '3000-3001' }].map(ports)).toEqual(
      ['3000', '3005', '3000-3001'].map((port) => `127.0.0.1:${port}:3000`),
    )
  })

  test('leaves the running Postgres as it is in a rolling restart, and in a drill with a copy of .env', () => {
    const blocks = ['docs/upgrades.md', 'docs/backup.md'].flatMap((page) =>
      [...read(page).matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text),
    )
    const careful = blocks.filter((text) => text.includes('roll()') || text.includes('--env-file <copy>'))
    const commands = careful.map((text) => text.match(/docker compose .*\b(up|run|build)\b.*/g) ?? [])
    expect(commands.map(({ length }) => length)).toEqual([4, 2])
    for (const command of commands.flat()) expect(command).toMatch(/ --no-deps | build api$/)
  })

  test('publishes ports on this machine only', () => {
    for (const [, service] of all)
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  test('connects each process to the database with a role of its own, the owner’s for migrations and the operator alone', () => {
    const userOf = (service: Service) =>
      new URL(String(service.environment?.DATABASE_URL).replace(/\$\{[^}]*\}/g, 'x')).username
    const users = Object.fromEntries(
      all
        .filter(([, service]) => service.environment?.DATABASE_URL)
        .map(([name, service]) => [name, userOf(service)]),
    )
    const indexers = Object.keys(users).filter((name) => name.startsWith('indexer-'))
    expect(users).toEqual({
      migrate: 'cowry',
      operator: 'cowry',
      'check-backup': 'cowry',
      custody: 'cowry',
      api: 'cowry_api',
      worker: 'cowry_worker',
      treasury: 'cowry_treasury',
      verification: 'cowry_verification',
      'open-account': 'cowry_treasury',
      ...Object.fromEntries(indexers.map((name) => [name, 'cowry_indexer'])),
    })
  })

  test('gives keys for intents to the api and keys for requests to the worker, and neither to the treasury', () => {
    const having = (name: string) =>
      all.filter(([, service]) => service.environment?.[name] !== undefined).map(([service]) => service)
    expect(having('API_INTENT_KEY')).toEqual(['api', 'operator'])
    expect(having('WORKER_INTENT_KEY')).toEqual(['worker'])
    expect(having('API_INTENT_PUBLIC_KEYS')).toEqual(['worker', 'treasury'])
  })

  test('keeps database and Redis on internal networks, and each service off networks that it does not need', () => {
    const on = (network: string) =>
      all.filter(([, service]) => service.networks?.includes(network)).map(([name]) => name)
    expect(all.filter(([, service]) => service.networks === undefined)).toEqual([])
    expect(leadsNowhere(compose.services.postgres)).toBe(true)
    expect(leadsNowhere(compose.services.redis)).toBe(true)
    expect(on('redis').sort()).toEqual(['api', 'redis', 'verification', 'worker'])
    expect(on('edge').sort()).toEqual(['alertmanager', 'api', 'grafana', 'prometheus', 'verification'])
    expect(on('outside').filter((name) => compose.services[name]?.build === undefined)).toEqual([])
    for (const [, service] of all) if (service.ports) expect(service.networks).toContain('edge')
  })

  test('connects the treasury with the database and Prometheus alone', () => {
    const { networks = [] } = compose.services.treasury ?? {}
    const peers = all.filter(
      ([name, service]) =>
        name !== 'treasury' && service.networks?.some((network) => networks.includes(network)),
    )
    // Once, by hand, and with the treasury's own password.
    expect(peers.map(([name]) => name).sort()).toEqual(['open-account', 'postgres', 'prometheus'])
    expect(leadsNowhere(compose.services.treasury)).toBe(true)
    const [shared] = networks.filter((network) => compose.services.prometheus?.networks?.includes(network))
    expect(
      all.filter(([, service]) => service.networks?.includes(shared ?? '')).map(([name]) => name),
    ).toEqual(['treasury', 'prometheus'])
  })

  test('starts a Redis that persists its data and evicts nothing, with the users of the processes', () => {
    const [server, ...words] = (compose.services.redis?.command ?? []).map((word) =>
      word.replace(/\$\{(\w+):\?[^}]*\}/, '$1'),
    )
    const [settings, ...users] = words.join(' ').split(' --user ')
    expect([server, settings]).toEqual(['redis-server', '--appendonly yes --maxmemory-policy noeviction'])
    const rules = redisRules(queueNames)
    expect(users).toEqual([
      'default on nopass resetkeys resetchannels -@all +ping',
      `api on >API_REDIS_PASSWORD ${rules.api.join(' ')}`,
      `worker on >WORKER_REDIS_PASSWORD ${rules.worker.join(' ')}`,
      `verification on >VERIFICATION_REDIS_PASSWORD ${rules.verification.join(' ')}`,
    ])
  })
})

describe("the database's image", () => {
  const archiving = ['postgres', 'backup', 'restore', 'restored'].map(
    (name) => compose.services[name] as Service,
  )
  const folder = 'deploy/postgres'
  const dockerfile = read(`${folder}/Dockerfile`)
  const configuration = read(`${folder}/pgbackrest.conf`)

  test('archives, backs up and restores with one image, one configuration, one key and one repository', () => {
    expect(new Set(archiving.map(({ image, build }) => `${image} of ${build}`))).toEqual(
      new Set([`cowry-postgres of ${folder}`]),
    )
    expect(new Set(archiving.map(({ environment }) => environment?.PGBACKREST_REPO1_CIPHER_PASS)).size).toBe(
      1,
    )
    const [repository = ''] = /(?<=^repo1-path=).*/m.exec(configuration) ?? []
    for (const { volumes } of archiving) expect(volumes).toContain(`backups:${repository}`)
    expect(configuration).toMatch(/^repo1-cipher-type=aes-256-cbc$/m)
    expect(compose.services.postgres?.command).toEqual(
      expect.arrayContaining(['archive_mode=on', 'archive_command=pgbackrest archive-push %p']),
    )
  })

  test('finds the data of its own version of Postgres, reads them only, and meets the server at a socket', () => {
    const [, major] = /^FROM postgres:(\d+)$/m.exec(dockerfile) ?? []
    // Of docker-library/postgres: PGDATA of version 18 and later.
    expect(configuration).toContain(`pg1-path=/var/lib/postgresql/${major}/docker\n`)
    expect(compose.services.postgres?.volumes).toEqual(
      expect.arrayContaining(['postgres:/var/lib/postgresql', 'postgres-socket:/var/run/postgresql']),
    )
    expect(compose.services.backup?.volumes).toEqual(
      expect.arrayContaining(['postgres:/var/lib/postgresql:ro', 'postgres-socket:/var/run/postgresql']),
    )
    expect(leadsNowhere(compose.services.backup)).toBe(true)
    expect(leadsNowhere(compose.services.restored)).toBe(true)
    expect(leadsNowhere(compose.services.restore)).toBe(true)
  })

  test('is built from files that exist, and runs programs that it copies', () => {
    const copied = [...dockerfile.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, sources]) =>
      (sources ?? '').split(' '),
    )
    for (const file of copied) expect([file, existsSync(join(root, folder, file))]).toEqual([file, true])
    for (const name of ['backup', 'restore', 'restored'])
      expect(copied).toContain(compose.services[name]?.command?.[0])
  })
})

describe("the operator's commands", () => {
  const documented = dockerCommands.map((command) => ({ ...command, program: programOf(command.words) }))

  test('are documented to run in a container of their own, by a program that exists', () => {
    expect(documented.length).toBeGreaterThan(8)
    for (const { file, how, service, program } of documented) {
      expect([file, how, compose.services[service]?.build]).toEqual([file, 'run --rm', '.'])
      expect([file, existsSync(join(root, program))]).toEqual([file, true])
    }
  })

  test('are all documented for Docker', () => {
    const programs = commandNames.map((name) => entryOf(name).program)
    const services = new Set(own.map(({ program }) => program))
    // `cowry` is api, worker and indexers in one; keys of intents are printed, and need no database; `init`
    // makes what Compose reads.
    const others = ['commands/run/all.ts', 'commands/intentKeys.ts', 'commands/init.ts']
    const commands = programs.filter(
      (program) => inImage(program) && !services.has(program) && !others.includes(program),
    )
    // Migrations are a service, and also run by hand before a rolling restart.
    const shown = documented
      .map(({ program }) => program)
      .filter((program) => program !== 'commands/migrate.ts')
    expect([...new Set(shown)].sort()).toEqual(commands.sort())
  })

  test.each(documented)(
    '$service has what $program reads, the chains that it may be about, and its role: $file',
    ({ service, program }) => {
      const { names, chains } = readBy(program)
      const given = Object.keys(compose.services[service]?.environment ?? {})
      const expected = names.filter((name) => !(name in fixed))
      expect(given).toEqual(
        expect.arrayContaining([...expected, ...(chains ? [...chainVariables.values()].flat() : [])]),
      )
      // It examines each service as that runs.
      if (program === 'commands/doctor.ts') return
      expect([program, roleOf(service)]).toEqual([
        program,
        ['commands/openAccount.ts', 'commands/rollWalletKey.ts'].includes(program) ? 'treasury' : null,
      ])
    },
  )

  test.each(['operator', 'open-account', 'custody'])(
    'in %s get no variable that they do not read',
    (service) => {
      const read = documented
        .filter((each) => each.service === service)
        .flatMap(({ program }) => readBy(program).names as string[])
      const understood = [...read, ...[...chainVariables.values()].flat()]
      expect(
        Object.keys(compose.services[service]?.environment ?? {}).filter(
          (name) => !understood.includes(name),
        ),
      ).toEqual([])
    },
  )
})

describe('grafana/', () => {
  test('Prometheus scrapes every process, on its port', () => {
    const { scrape_configs } = parse(read('grafana/prometheus.yml')) as {
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[]
    }
    const scraped = scrape_configs.flatMap((job) =>
      job.dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    )
    const serving = own
      .filter(({ service }) => service.environment?.METRICS_PORT !== undefined)
      .map(({ name, service }) => `${name}:${service.environment?.METRICS_PORT}`)
    expect(scraped.sort()).toEqual(serving.sort())
    expect(
      own.filter(
        ({ name, service }) => name !== 'migrate' && service.environment?.METRICS_HOST !== '0.0.0.0',
      ),
    ).toEqual([])
  })

  test('Prometheus finds the rules where they are mounted, and Alertmanager where it listens', () => {
    const { rule_files, alerting } = parse(read('grafana/prometheus.yml')) as {
      rule_files: string[]
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] }
    }
    expect(rule_files).toEqual(['/etc/prometheus/alerts/*.yml'])
    expect(compose.services.prometheus?.volumes).toContain('./grafana/alerts:/etc/prometheus/alerts:ro')
    expect(
      alerting.alertmanagers.flatMap((each) => each.static_configs.flatMap(({ targets }) => targets)),
    ).toEqual(['alertmanager:9093'])
    const { networks = [], volumes = [] } = compose.services.alertmanager ?? {}
    expect(networks.some((network) => compose.services.prometheus?.networks?.includes(network))).toBe(true)
    expect(volumes).toContain('./grafana/alertmanager.yml:/etc/alertmanager/alertmanager.yml:ro')
  })

  test('links of alerts and panels lead to where Grafana serves the docs', () => {
    const { global } = parse(read('grafana/prometheus.yml')) as {
      global: { external_labels: { docs: string } }
    }
    const [port] = (compose.services.grafana?.ports ?? []).map((each) => each.split(':')[1])
    expect(global.external_labels.docs).toBe(`http://localhost:${port}/public/docs`)
    expect(compose.services.grafana?.volumes).toContain('./docs:/usr/share/grafana/public/docs:ro')
  })

  test('Grafana finds Prometheus and the dashboards where they are', () => {
    const { datasources } = parse(read('grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { url: string; jsonData: { exemplarTraceIdDestinations: object[] } }[]
    }
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090'])
    // From a latency to its trace: Prometheus keeps the exemplars, Grafana links them by the label that
    // histograms give them.
    expect(compose.services.prometheus?.command).toContain('--enable-feature=exemplar-storage')
    expect(datasources[0]?.jsonData.exemplarTraceIdDestinations).toEqual([
      expect.objectContaining({ name: 'trace_id', url: '$TRACE_URL$${__value.raw}' }),
    ])
    expect(compose.services.grafana?.environment).toHaveProperty('TRACE_URL')
    expect(compose.services).toHaveProperty('prometheus')
    const { providers } = parse(read('grafana/provisioning/dashboards/cowry.yml')) as {
      providers: { options: { path: string } }[]
    }
    const mounted = (compose.services.grafana?.volumes ?? []).map((volume) => volume.split(':'))
    for (const { options } of providers)
      expect(mounted).toContainEqual(['./grafana/dashboards', options.path, 'ro'])
  })
})
