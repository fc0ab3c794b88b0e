// Reads the wanted languages of names, as browsers and the parameter `accept-language` write them:
// `de-AT,de;q=0.9,en;q=0.5` (RFC 9110, 12.5.4).

/** More languages are ignored. */
const LANGUAGES_MAX = 10;
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** BCP 47 tags, best first, each once. Anything that is not a tag or not wanted (`q=0`) is ignored. */
export function readLanguages(text: string | undefined): string[] {
  if (text === undefined) return [];
  const ranges: { tag: string; quality: number }[] = [];
  for (const item of text.split(',', LANGUAGES_MAX)) {
    const [range, ...parameters] = item.split(';').map(part => part.trim());
    const quality = qualityOf(parameters);
    if (TAG.test(range) && quality > 0) ranges.push({ tag: range, quality });
  }
  ranges.sort((a, b) => b.quality - a.quality);
  return [...new Set(ranges.map(({ tag }) => tag))];
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const match = QUALITY.exec(parameter);
    if (match !== null) return Number(match[1]);
  }
  return 1;
}
