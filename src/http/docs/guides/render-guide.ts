// Renders a guide's Markdown as HTML. HTML in the Markdown is shown as text; links lead to guides,
// headings or the web.
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "./escape-html.ts";

export type GuideSection = {
  /** Id of the heading; empty for text before the second one. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
};

export type RenderedGuide = {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly GuideSection[];
};

/** The ids that GitHub gives headings, so that links between guides work in both places. */
const toId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** Resolves a link of the guide; undefined for targets this server does not have. */
function resolveLink(href: string, name: string, names: ReadonlySet<string>): string | undefined {
  if (href.startsWith("#") || /^https?:\/\//.test(href)) return href;
  const base = new URL(`https://docs.invalid/docs/${name}`);
  const target = URL.parse(href, base.href);
  if (target === null || target.origin !== base.origin) return undefined;
  const [, guide] = /^\/docs\/(.+)\.md$/.exec(target.pathname) ?? [];
  return guide !== undefined && names.has(guide) ? `/docs/${guide}${target.hash}` : undefined;
}

const joinText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map(({ text }) => text).join(" ")).join(" ");
      }
      return "text" in token ? (token.text as string) : "";
    })
    .join(" ")
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** `name` is the guide's path without extension, `names` those of all guides. */
export function renderGuide(
  markdown: string,
  name: string,
  names: ReadonlySet<string>,
): RenderedGuide {
  const used = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const id = buildUniqueId(text);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = resolveLink(href, name, names);
        const inner = this.parser.parseInline(tokens);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      // Nothing is loaded from elsewhere; the guides have no pictures.
      image: ({ text }) => escapeHtml(text),
      table(token) {
        const renderRow = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => renderRow(cells, "td")).join("");
        return `<div class="table"><table><thead>${renderRow(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });

  function buildUniqueId(text: string): string {
    const id = toId(text);
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }

  const tokens = marked.lexer(markdown);
  const ids = new Map<string, number>();
  const sections: GuideSection[] = [];
  let title = name;
  let current: { id: string; title: string; tokens: Token[] } = { id: "", title: "", tokens: [] };
  const end = (): void => {
    const text = joinText(current.tokens);
    if (text !== "" || current.title !== "")
      sections.push({ id: current.id, title: current.title, text });
  };
  for (const token of tokens) {
    if (token.type !== "heading") {
      current.tokens.push(token);
      continue;
    }
    const heading = token as Tokens.Heading;
    const id = toId(heading.text);
    const count = ids.get(id) ?? 0;
    ids.set(id, count + 1);
    if (heading.depth === 1) title = joinText([heading]);
    end();
    current = {
      id: heading.depth === 1 ? "" : count === 0 ? id : `${id}-${count}`,
      title: heading.depth === 1 ? "" : joinText([heading]),
      tokens: [],
    };
  }
  end();
  const paragraph = tokens.find(({ type }) => type === "paragraph");
  return {
    title,
    summary: paragraph === undefined ? "" : joinText([paragraph]),
    html: marked.parser(tokens),
    sections,
  };
}
