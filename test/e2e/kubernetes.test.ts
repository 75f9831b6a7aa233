import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { kubernetesFiles, workerGroups } from '../../scripts/kubernetes/manifests.ts'
import { queueNames } from '../../src/capabilities.ts'
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
  spec: { template: { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } } }
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
  const programs = new Set(workloads.map((workload) => containerOf(workload).args.slice(0, serviceOf(workload).command?.length).join(' ')))
  expect(programs).toEqual(new Set(own.map(({ service }) => service.command?.join(' '))))
})

test('every queue has workers, and belongs to one group', () => {
  expect(Object.values(workerGroups).flat().sort()).toEqual([...queueNames].sort())
  const asked = workloads.filter(({ metadata }) => metadata.name.startsWith('worker-')).map((workload) => containerOf(workload).args.slice(1))
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

describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))('%s', (_name, workload) => {
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
    const optional = (name: string) => refOf(env.find((entry) => entry.name === name) as Entry)?.optional ?? false
    for (const [name, value] of Object.entries(given))
      if (/^\$\{\w+:[?-]/.test(value)) expect([name, optional(name)]).toEqual([name, value.includes(':-')])
  })

  test('reads passwords and keys from Secrets', () => {
    for (const { name, value, valueFrom } of env) {
      if (!/PASSWORD|SECRET|KEY$|_RPC_URLS$/.test(name)) continue
      expect([name, value, Object.keys(valueFrom ?? {})]).toEqual([name, undefined, ['secretKeyRef']])
    }
  })

  test('runs without rights on its machine, and has a probe', () => {
    expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    expect(readinessProbe !== undefined).toBe(workload.kind === 'Deployment')
  })

  test('is on the networks of compose', () => {
    const { labels } = workload.spec.template.metadata
    const networks = Object.keys(labels).flatMap((label) => /^cowry\.network\/(.+)$/.exec(label)?.[1] ?? [])
    expect(networks.sort()).toEqual([...(serviceOf(workload).networks ?? [])].sort())
  })
})

test('the key of the seed is in the Secret of the treasury, the key of personal data in that of the verification host', () => {
  const readers = (secret: string) =>
    workloads.filter((workload) => containerOf(workload).env.some((entry) => refOf(entry)?.name === secret)).map(({ metadata }) => metadata.name)
  // Migrations give the roles their passwords.
  expect(readers('cowry-treasury').sort()).toEqual(['migrate', 'treasury'])
  expect(readers('cowry-verification').sort()).toEqual(['migrate', 'verification'])
  expect(readers('cowry-owner')).toEqual(['migrate'])
})

test('each file that a kustomization names exists', () => {
  const kustomizations = [...Object.keys(files).filter((path) => path.endsWith('kustomization.yaml')), `${folder}/example/kustomization.yaml`]
  for (const path of kustomizations) {
    const { resources = [], components = [] } = parse(read(path)) as { resources?: string[]; components?: string[] }
    for (const named of [...resources, ...components])
      expect([path, named, existsSync(join(root, dirname(path), named))]).toEqual([path, named, true])
  }
  const { configMapGenerator, secretGenerator } = parse(read(`${folder}/example/kustomization.yaml`)) as Record<
    string,
    { name: string; envs: string[] }[]
  >
  for (const { envs } of [...(configMapGenerator ?? []), ...(secretGenerator ?? [])])
    for (const file of envs) expect(files).toHaveProperty([`${folder}/example/${file}.example`])
})
