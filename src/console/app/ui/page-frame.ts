// Shows page content in a sandboxed frame, without origin and without network.
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isDark } from "../data/theme.ts";
import { create, dom } from "./dom.ts";

export type PageFrameProps = {
  readonly title: string;
  readonly html: string;
  /**
   * `page` keeps its own style; `why` and `text` are the overlay of an explanation, with and
   * without its colors.
   */
  readonly kind: "page" | "why" | "text";
  /** Highlighted texts. */
  readonly marks?: readonly string[];
  readonly onMarked?: (count: number) => void;
  /** Outlined elements: what is kept, and what is left out. */
  readonly outlined?: Outlined;
  /**
   * Receives the text of an element that was clicked, empty for a long one, and selectors that find
   * it and the elements around it, the smallest first.
   */
  readonly onPicked?: (text: string, selectors: readonly string[]) => void;
};

type Outlined = { readonly kept: readonly string[]; readonly left: readonly string[] };

const toTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

function PageFrame(props: PageFrameProps): VNode {
  const { title, html, kind, marks, outlined, onMarked, onPicked } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  // Before the frame can load: other effects run after the next paint, when "ready" may be over.
  useLayoutEffect(() => {
    const listen = ({
      source,
      data,
    }: MessageEvent<{
      readonly type?: unknown;
      readonly count?: unknown;
      readonly text?: unknown;
      readonly selectors?: unknown;
    }>): void => {
      if (source !== frame.current?.contentWindow) return;
      if (data.type === "ready") setReady(true);
      if (data.type === "marked" && typeof data.count === "number") onMarked?.(data.count);
      if (data.type === "picked" && typeof data.text === "string")
        onPicked?.(data.text, toTexts(data.selectors));
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, [onMarked, onPicked]);
  const post = (message: object): void => frame.current?.contentWindow?.postMessage(message, "*");
  useEffect(() => {
    if (isReady) post({ type: "show", html, kind, theme: isDark() ? "dark" : "light" });
  }, [isReady, html, kind, isDark()]);
  useEffect(() => {
    if (isReady && marks !== undefined) post({ type: "mark", texts: marks });
  }, [isReady, html, marks?.join("\n")]);
  useEffect(() => {
    if (isReady && outlined !== undefined) post({ type: "outline", ...outlined });
  }, [isReady, html, JSON.stringify(outlined)]);
  return dom.iframe({
    ref: frame,
    class: "page-frame",
    title,
    src: "/console/frame",
    sandbox: "allow-scripts",
  });
}

export const pageFrame = (props: PageFrameProps): VNode => create(PageFrame, props);
