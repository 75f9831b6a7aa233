import type { ComposeService } from './composeFile.ts'
import { environmentFrom } from './environment.ts'

/** An object of Kubernetes, as its YAML has it. */
export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; [key: string]: unknown }
  [key: string]: unknown
}

const metricsPort = 9464
const uploads = '/uploads'

export const labelsOf = (name: string, networks: readonly string[] = []): Record<string, string> => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'cowry',
  ...Object.fromEntries(networks.map((network) => [`cowry.network/${network}`, 'true'])),
})
export const selectorOf = (name: string) => ({ matchLabels: { 'app.kubernetes.io/name': name } })

export interface Workload {
  name: string
  service: ComposeService
  replicas: number
  /** A HorizontalPodAutoscaler decides how many run: applying the files again must not undo that. */
  isScaled?: boolean
  /** More arguments of the program. */
  more?: readonly string[]
  /** The port that callers use. */
  port?: number
  /** Only one may run at a time. */
  isAlone?: boolean
}

/** A Deployment with probes, without rights on the machine. */
export function deployment({
  name,
  service,
  replicas,
  isScaled = false,
  more = [],
  port,
  isAlone = false,
}: Workload): Manifest {
  const strategy = isAlone
    ? { type: 'Recreate' }
    : { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      ...(isScaled ? {} : { replicas }),
      strategy,
      selector: selectorOf(name),
      template: {
        metadata: { labels: labelsOf(name, service.networks) },
        spec: {
          ...podOf(service),
          ...(replicas > 1 && { topologySpreadConstraints: [spread(name)] }),
          containers: [
            {
              ...containerOf(service, more),
              ports: [
                ...(port === undefined ? [] : [{ name: 'http', containerPort: port }]),
                { name: 'metrics', containerPort: metricsPort },
              ],
              startupProbe: { ...probe('live'), periodSeconds: 2, failureThreshold: 60 },
              livenessProbe: { ...probe('live'), periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3 },
              readinessProbe: { ...probe('ready'), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
              resources: { requests: { cpu: '250m', memory: '384Mi' }, limits: { memory: '1Gi' } },
            },
          ],
        },
      },
    },
  }
}

/**
 * Migrations: processes wait for them by starting again. A Job cannot be changed: delete the last one before
 * the next version is applied.
 */
export function migrationJob(service: ComposeService): Manifest {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: service.name, labels: labelsOf(service.name) },
    spec: {
      backoffLimit: 5,
      ttlSecondsAfterFinished: 3600,
      template: {
        metadata: { labels: labelsOf(service.name, service.networks) },
        spec: { ...podOf(service), restartPolicy: 'OnFailure', containers: [containerOf(service, [])] },
      },
    },
  }
}

const probe = (path: 'live' | 'ready') => ({ httpGet: { path: `/health/${path}`, port: 'metrics' } })

const spread = (name: string) => ({
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: selectorOf(name),
})

const keepsUploads = ({ volumes }: ComposeService): boolean =>
  volumes.some((volume) => volume.endsWith(`:${uploads}`))

/** Longer than `SHUTDOWN_SECONDS`, as `stop_grace_period` of docker-compose.yml. */
const podOf = (service: ComposeService) => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: 30,
  // The user `node` of the image.
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    fsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  ...(keepsUploads(service) && {
    volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: 'uploads' } }],
  }),
})

const containerOf = (service: ComposeService, more: readonly string[]) => ({
  name: 'cowry',
  image: 'cowry',
  args: [...service.command, ...more],
  env: environmentFrom(service.environment),
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
  ...(keepsUploads(service) && { volumeMounts: [{ name: 'uploads', mountPath: uploads }] }),
})
