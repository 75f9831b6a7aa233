import { labelsOf, type Manifest } from './workload.ts'

/** The address at which NodeLocal DNSCache answers on each machine. */
const nodeLocalDns = '169.254.20.10/32'

const everywhere = { cidr: '0.0.0.0/0', except: ['169.254.169.254/32'] }
const to = (ports: readonly number[]) => [
  { to: [{ ipBlock: everywhere }], ports: ports.map((port) => ({ protocol: 'TCP', port })) },
]

/**
 * What a pod may reach, and what may reach it, by the networks that docker-compose.yml gives its service.
 * All the rest is refused. The treasury reaches Postgres alone.
 */
const rules: Record<string, object> = {
  database: { policyTypes: ['Egress'], egress: to([5432]) },
  treasury: { policyTypes: ['Egress'], egress: to([5432]) },
  // Servers and sentinels.
  redis: { policyTypes: ['Egress'], egress: to([6379, 26379]) },
  // Nodes of chains, partners, receivers of webhooks and mail.
  outside: { policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: everywhere }] }] },
  edge: { policyTypes: ['Ingress'], ingress: [{ ports: [{ protocol: 'TCP', port: 'http' }] }] },
  metrics: fromPrometheus(),
  'treasury-metrics': fromPrometheus(),
}

function fromPrometheus(): object {
  const from = [{ namespaceSelector: { matchLabels: { 'cowry.network/prometheus': 'true' } } }]
  return { policyTypes: ['Ingress'], ingress: [{ from, ports: [{ protocol: 'TCP', port: 'metrics' }] }] }
}

const policy = (name: string, spec: object): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, labels: labelsOf(name) },
  spec,
})

const ofCowry = { matchLabels: { 'app.kubernetes.io/part-of': 'cowry' } }

/** @param networks those of the services @throws if one has no rule */
export function networkPolicies(networks: Iterable<string>): Manifest[] {
  const names = policy('cowry-names', {
    podSelector: ofCowry,
    policyTypes: ['Egress'],
    egress: [
      {
        to: [{ namespaceSelector: {} }, { ipBlock: { cidr: nodeLocalDns } }],
        ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })),
      },
    ],
  })
  return [
    policy('cowry-nothing', { podSelector: ofCowry, policyTypes: ['Ingress', 'Egress'] }),
    names,
    ...[...new Set(networks)].sort().map((network) => {
      const rule = rules[network]
      if (!rule) throw new Error(`the network ${network} has no rule`)
      return policy(`cowry-${network}`, {
        podSelector: { matchLabels: { [`cowry.network/${network}`]: 'true' } },
        ...rule,
      })
    }),
  ]
}
