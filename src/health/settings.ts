import { type Settings, url } from '../platform/settings.ts'

/** Links of the health page to runbooks start with it. */
export const healthSettings = {
  variables: { DOCS_URL: url(['https:', 'http:']).optional() },
} satisfies Settings
