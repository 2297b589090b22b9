// Builds the HTML of a page from a template and other data.
import { encloseInTags, escapeText, escapeValue } from "./plain-tree.ts";
import { listLeaves, type Leaves, type Usage } from "./seen-values.ts";
import {
  findUsage,
  MIN_FITS,
  readHtml,
  type Alternative,
  type Choice,
  type HtmlTemplate,
  type NodeTemplate,
  type Part,
} from "./template-parts.ts";
import { fillPattern, type Scopes } from "./text-pattern.ts";
import { readPath } from "./value-index.ts";

/** Gives undefined where the data does not decide what the page shows. */
export class TemplateFiller {
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  fillPart(part: Part, scopes: Scopes): string | undefined {
    const usage = findUsage(part);
    const leaves = listLeaves(scopes[part.level], usage.lists);
    if (part.seen.findUnknown(leaves, usage, this.#now) !== undefined) return undefined;
    return this.#fillChoice(part.content, scopes, { leaves, usage });
  }

  #fillChoice(choice: Choice, scopes: Scopes, values: ValuesOfPart): string | undefined {
    const { alternatives, isLost } = choice;
    if (isLost) return undefined;
    const chosen =
      alternatives.length < 2
        ? alternatives[0]
        : alternatives.find((one) =>
            alternatives.every((other) => other === one || this.#isPreferred(one, other, values)),
          );
    if (chosen === undefined || chosen.fits < MIN_FITS) return undefined;
    let html = "";
    for (const template of chosen.nodes) {
      const part = this.#fillNode(template, scopes, values);
      if (part === undefined) return undefined;
      html += part;
    }
    return html;
  }

  #isPreferred({ seen }: Alternative, other: Alternative, { leaves, usage }: ValuesOfPart) {
    return (
      seen !== undefined &&
      other.seen !== undefined &&
      seen.isPreferred(other.seen, leaves, usage, this.#now)
    );
  }

  #fillNode(template: NodeTemplate, scopes: Scopes, values: ValuesOfPart): string | undefined {
    if (template.kind === "text") {
      const text = fillPattern(template.pattern, scopes);
      return text === undefined ? undefined : escapeText(text);
    }
    if (template.kind === "list") {
      const items = readPath(scopes[template.level], template.path);
      if (!Array.isArray(items)) return undefined;
      const parts: string[] = [];
      for (const item of items as unknown[]) {
        const part = this.fillPart(template.entries, [...scopes, item]);
        if (part === undefined) return undefined;
        parts.push(part);
      }
      return parts.join(template.separator);
    }
    let attributes = "";
    for (const [name, pattern] of template.attributes) {
      if (template.ignored.has(name)) continue;
      const value = fillPattern(pattern, scopes);
      if (value === undefined) return undefined;
      attributes += ` ${name}="${escapeValue(value)}"`;
    }
    const inner =
      template.html === undefined
        ? this.#fillChoice(template.content, scopes, values)
        : fillHtml(template.html, scopes);
    return inner === undefined ? undefined : encloseInTags(template.name, attributes, inner);
  }
}

type ValuesOfPart = { readonly leaves: Leaves; readonly usage: Usage };

function fillHtml({ sources }: HtmlTemplate, scopes: Scopes): string | undefined {
  const [first, ...others] = new Set(sources.map((source) => readHtml(source, scopes)));
  return others.length > 0 ? undefined : first;
}
