import { Queue } from 'bullmq'
import { queueNames } from '../src/capabilities.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import type { RedisClient } from '../src/platform/redis/redis.ts'
import { redisMode } from '../src/platform/redis/redisTarget.ts'
import { queuePrefix } from '../src/platform/redis/redisUsers.ts'
import type { WorkerConfig } from './openStores.ts'

export type Queues = Record<QueueName, Queue>

/** The prefix of a queue's keys in Redis. */
export const prefixOf = (config: WorkerConfig, name: QueueName): string =>
  queuePrefix(config.QUEUE_PREFIX, name, redisMode(config) === 'cluster')

/** Opens each queue, to add jobs to it. */
export const openQueues = (config: WorkerConfig, connection: RedisClient): Queues =>
  Object.fromEntries(
    queueNames.map((name) => [
      name,
      new Queue(name, {
        connection,
        prefix: prefixOf(config, name),
        defaultJobOptions: {
          removeOnComplete: { age: 3600, count: 1000 },
          removeOnFail: { age: 24 * 3600, count: 5000 },
        },
      }),
    ]),
  ) as Queues
