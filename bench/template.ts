/**
 * A recorded answer with placeholders. Filling it is a copy and about a hundred small writes, so that the
 * node takes little CPU time from the measured process.
 */
export interface Template<Name extends string> {
  bytes: Buffer
  at: { from: number; name: Name }[]
}

/**
 * Placeholder texts for values that differ from the recording: as long as each value, and unique in the text.
 */
export type Placeholders<Name extends string> = Readonly<Record<Name, string>>

export function templateOf<Name extends string>(
  placeholders: Placeholders<Name>,
  text: string,
): Template<Name> {
  const bytes = Buffer.from(text)
  const at = (Object.keys(placeholders) as Name[]).flatMap((name) => {
    const places: Template<Name>['at'] = []
    for (
      let from = bytes.indexOf(placeholders[name]);
      from >= 0;
      from = bytes.indexOf(placeholders[name], from + 1)
    )
      places.push({ from, name })
    return places
  })
  return { bytes, at }
}

/** @throws where a value is longer or shorter than its placeholder */
export function fill<Name extends string>(
  placeholders: Placeholders<Name>,
  { bytes, at }: Template<Name>,
  values: Readonly<Record<Name, string>>,
): Buffer {
  const written = Object.fromEntries(
    (Object.keys(placeholders) as Name[]).map((name) => [name, Buffer.from(values[name])]),
  ) as Record<Name, Buffer>
  for (const name of Object.keys(placeholders) as Name[]) {
    if (written[name].length !== placeholders[name].length)
      throw new Error(`${values[name]} does not have the length of the placeholder ${name}`)
  }
  const answer = Buffer.from(bytes)
  for (const { from, name } of at) written[name].copy(answer, from)
  return answer
}
