import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { certificateRefusal } from './certificateRefusal.ts'
import { ConfigError } from './config.ts'
import { type RedisConfig, redisServers } from './redis/redisTarget.ts'
import type { Server } from './settings.ts'

const waitMs = 3000

/**
 * For starts: a client of Redis retries for ever, and reports little of why. A server that does not answer
 * is no mistake.
 * @throws ConfigError where no certificate of the servers that answer is accepted
 */
export async function refuseWrongCertificate(config: RedisConfig): Promise<void> {
  if (new URL(config.REDIS_URL).protocol !== 'rediss:') return
  const outcomes = await Promise.all(
    redisServers(config).map((server) => handshake(server, config.REDIS_CA_FILE?.pem)),
  )
  const refusal = outcomes.find((outcome) => outcome !== 'accepted' && outcome !== 'away')
  if (refusal !== undefined && !outcomes.includes('accepted')) throw new ConfigError(refusal)
}

/** @returns otherwise what is wrong */
function handshake(
  { host, port }: Server,
  ca: string | undefined,
): Promise<'accepted' | 'away' | (string & {})> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(ca !== undefined && { ca }),
      ...(isIP(host) === 0 && { servername: host }),
    })
    const end = (outcome: string) => {
      socket.destroy()
      resolve(outcome)
    }
    socket.setTimeout(waitMs, () => end('away'))
    socket.once('secureConnect', () => end('accepted'))
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      const refusal = certificateRefusal(code, host, 'REDIS_CA_FILE')
      if (refusal) end(`The certificate of Redis at ${host}:${port} ${refusal.what}: ${refusal.cure}`)
      else if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
        end(`Redis at ${host}:${port} offers no TLS, which rediss:// requires`)
      else end('away')
    })
  })
}
