import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { kubernetesFiles, workerGroups } from '../../scripts/kubernetes/manifests.ts'
import { queueNames } from '../../src/capabilities.ts'
import { readConfig } from '../../src/platform/config.ts'
import { own, read, root, type Service } from '../support/composeFile.ts'

const files = kubernetesFiles(read('docker-compose.yml'))
const folder = 'deploy/kubernetes'

interface Entry {
  name: string
  value?: string
  valueFrom?: Record<string, { name: string; key: string; optional?: boolean }>
}
interface Container {
  args: string[]
  env: Entry[]
  securityContext: object
  readinessProbe?: object
}
interface Workload {
  kind: string
  metadata: { name: string }
  spec: {
    strategy?: object
    template: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[]; terminationGracePeriodSeconds: number }
    }
  }
}

const objects = Object.entries(files)
  .filter(([path]) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
  .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJSON() as Workload))
const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const containerOf = ({ spec }: Workload): Container => {
  const [container] = spec.template.spec.containers
  if (!container) throw new Error('no container')
  return container
}
const serviceOf = (workload: Workload): Service => {
  const { name } = workload.metadata
  const found = own.find((each) => each.name === (name.startsWith('worker-') ? 'worker' : name))
  if (!found) throw new Error(`docker-compose.yml has no ${name}`)
  return found.service
}
const refOf = ({ valueFrom }: Entry) => Object.values(valueFrom ?? {})[0]

test('the files are those that docker-compose.yml gives', () => {
  for (const [path, text] of Object.entries(files)) expect([path, read(path)]).toEqual([path, text])
})

test('every program of docker-compose.yml runs, each with its arguments', () => {
  const programs = new Set(
    workloads.map((workload) =>
      containerOf(workload).args.slice(0, serviceOf(workload).command?.length).join(' '),
    ),
  )
  expect(programs).toEqual(new Set(own.map(({ service }) => service.command?.join(' '))))
})

test('a rolling restart takes no pod away before the next is ready, and lets each use its whole time', () => {
  const { API_DRAIN_SECONDS, SHUTDOWN_SECONDS } = readConfig(['API_DRAIN_SECONDS', 'SHUTDOWN_SECONDS'], {})
  for (const { kind, metadata, spec } of workloads) {
    if (kind !== 'Deployment') continue
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      API_DRAIN_SECONDS + SHUTDOWN_SECONDS,
    )
    // Its volume belongs to one machine.
    const rolls = metadata.name !== 'verification'
    expect([metadata.name, spec.strategy]).toEqual([
      metadata.name,
      rolls
        ? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
        : { type: 'Recreate' },
    ])
  }
})

test('every queue has workers, and belongs to one group', () => {
  expect(Object.values(workerGroups).flat().sort()).toEqual([...queueNames].sort())
  const asked = workloads
    .filter(({ metadata }) => metadata.name.startsWith('worker-'))
    .map((workload) => containerOf(workload).args.slice(2))
  expect(asked).toEqual(Object.values(workerGroups))
})

test('workers scale by a metric that exists', () => {
  const named = [
    ...Object.values(files)
      .join('')
      .matchAll(/metric:\s+name: (\w+)/g),
  ].map(([, name]) => name)
  expect(named).toHaveLength(queueNames.length)
  for (const name of named) expect(read('grafana/dashboards/queues.json')).toContain(`(${name})`)
})

describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
  '%s',
  (_name, workload) => {
    const { env, securityContext, readinessProbe } = containerOf(workload)
    const given = serviceOf(workload).environment ?? {}

    test('gets the variables that compose gives it, and the parts of its URLs', () => {
      const names = env.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(Object.keys(given)))
      const urls = Object.entries(given).filter(([, value]) => value.includes('://'))
      const parts = names.filter((name) => !(name in given))
      const url = urls.map(([name]) => env.find((entry) => entry.name === name)?.value ?? '').join(' ')
      for (const part of parts) expect(url).toContain(`$(${part})`)
      // Kubernetes knows only what comes before.
      for (const [index, { value = '' }] of env.entries())
        for (const [, part] of value.matchAll(/\$\((\w+)\)/g)) expect(names.slice(0, index)).toContain(part)
    })

    test('does not start without what compose does not start without, and starts without the rest', () => {
      const optional = (name: string) =>
        refOf(env.find((entry) => entry.name === name) as Entry)?.optional ?? false
      for (const [name, value] of Object.entries(given))
        if (/^\$\{\w+:[?-]/.test(value)) expect([name, optional(name)]).toEqual([name, value.includes(':-')])
    })

    test('reads passwords and keys from Secrets, and what is public from the ConfigMap', () => {
      for (const { name, value, valueFrom } of env) {
        const isPublic = /PUBLIC_KEYS$|_TOKEN_MESSENGER$|^API_STREAMS_PER_KEY$/.test(name)
        if (!isPublic && !/PASSWORD|SECRET|KEY$|TOKEN|_RPC_URLS$|^OTEL_EXPORTER_OTLP_HEADERS$/.test(name))
          continue
        expect([name, value, Object.keys(valueFrom ?? {})]).toEqual([
          name,
          undefined,
          [isPublic ? 'configMapKeyRef' : 'secretKeyRef'],
        ])
      }
    })

    test('runs without rights on its machine, and has a probe', () => {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(readinessProbe !== undefined).toBe(workload.kind === 'Deployment')
    })

    test('is on the networks of compose', () => {
      const { labels } = workload.spec.template.metadata
      const networks = Object.keys(labels).flatMap((label) => /^cowry\.network\/(.+)$/.exec(label)?.[1] ?? [])
      expect(networks.sort()).toEqual([...(serviceOf(workload).networks ?? [])].sort())
    })
  },
)

test('the secrets and public names that the test of Secrets searches for are given', () => {
  const names = new Set(workloads.flatMap((workload) => containerOf(workload).env.map(({ name }) => name)))
  for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'API_STREAMS_PER_KEY', 'ETHEREUM_CCTP_TOKEN_MESSENGER'])
    expect([...names]).toContain(name)
})

test('where a HorizontalPodAutoscaler decides how many pods run, applying the files again changes nothing', () => {
  const scaled = objects
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    .map(({ metadata }) => metadata.name)
  expect(scaled).toHaveLength(1 + Object.keys(workerGroups).length)
  for (const { kind, metadata, spec } of workloads) {
    if (kind !== 'Deployment') continue
    const { replicas, template } = spec as {
      replicas?: number
      template: { spec: { topologySpreadConstraints?: object[] } }
    }
    expect([metadata.name, replicas === undefined]).toEqual([metadata.name, scaled.includes(metadata.name)])
    // Several pods are on several machines.
    expect([metadata.name, template.spec.topologySpreadConstraints?.length]).toEqual([
      metadata.name,
      replicas === 1 ? undefined : 1,
    ])
  }
})

test('names are resolved by pods, and by the cache of each machine', () => {
  const to = [{ namespaceSelector: {} }, { ipBlock: { cidr: '169.254.20.10/32' } }]
  expect(objects.find(({ metadata }) => metadata.name === 'cowry-names')).toMatchObject({
    spec: { egress: [{ to, ports: [{ port: 53 }, { port: 53 }] }] },
  })
})

test('the key of the seed is in the Secret of the treasury, the key of personal data in that of the verification host', () => {
  const readers = (secret: string) =>
    workloads
      .filter((workload) => containerOf(workload).env.some((entry) => refOf(entry)?.name === secret))
      .map(({ metadata }) => metadata.name)
  // Migrations give the roles their passwords.
  expect(readers('cowry-treasury').sort()).toEqual(['migrate', 'treasury'])
  expect(readers('cowry-verification').sort()).toEqual(['migrate', 'verification'])
  expect(readers('cowry-owner')).toEqual(['migrate'])
})

test('each file that a kustomization names exists', () => {
  const kustomizations = [
    ...Object.keys(files).filter((path) => path.endsWith('kustomization.yaml')),
    `${folder}/example/kustomization.yaml`,
  ]
  for (const path of kustomizations) {
    const { resources = [], components = [] } = parse(read(path)) as {
      resources?: string[]
      components?: string[]
    }
    for (const named of [...resources, ...components])
      expect([path, named, existsSync(join(root, dirname(path), named))]).toEqual([path, named, true])
  }
  const { configMapGenerator, secretGenerator } = parse(
    read(`${folder}/example/kustomization.yaml`),
  ) as Record<string, { name: string; envs: string[] }[]>
  for (const { envs } of [...(configMapGenerator ?? []), ...(secretGenerator ?? [])])
    for (const file of envs) expect(files).toHaveProperty([`${folder}/example/${file}.example`])
})
