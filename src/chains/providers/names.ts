/** Endpoint names without secrets: hosts, numbered if repeated. Two keys at one company are two providers. */
export function uniqueNames(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).host)
  return hosts.map((host, index) =>
    hosts.indexOf(host) === index
      ? host
      : `${host}#${hosts.slice(0, index + 1).filter((each) => each === host).length}`,
  )
}
