// Cuts items out of JSON that is not one value a line: printed over many lines, a list, a list in an object
// (`{"items": [`), values one after another. An item is an object that is in no other one, except in one whose list has
// the name of such lists. Items are cut out as text: a wrong one costs itself only, a comma behind the last does no
// harm, and of a file of any size one item is in memory.

/** Names of the lists that hold items. */
const LISTS = ['items', 'results'];
/** No item comes near this. */
const ITEM_CHARACTERS_MAX = 16 * 1024 * 1024;

/** One item as text. */
export interface JsonItem {
  text: string;
  /** On which it begins, from 1. */
  line: number;
}

/** Takes lines one after another and gives the items that end in them. */
export class JsonDocument {
  private readonly name: string;
  /** Brackets of the item that are open; 0 = no item is open. */
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  /** Of the item that is open: its line, what of it stands in earlier lines, and the last text directly in it. */
  private line = 0;
  private lines: string[] = [];
  private characters = 0;
  private member = '';

  /** @param name of the file, for messages */
  constructor(name: string) {
    this.name = name;
  }

  /**
   * @param number of the line, from 1
   * @throws Error when an item is too long, naming its line
   */
  take(line: string, number: number): JsonItem[] {
    const items: JsonItem[] = [];
    let start = 0;
    let textStart = 0;
    for (let i = 0; i < line.length; i++) {
      const character = line[i];
      if (this.isEscaped) this.isEscaped = false;
      else if (this.isInText && character === '\\') this.isEscaped = true;
      else if (character === '"') {
        this.isInText = !this.isInText;
        if (this.isInText) textStart = i + 1;
        else if (this.depth === 1) this.member = line.slice(textStart, i);
      } else if (this.isInText) continue;
      else if (this.depth === 0) {
        if (character !== '{') continue;
        start = i;
        this.open(number);
      } else if (character === '[' && this.depth === 1 && LISTS.includes(this.member)) this.open(0);
      else if (character === '{' || character === '[') this.depth++;
      else if ((character === '}' || character === ']') && --this.depth === 0)
        items.push({ text: [...this.lines, line.slice(start, i + 1)].join('\n'), line: this.line });
    }
    if (this.depth > 0) this.keep(line.slice(start));
    return items;
  }

  /** @throws Error when the last item does not end */
  finish(): void {
    if (this.depth > 0) throw new Error(`${this.name} ends within the item that begins on line ${this.line}.`);
  }

  /** Begins an item; on line 0 there is none, but a list of them. */
  private open(line: number): void {
    this.depth = line > 0 ? 1 : 0;
    this.line = line;
    this.lines = [];
    this.characters = 0;
    this.member = '';
  }

  private keep(text: string): void {
    this.lines.push(text);
    this.characters += text.length;
    if (this.characters > ITEM_CHARACTERS_MAX)
      throw new Error(`${this.name} goes on for more than 16 MiB within the item that begins on line ${this.line}.`);
  }
}
