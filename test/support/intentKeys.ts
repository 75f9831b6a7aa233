import { createProver, createVerifier, publicKeyOf } from '../../src/custody/proof.ts'
import { Secret } from '../../src/platform/secrets.ts'

/** Keys of the test deployment. */
const keys = {
  api: new Secret(Buffer.alloc(32, 3).toString('base64')),
  worker: new Secret(Buffer.alloc(32, 4).toString('base64')),
}

export const intentEnv = {
  API_INTENT_KEY: keys.api.reveal(),
  WORKER_INTENT_KEY: keys.worker.reveal(),
  API_INTENT_PUBLIC_KEYS: publicKeyOf(keys.api),
  WORKER_INTENT_PUBLIC_KEYS: publicKeyOf(keys.worker),
}

/** Sign intents for the api, and requests for the worker. */
export const provers = { api: createProver(keys.api), worker: createProver(keys.worker) }
/** The treasury verifies both with these. */
export const proofs = {
  api: createVerifier([publicKeyOf(keys.api)]),
  worker: createVerifier([publicKeyOf(keys.worker)]),
}
