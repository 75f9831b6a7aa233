/** Loads by key; calls within `ms` of the first share its result, also if it fails. */
export function shareBriefly<T>(ms: number, load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const loading = known.get(key)
    if (loading) return loading
    const loaded = load(key)
    known.set(key, loaded)
    setTimeout(() => known.delete(key), ms).unref()
    return loaded
  }
}
