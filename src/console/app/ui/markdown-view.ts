import { Marked } from "marked";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { create, dom } from "./dom.ts";
import { sanitizeMarkdown } from "./sanitize.ts";

const MAX_CHARACTERS = 300_000;
const marked = new Marked({ gfm: true, async: false });

/** Markdown of a page, rendered and sanitized; the start of a very long one. */
function MarkdownView({ text }: { readonly text: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const isCut = text.length > MAX_CHARACTERS;
  useEffect(() => {
    if (element.current === null) return;
    const html = marked.parse(text.slice(0, MAX_CHARACTERS)) as string;
    element.current.innerHTML = sanitizeMarkdown(html);
  }, [text]);
  return dom.div(
    null,
    dom.div({ class: "markdown", ref: element, dir: "auto" }),
    isCut &&
      dom.p({ class: "notice" }, "Only the beginning is rendered; the source has all of it."),
  );
}

export const markdownView = (text: string): VNode => create(MarkdownView, { text });
