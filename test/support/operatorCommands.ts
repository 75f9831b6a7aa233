import { dockerCommands, programOf, roleOf } from './dockerCommands.ts'
import { urlAs } from './template.ts'

/** A database's URL by the role of a service. */
export function urlIn(service: string, url: string): string {
  const role = roleOf(service)
  return role ? urlAs(role, url) : url
}

/** A database's URL by the role with which a program is run in Docker, as documented. @throws unless it is documented for exactly one role */
export function documentedUrl(program: string, url: string): string {
  const urls = new Set(
    dockerCommands
      .filter((command) => programOf(command.words) === program)
      .map(({ service }) => urlIn(service, url)),
  )
  const [documented] = urls
  if (documented === undefined || urls.size > 1)
    throw new Error(`${program} is documented for ${urls.size} roles in Docker`)
  return documented
}
