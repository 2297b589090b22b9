// Source text, plain or JSON with colors. Everything is text, never markup.
import type { ComponentChildren, VNode } from "preact";
import { classes, dom } from "./dom.ts";

const MAX_COLORED = 200_000;
/** Matches a string, a number or a literal of JSON; strings before a colon are names. */
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"(?<colon>\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/g;

function colorJson(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const { colon } = match.groups ?? {};
    if (match.index > at) parts.push(text.slice(at, match.index));
    const kind = token.startsWith('"')
      ? colon === undefined
        ? "s"
        : "k"
      : /^[tfn]/.test(token)
        ? "b"
        : "n";
    parts.push(
      dom.span({ class: kind }, colon === undefined ? token : token.slice(0, -colon.length)),
    );
    if (colon !== undefined) parts.push(colon);
    at = match.index + token.length;
  }
  parts.push(text.slice(at));
  return parts;
}

export function codeView(
  text: string,
  more: { readonly wrap?: boolean; readonly label?: string } = {},
): VNode {
  return dom.pre(
    {
      class: classes("code", more.wrap && "wrap"),
      tabIndex: 0,
      dir: "auto",
      ...(more.label !== undefined && { "aria-label": more.label, role: "region" }),
    },
    text,
  );
}

export function jsonView(value: unknown): VNode {
  const text = JSON.stringify(value, null, 2) ?? "";
  return dom.pre(
    { class: "code wrap", tabIndex: 0, role: "region", "aria-label": "JSON" },
    ...(text.length > MAX_COLORED ? [text] : colorJson(text)),
  );
}
