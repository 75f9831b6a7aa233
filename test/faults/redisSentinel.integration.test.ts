import { startRedisSentinels } from '../support/redisServers.ts'
import { testRedisFailover } from './redisFailover.ts'

testRedisFailover('sentinel', startRedisSentinels)
