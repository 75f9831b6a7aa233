import { Secret } from '../../src/platform/secrets.ts'

/** The keys that the stand-in of Yellow Card is started with. */
export const credentials = { apiKey: 'key-of-ours', secretKey: 'secret-of-ours' }

/** The account of a client, at a stand-in with these keys. */
export const accountAt = ({ url }: { url: string }) => ({
  url,
  apiKey: credentials.apiKey,
  secretKey: new Secret(credentials.secretKey),
})
