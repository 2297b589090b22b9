// The list of active formatting elements. WHATWG HTML, §13.2.4.3.
import type { Element } from "domhandler";
import type { TagRules } from "./tag-rules.ts";

/**
 * Maximum entries. Each paragraph reopens all of them, so a page of unclosed tags would otherwise
 * grow without limit.
 */
const MAX_ENTRIES = 32;
/** Maximum entries with the same name and attributes ("Noah's Ark clause"). */
const MAX_SAME = 3;

export type FormattingEntry = {
  readonly tag: TagRules;
  element: Element;
  isOpen: boolean;
};

/** `null` is a marker: entries before it belong outside a table cell or similar. */
export class FormattingList {
  readonly entries: (FormattingEntry | null)[] = [];

  push(tag: TagRules, element: Element): void {
    let same = 0;
    for (let at = this.entries.length - 1; at >= 0; at--) {
      const entry = this.entries[at];
      if (entry === null || entry === undefined) break;
      if (entry.tag.name !== tag.name || !hasSameAttributes(entry.element, element)) continue;
      same++;
      if (same < MAX_SAME) continue;
      this.entries.splice(at, 1);
      break;
    }
    this.entries.push({ tag, element, isOpen: true });
    const first = this.entries.lastIndexOf(null) + 1;
    if (this.entries.length - first > MAX_ENTRIES) this.entries.splice(first, 1);
  }

  pushMarker(): void {
    this.entries.push(null);
  }

  clearToMarker(): void {
    while (this.entries.length > 0) if (this.entries.pop() === null) return;
  }

  /** Returns the last entry with a name after the last marker. */
  findName(name: string): FormattingEntry | undefined {
    for (let at = this.entries.length - 1; at >= 0; at--) {
      const entry = this.entries[at];
      if (entry === null || entry === undefined) return undefined;
      if (entry.tag.name === name) return entry;
    }
    return undefined;
  }

  findElement(element: unknown): FormattingEntry | undefined {
    for (let at = this.entries.length - 1; at >= 0; at--) {
      const entry = this.entries[at];
      if (entry?.element === element) return entry ?? undefined;
    }
    return undefined;
  }

  remove(entry: FormattingEntry): void {
    const at = this.entries.lastIndexOf(entry);
    if (at !== -1) this.entries.splice(at, 1);
  }
}

function hasSameAttributes({ attribs: one }: Element, { attribs: other }: Element): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => one[name] === other[name]);
}
