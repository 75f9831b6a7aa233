import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../commands/program.ts'
import { messageOf } from '../src/platform/errors.ts'

const root = join(import.meta.dirname, '..')
const files = ['Dockerfile', 'deploy/postgres/Dockerfile', 'docker-compose.yml']
/** `FROM name:tag` and `image: name:tag`; images built here have no tag. */
const reference = /^(FROM |\s+image: )([\w./:-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm
const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')

export const run = program('dev pin-images', async (_words, { registry, folder = root }) => {
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const images = [
    ...new Set(texts.flatMap((text) => [...text.matchAll(reference)].map(([, , image]) => image as string))),
  ]
  // Fetch all digests before writing, so that no file is half pinned.
  const digests = new Map(
    await Promise.all(images.map(async (image) => [image, await digestOf(image, registry)] as const)),
  )
  for (const [i, file] of files.entries())
    writeFileSync(
      join(folder, file),
      (texts[i] ?? '').replaceAll(
        reference,
        (_, before: string, image: string) => `${before}${image}@${digests.get(image)}`,
      ),
    )
  for (const [image, digest] of digests) process.stdout.write(`${image}@${digest}\n`)
})

/** The current digest of a tag, for all platforms (OCI Distribution Specification, "Pulling manifests"). */
async function digestOf(image: string, mirror: string | undefined): Promise<string> {
  const { registry, name, tag } = partsOf(image)
  const url = `${(mirror ?? registry).replace(/\/$/, '')}/v2/${name}/manifests/${tag}`
  const ask = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'HEAD',
      headers: { accept: accepted, ...headers },
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => {
      throw new Error(`${image}: ${new URL(url).host} does not answer: ${messageOf(error)}`)
    })
  let answer = await ask({})
  if (answer.status === 401)
    answer = await ask({
      authorization: `Bearer ${await tokenFor(answer.headers.get('www-authenticate') ?? '')}`,
    })
  const digest = answer.headers.get('docker-content-digest') ?? ''
  if (!answer.ok) throw new Error(`${image}: the registry answered ${answer.status}`)
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${image}: the registry answered without a digest`)
  return digest
}

/** A name without a registry is on Docker Hub, one without a folder in its `library`. */
function partsOf(image: string): { registry: string; name: string; tag: string } {
  const at = image.lastIndexOf(':')
  const [path, tag] = [image.slice(0, at), image.slice(at + 1)]
  const [first = '', ...rest] = path.split('/')
  if (rest.length > 0 && /[.:]/.test(first))
    return { registry: `https://${first}`, name: rest.join('/'), tag }
  return { registry: 'https://registry-1.docker.io', name: rest.length > 0 ? path : `library/${path}`, tag }
}

/** Registries issue anonymous tokens for public images. */
async function tokenFor(challenge: string): Promise<string> {
  const given = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  if (!challenge.startsWith('Bearer ') || !given.realm)
    throw new Error('the registry does not issue anonymous tokens')
  const url = new URL(given.realm)
  for (const name of ['service', 'scope']) if (given[name]) url.searchParams.set(name, given[name] as string)
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
  if (!answer.ok) throw new Error(`the registry issued no token: it answered ${answer.status}`)
  const { token, access_token } = (await answer.json()) as { token?: string; access_token?: string }
  return token ?? access_token ?? ''
}
