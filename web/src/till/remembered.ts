// What a till remembers on its device: never an amount, a customer or a credential.

const businessKey = 'cowry.till.business'
const assetKey = (businessId: string) => `cowry.till.${businessId}.asset`

export const readBusiness = (): string | null => read(businessKey)
export const rememberBusiness = (id: string): void => write(businessKey, id)

/** The network and token that the last customer paid with, as `ethereum/USDC`. */
export const readAsset = (businessId: string): string | null => read(assetKey(businessId))
export const rememberAsset = (businessId: string, asset: string): void => write(assetKey(businessId), asset)

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser stores nothing.
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The same: the till asks again next time.
  }
}
