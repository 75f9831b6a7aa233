import { Document, isMap, isScalar, isSeq, stringify, visit } from 'yaml'
import { type ComposeService, ownServices } from './composeFile.ts'
import { environmentFrom } from './environment.ts'
import { networkPolicies } from './policies.ts'
import { deployment, labelsOf, type Manifest, migrationJob, selectorOf, type Workload } from './workload.ts'

/** Workers by what their queues wait for: each group has processes, and a number of them, of its own. */
export const workerGroups: Readonly<Record<string, readonly string[]>> = {
  payments: ['session-payment', 'monitoring', 'additions', 'suspense'],
  sending: [
    'txmgr',
    'sweeps',
    'payouts',
    'collection-settlement',
    'fiat-status-sync',
    'bridge-tracking',
    'staking',
  ],
  webhooks: ['webhook-delivery'],
}

const head = '# Made by `npm run generate` from docker-compose.yml.\n'
const base = 'deploy/kubernetes'

/** Files of Kustomize, by path. @param compose the text of docker-compose.yml */
export function kubernetesFiles(compose: string): Record<string, string> {
  const services = ownServices(compose)
  const find = (name: string): ComposeService => {
    const service = services.find((each) => each.name === name)
    if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
    return service
  }
  const [api, verification, treasury] = [find('api'), find('verification'), find('treasury')]
  const files: Record<string, Manifest[]> = {
    'api.yaml': served(
      { name: 'api', service: api, replicas: 2, isScaled: true, port: 3000 },
      several('api', 'cpu'),
    ),
    // Its volume belongs to one machine, unless its storage can be shared.
    'verification.yaml': served(
      { name: 'verification', service: verification, replicas: 1, port: 3100, isAlone: true },
      [claim()],
    ),
    'treasury.yaml': [deployment({ name: 'treasury', service: treasury, replicas: 2 }), budget('treasury')],
    'migrate.yaml': [migrationJob(find('migrate'))],
    'network-policies.yaml': networkPolicies(services.flatMap(({ networks }) => networks)),
    ...Object.fromEntries(
      Object.entries(workerGroups).map(([group, queues]) => {
        const name = `worker-${group}`
        return [
          `${name}.yaml`,
          [
            deployment({ name, service: find('worker'), replicas: 2, isScaled: true, more: queues }),
            ...several(name, queues),
          ],
        ]
      }),
    ),
  }
  const made = Object.entries(files).map(
    ([file, manifests]) => [`${base}/base/${file}`, textOf(manifests)] as const,
  )
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: Object.keys(files),
  }
  return {
    ...Object.fromEntries(made),
    [`${base}/base/kustomization.yaml`]: head + stringify(kustomization),
    ...chains(services),
    ...examples(services),
  }
}

/** For each ConfigMap and Secret a file with the names that no process starts without. */
function examples(services: readonly ComposeService[]): Record<string, string> {
  const names = new Map<string, Set<string>>()
  for (const entry of services.flatMap(({ environment }) => environmentFrom(environment))) {
    if (!('valueFrom' in entry)) continue
    const { name, key, optional } =
      'secretKeyRef' in entry.valueFrom ? entry.valueFrom.secretKeyRef : entry.valueFrom.configMapKeyRef
    const known = names.get(name) ?? new Set()
    names.set(name, known)
    if (!optional || key === 'SEED_KEY') known.add(key)
  }
  return Object.fromEntries(
    [...names].map(([name, keys]) => [
      `${base}/example/${name}.env.example`,
      head +
        [...keys]
          .sort()
          .map((key) => `${key}=\n`)
          .join(''),
    ]),
  )
}

/**
 * A component for each chain: a deployment names those that it has nodes of. The second indexer stands by.
 */
function chains(services: readonly ComposeService[]): Record<string, string> {
  const indexers = services.filter(({ name }) => name.startsWith('indexer-'))
  const component = {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    resources: ['indexer.yaml'],
  }
  return Object.fromEntries(
    indexers.flatMap((service) => {
      const folder = `${base}/chains/${service.name.slice('indexer-'.length)}`
      return [
        [
          `${folder}/indexer.yaml`,
          textOf([deployment({ name: service.name, service, replicas: 2 }), budget(service.name)]),
        ],
        [`${folder}/kustomization.yaml`, head + stringify(component)],
      ]
    }),
  )
}

const served = (workload: Workload & { port: number }, more: readonly Manifest[]): Manifest[] => [
  deployment(workload),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: workload.name, labels: labelsOf(workload.name) },
    spec: {
      selector: selectorOf(workload.name).matchLabels,
      ports: [{ name: 'http', port: workload.port, targetPort: 'http' }],
    },
  },
  ...more,
]

/** Machines are emptied one by one. */
const budget = (name: string): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, labels: labelsOf(name) },
  spec: { maxUnavailable: 1, selector: selectorOf(name) },
})

/** So long a job waits before another worker starts. */
const waitSeconds = '10'

/**
 * @param by `cpu`, or the queues whose oldest job counts: `cowry_queue_oldest_age_seconds`, which an adapter
 * takes from Prometheus
 */
function several(name: string, by: 'cpu' | readonly string[]): Manifest[] {
  const metrics =
    by === 'cpu'
      ? [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
          },
        ]
      : by.map((queue) => ({
          type: 'External',
          external: {
            metric: { name: 'cowry_queue_oldest_age_seconds', selector: { matchLabels: { queue } } },
            target: { type: 'Value', value: waitSeconds },
          },
        }))
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name }
  return [
    budget(name),
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name, labels: labelsOf(name) },
      spec: {
        scaleTargetRef,
        minReplicas: 2,
        maxReplicas: 10,
        metrics,
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    },
  ]
}

const claim = (): Manifest => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'uploads', labels: labelsOf('verification') },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } },
})

function textOf(manifests: readonly Manifest[]): string {
  const texts = manifests.map((manifest) => {
    const document = new Document(manifest, { aliasDuplicateObjects: false })
    // A variable a line.
    visit(document, {
      Pair: (_, { key, value }) =>
        void (isScalar(key) && key.value === 'env' && isSeq(value) && value.items.forEach(inOneLine)),
    })
    return document.toString({ lineWidth: 0 })
  })
  return head + texts.join('---\n')
}

const inOneLine = (item: unknown): void => void (isMap(item) && Object.assign(item, { flow: true }))
