import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

/** A self-signed certificate for the names of one test server. PEM. */
export interface Certificate {
  key: string
  cert: string
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')
const ecdsaWithSha256 = sequence(der(0x06, hex('2a8648ce3d040302')))

/** X.509 v3 (RFC 5280 §4.1), ECDSA on P-256, valid for a day around now. */
export function makeCertificate(names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const day = 86_400_000
  const time = (at: number) =>
    der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
  // Of two trusted certificates with one name OpenSSL finds only one.
  const name = sequence(
    der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from(`test server ${randomUUID()}`)))),
  )
  const alternativeNames = sequence(...names.map((text) => der(0x82, Buffer.from(text))))
  const body = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(sequence(der(0x06, hex('551d11')), der(0x04, alternativeNames)))),
  )
  const whole = sequence(body, ecdsaWithSha256, der(0x03, hex('00'), sign('sha256', body, privateKey)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
