// Renders Markdown. Parser and sanitizer are loaded with the first text.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { create, dom } from "./dom.ts";
import { skeleton } from "./feedback.ts";

const MAX_CHARACTERS = 300_000;

type Render = (text: string) => string;

let loading: Promise<Render> | undefined;

async function loadRenderer(): Promise<Render> {
  const [{ Marked }, { sanitizeMarkdown }] = await Promise.all([
    import("marked"),
    import("./sanitize.ts"),
  ]);
  const marked = new Marked({ gfm: true, async: false });
  return (text) => sanitizeMarkdown(marked.parse(text) as string);
}

/** Markdown of a page, rendered and sanitized; the start of a very long one. */
function MarkdownView({ text }: { readonly text: string }): VNode {
  const [isDone, setDone] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const isCut = text.length > MAX_CHARACTERS;
  useEffect(() => {
    let isCurrent = true;
    loading ??= loadRenderer();
    loading.then(
      (render) => {
        if (!isCurrent || element.current === null) return;
        element.current.innerHTML = render(text.slice(0, MAX_CHARACTERS));
        setDone(true);
      },
      () => {
        loading = undefined;
        // The source is better than nothing.
        if (!isCurrent || element.current === null) return;
        element.current.textContent = text;
        setDone(true);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return dom.div(
    null,
    !isDone && skeleton(8),
    dom.div({ class: "markdown", ref: element, dir: "auto" }),
    isCut &&
      dom.p({ class: "notice" }, "Only the beginning is rendered; the source has all of it."),
  );
}

export const markdownView = (text: string): VNode => create(MarkdownView, { text });
