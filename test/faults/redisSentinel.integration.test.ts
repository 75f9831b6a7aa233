import { startRedisSentinels } from '../support/redisServers.ts'
import { testRedisFailover } from './redisFailover.ts'

testRedisFailover({ isCluster: false, fault: 'freeze', start: startRedisSentinels })
