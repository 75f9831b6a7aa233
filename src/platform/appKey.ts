import { Secret } from './secrets.ts'

/**
 * The application's key. While it is rolled there is a second one (`APP_KEY_PREVIOUS`), which opens and
 * verifies, and neither seals nor signs. It is the key before, or, before the change, the next one.
 */
export class AppKey extends Secret {
  readonly other: Secret | undefined
  constructor(key: Secret, other?: Secret) {
    super(key.reveal())
    this.other = other
  }
}

/** The keys to open and verify with; the one that seals and signs is the first. */
export const keysOf = (appKey: Secret): readonly Secret[] =>
  appKey instanceof AppKey && appKey.other ? [appKey, appKey.other] : [appKey]

/** The key of the configuration. */
export const appKeyOf = (config: { APP_KEY: Secret; APP_KEY_PREVIOUS: Secret | undefined }): Secret =>
  new AppKey(config.APP_KEY, config.APP_KEY_PREVIOUS)
