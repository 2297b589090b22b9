// The structure of a page without its text: one line for each element, indented by depth. Equal
// siblings in a row are one line, so a list that gets longer has the same structure.
import { isTag, type AnyNode } from "domhandler";
import { parseHtml } from "../html/parse/parse.ts";

const MAX_DEPTH = 60;
const MAX_LINES = 20_000;
/** Formatting inside text is no structure. */
const INLINE = new Set(
  "a abbr b bdi bdo br cite code em font i kbd mark q s samp small span strong sub sup time u var wbr".split(
    " ",
  ),
);

export function buildOutline(html: string): string {
  return listLines(parseHtml(html).children, 0).slice(0, MAX_LINES).join("\n");
}

function listLines(nodes: readonly AnyNode[], depth: number): string[] {
  const lines: string[] = [];
  let last = "";
  for (const node of nodes) {
    if (!isTag(node)) continue;
    const inner = depth < MAX_DEPTH ? listLines(node.children, depth + 1) : [];
    const isInline = INLINE.has(node.name) && node.attribs["id"] === undefined;
    const own = isInline
      ? inner.map((line) => line.slice(1))
      : [`${" ".repeat(depth)}${describe(node.name, node.attribs)}`, ...inner];
    const shape = own.join("\n");
    if (shape === "" || shape === last) continue;
    last = shape;
    for (const line of own) lines.push(line);
    if (lines.length > MAX_LINES) break;
  }
  return lines;
}

/** Ids with digits are often generated for each request. */
function describe(name: string, { id, role, type }: Readonly<Record<string, string>>): string {
  const named = id !== undefined && /^[a-z_-]{1,40}$/i.test(id) ? `#${id}` : "";
  const kind = name === "input" && type !== undefined ? `[${type.toLowerCase().slice(0, 20)}]` : "";
  return `${name}${named}${kind}${role === undefined ? "" : `(${role.slice(0, 30)})`}`;
}
