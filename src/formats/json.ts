import { textOf } from "../html/parse/tree.ts";
import type { PageFormat } from "./format.ts";
import { findOrders } from "./page-as-data.ts";
import type { PageView } from "./view.ts";
import { draftJson } from "./json/draft.ts";
import type { JsonTask } from "./json/json-draft.ts";

/** Structured data by rules alone; `understand.ts` continues from it with a model. */
export const json: PageFormat = {
  derive: (view, format) => {
    if (format.type === "json" && format.checkPromptInjection)
      view.orders = findOrders(allText(view));
    const draft = draftJson(view, format as JsonTask);
    view.jsonDraft = draft;
    return draft.value === undefined ? {} : { json: draft.value };
  },
};

/** Returns all text that a model could read, including hidden parts. */
const allText = (view: PageView): string =>
  view.kind === "html" ? textOf(view.document()) : view.text;
