import { startRedisCluster } from '../support/redisServers.ts'
import { testRedisFailover } from './redisFailover.ts'

testRedisFailover('cluster', startRedisCluster)
