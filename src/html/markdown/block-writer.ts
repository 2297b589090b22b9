// Writes blocks into nested containers (quotes, list items) and prefixes each line with all their
// markers. Written text is never read again, so the work is linear in the output.

export type BlockKind =
  | "paragraph"
  | "heading"
  | "code"
  | "rule"
  | "table"
  | "quote"
  | "bullets"
  | "numbers"
  | "late-numbers"
  | "item"
  | "term"
  | "definition"
  | "footnote";

/** A heading as the outline of a page needs it. */
export type Heading = {
  readonly level: number;
  /** Its words, without Markdown. */
  readonly text: string;
  /** Fragment of the page's URL that leads to it. */
  readonly anchor: string | undefined;
};

/** A top-level block. */
export type TopBlock = {
  readonly kind: BlockKind;
  readonly text: string;
  readonly heading?: Heading | undefined;
};

type Container = {
  readonly kind: BlockKind | "root";
  /** Prefix of the first line and of later lines, for this container only. */
  readonly first: string;
  readonly rest: string;
  /** All prefixes from the outside to here, for lines after the first. */
  readonly indent: string;
  /** Number of containers up to this one that have a prefix. */
  readonly level: number;
  /** No empty lines between children where Markdown allows it. */
  readonly tight: boolean;
  last: BlockKind | undefined;
  /** Marker of the last list, so that a list right after it can use another. */
  lastMarker: string;
};

/** Deeper containers add no prefix: a page of 3,000 nested quotes stays readable and linear. */
const MAX_NESTING = 24;

const TIGHT_AFTER: ReadonlySet<BlockKind> = new Set([
  "paragraph",
  "heading",
  "code",
  "quote",
  "bullets",
  "numbers",
]);
const TIGHT_BEFORE: ReadonlySet<BlockKind> = new Set([
  "heading",
  "code",
  "quote",
  "bullets",
  "numbers",
]);
const LISTS: ReadonlySet<BlockKind> = new Set(["bullets", "numbers", "late-numbers"]);

export class BlockWriter {
  readonly #parts: string[] = [];
  /** For each top-level block: its kind, and where its text starts in the parts. */
  readonly #tops: { kind: BlockKind; part: number; heading: Heading | undefined }[] = [];
  readonly #containers: Container[] = [
    {
      kind: "root",
      first: "",
      rest: "",
      indent: "",
      level: 0,
      tight: false,
      last: undefined,
      lastMarker: "",
    },
  ];

  /** Opens a container. An empty container writes nothing. */
  open(kind: BlockKind, first: string, rest: string, tight: boolean): void {
    const outer = this.#containers.at(-1) as Container;
    const bounded = outer.level >= MAX_NESTING;
    this.#containers.push({
      kind,
      first: bounded ? "" : first,
      rest: bounded ? "" : rest,
      indent: outer.indent + (bounded ? "" : rest),
      level: outer.level + (bounded || rest === "" ? 0 : 1),
      tight,
      last: undefined,
      lastMarker: "",
    });
  }

  close(): void {
    this.#containers.pop();
  }

  /** True if blocks are written into a list item. */
  get isInItem(): boolean {
    return (this.#containers.at(-1) as Container).kind === "item";
  }

  /** True if nothing was written into the innermost container yet. */
  get isFresh(): boolean {
    return (this.#containers.at(-1) as Container).last === undefined;
  }

  /** Kind of the last block in the innermost container. */
  get last(): BlockKind | undefined {
    return (this.#containers.at(-1) as Container).last;
  }

  get lastMarker(): string {
    return (this.#containers.at(-1) as Container).lastMarker;
  }

  set lastMarker(marker: string) {
    (this.#containers.at(-1) as Container).lastMarker = marker;
  }

  /** The next term is not an alternative name of the last one. */
  endTerms(): void {
    const container = this.#containers.at(-1) as Container;
    if (container.last === "term") container.last = "definition";
  }

  /** Writes one block. Its text may have several lines and must not end with a line end. */
  block(kind: BlockKind, text: string, heading?: Heading): void {
    const containers = this.#containers;
    let depth = containers.length - 1;
    while (depth > 0 && containers[depth]?.last === undefined) depth--;
    const joint = containers[depth] as Container;
    const isJoined =
      joint.last !== undefined && isTight(joint, joint.last, this.#resolveKind(depth, kind));
    if (joint.last !== undefined) {
      this.#parts.push("\n");
      if (!isJoined) this.#parts.push(joint.indent.trimEnd(), "\n");
    }
    if (depth === 0 && !isJoined) {
      const isTop = containers.length === 1;
      this.#tops.push({
        kind: this.#resolveKind(0, kind),
        part: this.#parts.length,
        heading: isTop ? heading : undefined,
      });
    }
    let prefix = joint.indent;
    for (let at = depth + 1; at < containers.length; at++)
      prefix += (containers[at] as Container).first;
    this.#parts.push(text === "" ? prefix.trimEnd() : prefix);
    for (let at = depth; at < containers.length; at++)
      (containers[at] as Container).last = this.#resolveKind(at, kind);
    const { indent } = containers.at(-1) as Container;
    if (indent === "" || !text.includes("\n")) {
      this.#parts.push(text);
      return;
    }
    const blank = indent.trimEnd();
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#parts.push(text.slice(from, end), "\n");
      from = end + 1;
      this.#parts.push(text[from] === "\n" ? blank : indent);
    }
    this.#parts.push(text.slice(from));
  }

  /**
   * Returns the kind written into the container at a depth: the next container, or the block
   * itself.
   */
  #resolveKind(depth: number, kind: BlockKind): BlockKind {
    const inner = this.#containers[depth + 1];
    return inner === undefined ? kind : (inner.kind as BlockKind);
  }

  toString(): string {
    return this.#parts.join("");
  }

  /**
   * Returns the top-level blocks in order, without the line ends between them. Joined by empty
   * lines they are the same Markdown.
   */
  toBlocks(): TopBlock[] {
    return this.#tops.map(({ kind, part, heading }, index) => {
      const next = this.#tops[index + 1]?.part ?? this.#parts.length;
      return { kind, text: this.#parts.slice(part, next).join("").trimEnd(), heading };
    });
  }
}

function isTight(container: Container, previous: BlockKind, next: BlockKind): boolean {
  if (next === "item") return container.tight;
  if (next === "definition") return true;
  if (previous === "term" && next === "term") return true;
  if (container.kind !== "item" || !container.tight) return false;
  if (next === "paragraph") return previous === "heading" || previous === "code";
  if (!TIGHT_AFTER.has(previous) || !TIGHT_BEFORE.has(next)) return false;
  return previous !== next && !(LISTS.has(previous) && LISTS.has(next));
}
