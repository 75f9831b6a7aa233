import { generateKeyPair, SignJWT } from 'jose'
import { noteToken } from '../../src/accounts/signIns.ts'
import { createSigningKeys } from '../../src/accounts/signingKeys.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { Headers, Person } from './dashboardSession.ts'
import type { Stack } from './stack.ts'
import { appKey } from './template.ts'

/** An access token that differs from a valid one in these fields. */
export interface Forged {
  /** The account of its sign-in; by default the subject. */
  signInOf?: Person
  /** Names this sign-in, which does not exist. */
  signInId?: string
  /** `other`: signed by another key of the same kind; `public`: an HMAC made with the public key. */
  key?: 'other' | 'public'
  audience?: string
  issuer?: string
  type?: string
  expires?: string
}

/** Signs a token as the deployment does, by default with its own key. @returns the header that carries it */
export async function forgeToken(
  stack: Stack,
  issuer: string,
  subject: Person,
  forged: Forged = {},
): Promise<Headers> {
  const keys = createSigningKeys(
    { db: stack.db, appKey: new Secret(appKey), log: createLog('test', 'silent') },
    30,
  )
  const { kid, key } = await keys.current()
  const [published] = (await keys.published()).filter((each) => each.kid === kid)
  const signer = {
    own: () => key,
    other: async () => (await generateKeyPair('ES256')).privateKey,
    public: () => new TextEncoder().encode(JSON.stringify(published)),
  }[forged.key ?? 'own']
  const signInId =
    forged.signInId ??
    (await noteToken(stack.db, (forged.signInOf ?? subject).id, { address: '127.0.0.1', userAgent: null }))
  const token = await new SignJWT({ business: stack.businessId })
    .setProtectedHeader({
      alg: forged.key === 'public' ? 'HS256' : 'ES256',
      kid,
      typ: forged.type ?? 'at+jwt',
    })
    .setIssuer(forged.issuer ?? issuer)
    .setAudience(forged.audience ?? 'cowry-api')
    .setSubject(subject.id)
    .setJti(signInId)
    .setIssuedAt()
    .setExpirationTime(forged.expires ?? '15m')
    .sign(await signer())
  return { authorization: `Bearer ${token}` }
}

/** The claims of a good token under our key's name, and no signature. */
export async function unsignedToken(stack: Stack, issuer: string, subject: Person): Promise<Headers> {
  const { authorization = '' } = await forgeToken(stack, issuer, subject)
  const [header = '', claims] = authorization.slice('Bearer '.length).split('.')
  const unsigned = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), alg: 'none' }
  return { authorization: `Bearer ${Buffer.from(JSON.stringify(unsigned)).toString('base64url')}.${claims}.` }
}
