// A page of an extractor on which the extracted values are lit up.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { pageFrame } from "../../ui/page-frame.ts";
import { useLoad } from "../../ui/use-load.ts";

/** Loads the whole page for a frame, without its scripts. */
export async function loadPageHtml(url: string, signal: AbortSignal): Promise<string> {
  const { data } = await call<{ data: Document }>("POST", "/v2/scrape", {
    body: { url, formats: ["html"], onlyMainContent: false },
    signal,
  });
  return data.html ?? "";
}

export type LitPageProps = { readonly url: string; readonly texts: readonly string[] };

export function LitPage({ url, texts }: LitPageProps): VNode {
  const loaded = useLoad((signal) => loadPageHtml(url, signal), [url]);
  const [lit, setLit] = useState<number>();
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ class: "panel panel-body" }, skeleton(8));
  return dom.div(
    { class: "stack tight" },
    dom.p(
      { class: "small soft", role: "status" },
      lit === undefined ? "\u00a0" : `${pluralize(lit, "place")} on the page.`,
    ),
    pageFrame({
      title: `Page with the values: ${url}`,
      html: loaded.value,
      kind: "page",
      marks: texts,
      onMarked: setLit,
    }),
  );
}
