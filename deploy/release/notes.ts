// The notes of a release, out of the changelog: the section of its version. Whoever makes a release has given the
// unreleased lines a version and a date first; a draft has them too.

const SECTION = /^## (Unreleased|\d+\.\d+\.\d+\S*)(?: - \S+)?\n(.*?)(?=^## |(?![\s\S]))/gms;

/**
 * The notes.
 * @param changelog as text @param isDraft with the unreleased lines
 * @throws Error when there is no such section, or lines are unreleased and it is no draft
 */
export function notesOf(changelog: string, version: string, isDraft: boolean): string {
  const sections = new Map([...changelog.matchAll(SECTION)].map(([, name, text]) => [name, text.trim()]));
  const unreleased = sections.get('Unreleased') ?? '';
  const released = sections.get(version);
  if (unreleased !== '' && !isDraft)
    throw new Error(`CHANGELOG.md has unreleased lines: give them the heading "## ${version} - DATE", or say --draft.`);
  if (released === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} - DATE".`);
  return `# Sextant ${version}${isDraft ? ' (draft)' : ''}\n\n${unreleased === '' ? released : unreleased}\n`;
}
