/**
 * Anchors as GitHub makes them, so that links in the sources hold here, too: lower case, without punctuation,
 * hyphens for spaces; repeated headings are numbered.
 * @returns takes the headings of one page in order, as plain text
 */
export function anchors(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}
