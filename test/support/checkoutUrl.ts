import { Secret } from '../../src/platform/secrets.ts'
import { checkoutUrls } from '../../src/sessions/checkout/checkoutToken.ts'
import { appKey } from './template.ts'

/** The URLs of checkout pages, where a test presents sessions itself. */
export const checkoutUrl = checkoutUrls(new Secret(appKey), 'http://localhost:3000')
