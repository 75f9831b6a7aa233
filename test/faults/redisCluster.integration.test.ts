import { startRedisCluster } from '../support/redisServers.ts'
import { testRedisFailover } from './redisFailover.ts'

testRedisFailover({ isCluster: true, fault: 'kill', start: startRedisCluster })
