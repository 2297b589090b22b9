import { textOf } from "../html/parse/tree.ts";
import type { PageFormat } from "./format.ts";
import { findOrders } from "./page-as-data.ts";
import type { PageView } from "./view.ts";
import { draftJson } from "./json/draft.ts";
import type { JsonTask } from "./json/json-draft.ts";

/** Structured data by the rules alone; `understand.ts` goes on from it where there is a model. */
export const json: PageFormat = {
  derive: (view, format) => {
    if (format.type === "json" && format.checkPromptInjection)
      view.orders = findOrders(allText(view));
    const draft = draftJson(view, format as JsonTask);
    view.jsonDraft = draft;
    return draft.value === undefined ? {} : { json: draft.value };
  },
};

/** All that a model could come to read, hidden parts included. */
const allText = (view: PageView): string =>
  view.kind === "html" ? textOf(view.document()) : view.text;
